package io.frameloom.gpu.shader;

/**
 * What a mesh shader declares that each of its workgroups gives at most.
 *
 * @param vertices vertices
 * @param primitives primitives
 * @param points whether these are points
 */
public record MeshOutputs(int vertices, int primitives, boolean points) {}
