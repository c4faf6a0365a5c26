package io.frameloom.samples.scene;

/**
 * An indexed triangle mesh, counter-clockwise front faces. Not copied: no code writes the arrays after construction.
 *
 * @param name name for messages
 * @param vertices {@value #FLOATS_PER_VERTEX} floats per vertex: position, normal, two sets of texture coordinates,
 *     colour
 * @param indices three per triangle
 * @param bounds bounds of the positions
 */
@SuppressWarnings("ArrayRecordComponent")
public record Mesh(String name, float[] vertices, int[] indices, Bounds bounds) {
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
        this(name, vertices, indices, Bounds.ofVertices(vertices, FLOATS_PER_VERTEX));
    }

    /** Returns the number of vertices. */
    public int vertexCount() {
        return vertices.length / FLOATS_PER_VERTEX;
    }
}
