package io.frameloom.samples.scene;

import org.joml.Matrix4fc;
import org.joml.Vector3f;
import org.joml.Vector4f;
import org.joml.Vector4fc;
import org.jspecify.annotations.Nullable;

/**
 * One draw: a mesh, a material and where it is.
 *
 * @param mesh index into {@link Scene#meshes}
 * @param material index into {@link Scene#materials}
 * @param transform model to world, affine; at time 0 if it moves. One that mirrors needs a mesh with clockwise front
 *     faces
 * @param motion how it moves, or null if it stands still
 * @param tint multiplies the base colour (x, y, z) and what is emitted (w)
 * @param mapping x: metres per texture repeat if texture coordinates come from box projection of the unit box, 0 for
 *     the mesh's own. y, z: offset of the texture coordinates
 * @param deformation what moves its vertices before the transform; null if they are those of the mesh
 */
public record DrawItem(
        int mesh,
        int material,
        Matrix4fc transform,
        @Nullable Motion motion,
        Vector4fc tint,
        Vector4fc mapping,
        @Nullable Deformation deformation) {
    /** The neutral tint. */
    public static final Vector4fc WHITE = new Vector4f(1);

    /** The mesh's own texture coordinates. */
    public static final Vector4fc OWN_MAPPING = new Vector4f();

    /** A still draw without tint, with the mesh's own texture coordinates. */
    public DrawItem(int mesh, int material, Matrix4fc transform) {
        this(mesh, material, transform, null, WHITE, OWN_MAPPING);
    }

    /** A draw whose vertices are those of the mesh. */
    public DrawItem(
            int mesh, int material, Matrix4fc transform, @Nullable Motion motion, Vector4fc tint, Vector4fc mapping) {
        this(mesh, material, transform, motion, tint, mapping, null);
    }

    /**
     * Finds the box of this draw in the world.
     *
     * @param drawn its mesh
     * @param at its transform
     * @param rig state of the rig
     * @param min receives the smallest corner
     * @param max receives the largest corner
     */
    public void bounds(Mesh drawn, Matrix4fc at, float[] rig, Vector3f min, Vector3f max) {
        Deformable deformable = drawn.deformable();
        if (deformable == null || deformation == null) {
            at.transformAab(drawn.bounds().min(), drawn.bounds().max(), min, max);
        } else {
            deformable.bounds(drawn.bounds(), deformation, rig, min, max);
            at.transformAab(min, max, min, max);
        }
    }
}
