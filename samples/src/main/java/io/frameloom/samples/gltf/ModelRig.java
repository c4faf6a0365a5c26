package io.frameloom.samples.gltf;

import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.Rig;
import java.util.ArrayList;
import java.util.List;
import org.joml.Matrix4f;
import org.joml.Matrix4fc;
import org.joml.Quaternionf;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a model that an animation moves, the joints of its skins and the weights of its morph targets. The
 * loader adds them; after that it is immutable.
 */
final class ModelRig implements Rig {
    /** Number of the parent of nodes that stand still. */
    static final int STILL = -1;

    private static final int FLOATS_PER_VECTOR = 4;

    private final ModelAnimation animation;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Joint> joints = new ArrayList<>();
    private final List<Weights> weights = new ArrayList<>();
    private int floats;

    /**
     * A node that moves, alone or with its parent.
     *
     * @param place where its matrix is in the state
     * @param parent place of the parent, or {@link #STILL}
     * @param still transform of the parent if that stands still
     * @param local transform in the parent unless keyframes move it
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Node(
            int place,
            int parent,
            Matrix4fc still,
            Matrix4fc local,
            float[] rest,
            @Nullable Keyframes translation,
            @Nullable Keyframes rotation,
            @Nullable Keyframes scale) {}

    /** A joint of a skin: where its matrix is in the state, and which node moves it, if any does. */
    private record Joint(int place, int node, Matrix4fc still, Matrix4fc inverseBind) {}

    private record Weights(int place, Keyframes keyframes) {}

    ModelRig(ModelAnimation animation) {
        this.animation = animation;
    }

    /**
     * Adds a node after its parent, if it moves.
     *
     * @param parent place of the parent, or {@link #STILL}
     * @param still transform of the parent, at rest
     * @param rest translation, rotation and scale; unused if nothing animates the node itself
     * @param local transform in the parent at rest
     * @return the place of its matrix in the state, or {@link #STILL}
     */
    int node(int number, int parent, Matrix4fc still, float[] rest, Matrix4fc local) {
        if (parent == STILL && !animation.moves(number)) {
            return STILL;
        }
        nodes.add(new Node(
                floats,
                parent,
                still,
                local,
                rest,
                animation.of(number, ModelAnimation.TRANSLATION),
                animation.of(number, ModelAnimation.ROTATION),
                animation.of(number, ModelAnimation.SCALE)));
        floats += FrameSnapshot.MATRIX_FLOATS;
        return floats - FrameSnapshot.MATRIX_FLOATS;
    }

    /**
     * Adds a joint of a skin.
     *
     * @param node place of its node, or {@link #STILL}
     * @param still transform of its node if that stands still
     * @param inverseBind takes vertices to the node
     * @return the place of its matrix in the state
     */
    int joint(int node, Matrix4fc still, Matrix4fc inverseBind) {
        joints.add(new Joint(floats, node, still, inverseBind));
        floats += FrameSnapshot.MATRIX_FLOATS;
        return floats - FrameSnapshot.MATRIX_FLOATS;
    }

    /** Adds weights of morph targets, and returns their place in the state. */
    int weights(Keyframes keyframes) {
        int place = floats;
        weights.add(new Weights(place, keyframes));
        floats += (keyframes.width() + FLOATS_PER_VECTOR - 1) / FLOATS_PER_VECTOR * FLOATS_PER_VECTOR;
        return place;
    }

    @Override
    public int floats() {
        return floats;
    }

    @Override
    public void at(double seconds, float[] state) {
        float time = animation.end() > 0 ? (float) (seconds % animation.end()) : 0;
        Matrix4f matrix = new Matrix4f();
        Matrix4f local = new Matrix4f();
        Quaternionf turn = new Quaternionf();
        float[] moved = new float[10];
        for (Node node : nodes) {
            boolean itself = node.translation != null || node.rotation != null || node.scale != null;
            if (itself) {
                System.arraycopy(node.rest, 0, moved, 0, moved.length);
                move(node.translation, time, moved, 0);
                move(node.rotation, time, moved, 3);
                move(node.scale, time, moved, 7);
                transform(moved, turn, local);
            }
            if (node.parent == STILL) {
                matrix.set(node.still);
            } else {
                matrix.set(state, node.parent);
            }
            matrix.mul(itself ? local : node.local).get(state, node.place);
        }
        for (Joint joint : joints) {
            if (joint.node == STILL) {
                matrix.set(joint.still);
            } else {
                matrix.set(state, joint.node);
            }
            matrix.mul(joint.inverseBind).get(state, joint.place);
        }
        for (Weights each : weights) {
            each.keyframes.at(time, state, each.place);
        }
    }

    private static void move(@Nullable Keyframes keyframes, float time, float[] target, int offset) {
        if (keyframes != null) {
            keyframes.at(time, target, offset);
        }
    }

    /** Makes the transform of a translation, a rotation and a scale. */
    static void transform(float[] trs, Quaternionf turn, Matrix4f target) {
        turn.set(trs[3], trs[4], trs[5], trs[6]);
        target.translationRotateScale(trs[0], trs[1], trs[2], turn.x, turn.y, turn.z, turn.w, trs[7], trs[8], trs[9]);
    }
}
