package io.frameloom.gpu.shader;

/** What a mesh shader declares that each of its workgroups gives at most. */
public record MeshOutputs(int vertices, int primitives, boolean points) {}
