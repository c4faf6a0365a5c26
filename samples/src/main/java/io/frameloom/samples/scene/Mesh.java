package io.frameloom.samples.scene;

import org.jspecify.annotations.Nullable;

/**
 * An indexed triangle mesh, counter-clockwise front faces. Not copied: no code writes the arrays after construction.
 *
 * @param name name for messages
 * @param vertices {@value #FLOATS_PER_VERTEX} floats per vertex: position, normal, two sets of texture coordinates,
 *     colour
 * @param indices three per triangle
 * @param bounds bounds of the positions
 * @param deformable how the vertices can be moved; null if they cannot
 */
@SuppressWarnings("ArrayRecordComponent")
public record Mesh(
        String name,
        float[] vertices,
        int[] indices,
        Bounds bounds,
        @Nullable Deformable deformable) {
    /** Floats of one vertex. */
    public static final int FLOATS_PER_VERTEX = 14;

    /** Checks that the mesh can be drawn. */
    public Mesh {
        if (vertices.length == 0 || vertices.length % FLOATS_PER_VERTEX != 0) {
            throw new IllegalArgumentException("mesh '" + name + "' has no whole vertices");
        }
        if (indices.length == 0 || indices.length % 3 != 0) {
            throw new IllegalArgumentException("mesh '" + name + "' has no whole triangles");
        }
    }

    /** A mesh with bounds computed from its vertices. */
    public Mesh(String name, float[] vertices, int[] indices) {
        this(name, vertices, indices, null);
    }

    /** A mesh with bounds computed from its vertices, which can be moved. */
    public Mesh(String name, float[] vertices, int[] indices, @Nullable Deformable deformable) {
        this(name, vertices, indices, Bounds.ofVertices(vertices, FLOATS_PER_VERTEX), deformable);
    }

    /** Returns the number of vertices. */
    public int vertexCount() {
        return vertices.length / FLOATS_PER_VERTEX;
    }
}
