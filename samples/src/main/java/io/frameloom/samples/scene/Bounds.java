package io.frameloom.samples.scene;

import org.joml.Matrix4fc;
import org.joml.Vector3f;
import org.joml.Vector3fc;

/**
 * An axis-aligned box in metres. Immutable as long as no code writes through the vectors.
 *
 * @param min smallest corner
 * @param max largest corner
 */
public record Bounds(Vector3fc min, Vector3fc max) {
    /**
     * Returns the bounds of positions.
     *
     * @param vertices floats, the position first in every vertex; at least one vertex
     * @param stride floats per vertex
     */
    public static Bounds ofVertices(float[] vertices, int stride) {
        Vector3f min = new Vector3f(Float.POSITIVE_INFINITY);
        Vector3f max = new Vector3f(Float.NEGATIVE_INFINITY);
        Vector3f point = new Vector3f();
        for (int i = 0; i < vertices.length; i += stride) {
            point.set(vertices[i], vertices[i + 1], vertices[i + 2]);
            min.min(point);
            max.max(point);
        }
        return new Bounds(min, max);
    }

    /** Returns the bounds of this box after an affine transform. */
    public Bounds transformed(Matrix4fc transform) {
        Vector3f newMin = new Vector3f();
        Vector3f newMax = new Vector3f();
        transform.transformAab(min, max, newMin, newMax);
        return new Bounds(newMin, newMax);
    }

    /** Returns the smallest box around both. */
    public Bounds union(Bounds other) {
        return new Bounds(new Vector3f(min).min(other.min), new Vector3f(max).max(other.max));
    }

    /** Returns a new vector with the centre. */
    public Vector3f center() {
        return new Vector3f(min).add(max).mul(0.5f);
    }

    /** Returns half of the diagonal. */
    public float radius() {
        return min.distance(max) * 0.5f;
    }
}
