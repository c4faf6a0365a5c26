package io.frameloom.samples.scene;

import java.util.Arrays;
import java.util.List;
import org.joml.Matrix4f;
import org.joml.Vector3f;

/**
 * How the vertices of a mesh can be moved: first by morph targets, then by the joints of a skin. Immutable; the arrays
 * are not copied, and no code writes them after construction.
 */
public final class Deformable {
    /** Joints of a vertex in one set. */
    public static final int SET = 4;

    /** Floats of a vertex of a morph target that moves positions and normals alone. */
    public static final int POSITION_AND_NORMAL = 6;

    private final int sets;
    private final int[] joints;
    private final float[] weights;
    private final List<float[]> targets;
    private final int targetFloats;
    private final boolean flat;

    /** How far each target moves a vertex at most along each axis. */
    private final float[] reach;

    /** Smallest and largest corner of the vertices of each joint; the smallest is larger for joints without any. */
    private final float[] jointBounds;

    /**
     * What moves the vertices of a mesh.
     *
     * @param vertices vertices of the mesh, {@value Mesh#FLOATS_PER_VERTEX} floats each
     * @param sets sets of {@value #SET} joints per vertex; 0 without a skin
     * @param joints joints of each vertex
     * @param weights weights of these joints, whose sum is 1
     * @param targets offsets of each morph target, {@code targetFloats} per vertex
     * @param targetFloats the first floats of a vertex that targets move, {@value #POSITION_AND_NORMAL} or all
     * @param flat whether each three vertices are a triangle of their own, with its normal
     */
    public Deformable(
            float[] vertices,
            int sets,
            int[] joints,
            float[] weights,
            List<float[]> targets,
            int targetFloats,
            boolean flat) {
        this.sets = sets;
        this.joints = joints;
        this.weights = weights;
        this.targets = List.copyOf(targets);
        this.targetFloats = targetFloats;
        this.flat = flat;
        reach = new float[3 * targets.size()];
        for (int target = 0; target < targets.size(); target++) {
            float[] offsets = targets.get(target);
            for (int i = 0; i < offsets.length; i++) {
                int axis = i % targetFloats;
                if (axis < 3) {
                    reach[3 * target + axis] = Math.max(reach[3 * target + axis], Math.abs(offsets[i]));
                }
            }
        }
        jointBounds = new float[6 * (Arrays.stream(joints).max().orElse(-1) + 1)];
        for (int i = 0; i < jointBounds.length; i++) {
            jointBounds[i] = i % 6 < 3 ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY;
        }
        for (int i = 0; i < joints.length; i++) {
            if (weights[i] != 0) {
                for (int axis = 0; axis < 3; axis++) {
                    float at = vertices[i / (SET * sets) * Mesh.FLOATS_PER_VERTEX + axis];
                    int low = 6 * joints[i] + axis;
                    jointBounds[low] = Math.min(jointBounds[low], at);
                    jointBounds[low + 3] = Math.max(jointBounds[low + 3], at);
                }
            }
        }
    }

    /** Returns the sets of joints per vertex. */
    public int sets() {
        return sets;
    }

    /** Returns the joints of each vertex. */
    public int[] joints() {
        return joints;
    }

    /** Returns the weights of these joints. */
    public float[] weights() {
        return weights;
    }

    /** Returns the morph targets. */
    public List<float[]> targets() {
        return targets;
    }

    /** Returns how many floats of a vertex the targets move. */
    public int targetFloats() {
        return targetFloats;
    }

    /** Returns whether each triangle has its own normal. */
    public boolean flat() {
        return flat;
    }

    /**
     * Finds a box that has all vertices in it: a vertex lies between the places where its joints would take it.
     *
     * @param still bounds of the mesh
     * @param deformation where the state has joints and weights
     * @param state state of the rig
     * @param min receives the smallest corner
     * @param max receives the largest corner
     */
    void bounds(Bounds still, Deformation deformation, float[] state, Vector3f min, Vector3f max) {
        Vector3f grown = new Vector3f();
        for (int i = 0; i < reach.length; i++) {
            float more = Math.abs(state[deformation.weights() + i / 3]) * reach[i];
            grown.setComponent(i % 3, grown.get(i % 3) + more);
        }
        if (sets == 0) {
            min.set(still.min()).sub(grown);
            max.set(still.max()).add(grown);
            return;
        }
        min.set(Float.POSITIVE_INFINITY);
        max.set(Float.NEGATIVE_INFINITY);
        Matrix4f matrix = new Matrix4f();
        Vector3f low = new Vector3f();
        Vector3f high = new Vector3f();
        for (int at = 0; at < jointBounds.length; at += 6) {
            if (jointBounds[at] <= jointBounds[at + 3]) {
                low.set(jointBounds[at], jointBounds[at + 1], jointBounds[at + 2])
                        .sub(grown);
                high.set(jointBounds[at + 3], jointBounds[at + 4], jointBounds[at + 5])
                        .add(grown);
                matrix.set(state, deformation.joints() + at / 6 * FrameSnapshot.MATRIX_FLOATS);
                matrix.transformAab(low, high, low, high);
                min.min(low);
                max.max(high);
            }
        }
    }
}
