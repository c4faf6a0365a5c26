package io.frameloom.samples.gltf;

import io.frameloom.samples.scene.Deformable;
import io.frameloom.samples.scene.Mesh;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.joml.Matrix3f;
import org.joml.Matrix4f;
import org.joml.Matrix4fc;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;

/**
 * Turns one glTF primitive into a mesh. Morph targets and joints that stay as they are move its vertices here, once;
 * those that an animation moves become what the mesh can be deformed by.
 */
final class MeshReader {
    /** What is not triangles, in the order of its numbers. */
    private static final List<String> MODES = List.of("points", "lines", "a line loop", "line strips");

    private static final int TRIANGLES = 4;
    private static final int TRIANGLE_STRIP = 5;
    private static final int TRIANGLE_FAN = 6;

    private static final int NORMAL = 3;
    private static final int TEXCOORD = 6;
    private static final int COLOR = 10;

    /** Where attributes that morph targets may move lie in a vertex. */
    private static final Map<String, Integer> PLACES = Map.of(
            "POSITION", 0, "NORMAL", NORMAL, "TEXCOORD_0", TEXCOORD, "TEXCOORD_1", TEXCOORD + 2, "COLOR_0", COLOR);

    private final AccessorReader accessors;
    private final String mesh;
    private final Json attributes;
    private final List<Json> targets;
    private final Json primitive;
    private final Pose pose;

    /**
     * How the draws of a mesh are to look.
     *
     * @param weights weights of its morph targets, missing ones are 0; null if an animation moves them
     * @param skinned whether the mesh has a skin
     * @param joints for each joint of the skin the transform of its vertices to the world; null if they move
     * @param jointCount number of joints of the skin
     * @param mirrored whether the transform mirrors: the winding of the triangles is reversed
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Pose(
            float @Nullable [] weights,
            boolean skinned,
            @Nullable List<Matrix4f> joints,
            int jointCount,
            boolean mirrored) {}

    /**
     * A reader of one primitive.
     *
     * @param mesh name of its mesh
     */
    MeshReader(AccessorReader accessors, String mesh, Json primitive, Pose pose) throws ModelException {
        this.accessors = accessors;
        this.mesh = mesh;
        this.primitive = primitive;
        this.pose = pose;
        attributes = primitive.at("attributes");
        targets = primitive.at("targets").elements();
    }

    /** Returns the number of morph targets of the mesh of a node. */
    static int targets(Json root, Json node) throws ModelException {
        int mesh = node.at("mesh").integer(Integer.MAX_VALUE);
        return root.at("meshes")
                .at(mesh)
                .at("primitives")
                .at(0)
                .at("targets")
                .elements()
                .size();
    }

    /**
     * Reads the primitive.
     *
     * @return the mesh, or null if it has no triangles
     * @throws ModelException saying what is wrong, without the name of the file
     */
    @Nullable
    Mesh read() throws ModelException {
        float[] position = values("POSITION", 3, 3);
        if (position == null) {
            throw new ModelException("has mesh '" + mesh + "' without positions");
        }
        int count = position.length / 3;
        int[] triangles = triangles(count);
        if (triangles.length == 0) {
            return null;
        }
        float[] vertices = new float[count * Mesh.FLOATS_PER_VERTEX];
        for (int i = 0; i < count; i++) {
            Arrays.fill(vertices, i * Mesh.FLOATS_PER_VERTEX + COLOR, (i + 1) * Mesh.FLOATS_PER_VERTEX, 1);
        }
        spread(position, 3, vertices, 0, "POSITION");
        float[] normal = values("NORMAL", 3, 3);
        spread(normal, 3, vertices, NORMAL, "NORMAL");
        spread(values("TEXCOORD_0", 2, 2), 2, vertices, TEXCOORD, "TEXCOORD_0");
        spread(values("TEXCOORD_1", 2, 2), 2, vertices, TEXCOORD + 2, "TEXCOORD_1");
        Json color = attributes.at("COLOR_0");
        if (color.present()) {
            Json accessor = accessors.accessor(color);
            if (accessor.at("componentType").integer(0) != AccessorReader.FLOAT
                    && !accessor.at("normalized").flag()) {
                throw new ModelException("has " + what("COLOR_0") + " of integers that are not normalized");
            }
            spread(values("COLOR_0", 3, 4), accessors.components(color), vertices, COLOR, "COLOR_0");
        }
        Influences influences = pose.skinned ? influences(count) : new Influences(0, new int[0], new float[0]);
        List<float[]> moved = pose.weights == null ? targets(count) : List.of();
        boolean deformed = !moved.isEmpty() || (pose.skinned && pose.joints == null);
        if (pose.joints != null) {
            skin(vertices, pose.joints, influences);
            influences = new Influences(0, new int[0], new float[0]);
        }
        boolean flat = normal == null;
        if (flat) {
            vertices = flat(vertices, triangles, pose.joints != null && pose.mirrored);
            influences = influences.corners(triangles);
            moved = moved.stream()
                    .map(target -> corners(target, target.length / count, triangles))
                    .toList();
        }
        int[] indices = flat ? indices(triangles.length, i -> i) : triangles;
        if (pose.mirrored) {
            for (int i = 0; i < indices.length; i += 3) {
                int last = indices[i + 2];
                indices[i + 2] = indices[i + 1];
                indices[i + 1] = last;
            }
        }
        if (!deformed) {
            return new Mesh(mesh, vertices, indices);
        }
        Deformable deformable = new Deformable(
                vertices,
                influences.sets,
                influences.joints,
                influences.weights,
                moved,
                moved.isEmpty() ? 0 : moved.get(0).length / (vertices.length / Mesh.FLOATS_PER_VERTEX),
                flat);
        return new Mesh(mesh, vertices, indices, deformable);
    }

    /** Returns the values of an attribute, moved by the morph targets that stay, or null without the attribute. */
    private float @Nullable [] values(String attribute, int least, int most) throws ModelException {
        if (!attributes.at(attribute).present()) {
            return null;
        }
        float[] values = accessors.floats(attributes.at(attribute), what(attribute), least, most);
        float[] weights = pose.weights == null ? new float[0] : pose.weights;
        for (int target = 0; target < Math.min(targets.size(), weights.length); target++) {
            if (weights[target] != 0) {
                float[] moved = offsets(targets.get(target), attribute, values.length);
                for (int i = 0; i < moved.length; i++) {
                    values[i] += weights[target] * moved[i];
                }
            }
        }
        return values;
    }

    /** Returns how a morph target moves an attribute; nothing if it does not. */
    private float[] offsets(Json target, String attribute, int length) throws ModelException {
        Json offsets = target.at(attribute);
        if (!offsets.present()) {
            return new float[0];
        }
        float[] moved = accessors.floats(offsets, "a morph target of " + what(attribute), 2, 4);
        if (moved.length != length) {
            throw new ModelException("has a morph target of " + what(attribute) + " of another length");
        }
        return moved;
    }

    /** Returns the offsets of each morph target: of position and normal, or of all floats of a vertex. */
    private List<float[]> targets(int count) throws ModelException {
        boolean narrow = true;
        for (Json target : targets) {
            for (Map.Entry<String, Integer> place : PLACES.entrySet()) {
                narrow &= place.getValue() < TEXCOORD
                        || !target.at(place.getKey()).present();
            }
        }
        int floats = narrow ? Deformable.POSITION_AND_NORMAL : Mesh.FLOATS_PER_VERTEX;
        List<float[]> result = new ArrayList<>();
        for (Json target : targets) {
            float[] offsets = new float[count * floats];
            for (Map.Entry<String, Integer> place : PLACES.entrySet()) {
                String attribute = place.getKey();
                if (target.at(attribute).present() && attributes.at(attribute).present()) {
                    int components = accessors.components(attributes.at(attribute));
                    float[] moved = offsets(target, attribute, count * components);
                    for (int i = 0; i < moved.length; i++) {
                        offsets[i / components * floats + place.getValue() + i % components] = moved[i];
                    }
                }
            }
            result.add(offsets);
        }
        return result;
    }

    private String what(String attribute) {
        return attribute + " of mesh '" + mesh + "'";
    }

    private void spread(float @Nullable [] values, int components, float[] vertices, int at, String attribute)
            throws ModelException {
        if (values == null) {
            return;
        }
        int count = vertices.length / Mesh.FLOATS_PER_VERTEX;
        if (values.length != count * components) {
            throw new ModelException("has " + values.length / components + " values in " + what(attribute) + " for "
                    + count + " vertices");
        }
        for (int i = 0; i < count; i++) {
            System.arraycopy(values, i * components, vertices, i * Mesh.FLOATS_PER_VERTEX + at, components);
        }
    }

    /**
     * The joints of each vertex, {@code sets} times four, and their weights.
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Influences(int sets, int[] joints, float[] weights) {
        Influences corners(int[] triangles) {
            int each = Deformable.SET * sets;
            int[] own = new int[triangles.length * each];
            float[] ownWeights = new float[triangles.length * each];
            for (int i = 0; i < triangles.length; i++) {
                System.arraycopy(joints, triangles[i] * each, own, i * each, each);
                System.arraycopy(weights, triangles[i] * each, ownWeights, i * each, each);
            }
            return new Influences(sets, own, ownWeights);
        }
    }

    private Influences influences(int count) throws ModelException {
        int sets = 1;
        while (attributes.at("JOINTS_" + sets).present()) {
            sets++;
        }
        int each = Deformable.SET * sets;
        int[] joints = new int[count * each];
        float[] weights = new float[count * each];
        for (int set = 0; set < sets; set++) {
            Json joint = attributes.at("JOINTS_" + set);
            Json weight = attributes.at("WEIGHTS_" + set);
            float[] own = weight.present() ? accessors.floats(weight, what("WEIGHTS_" + set), 4, 4) : new float[0];
            int[] number = joint.present() ? accessors.integers(joint, what("JOINTS_" + set), "VEC4") : new int[0];
            if (own.length != count * Deformable.SET || number.length != count * Deformable.SET) {
                throw new ModelException("has a skin, but no joint and weight for each vertex of mesh '" + mesh + "'");
            }
            for (int i = 0; i < number.length; i++) {
                if (own[i] != 0 && (number[i] < 0 || number[i] >= pose.jointCount)) {
                    throw new ModelException("has joint " + Integer.toUnsignedString(number[i]) + " in mesh '" + mesh
                            + "' for a skin of " + pose.jointCount);
                }
                int at = i / Deformable.SET * each + Deformable.SET * set + i % Deformable.SET;
                joints[at] = own[i] == 0 ? 0 : number[i];
                weights[at] = own[i];
            }
        }
        for (int vertex = 0; vertex < weights.length; vertex += each) {
            normalize(weights, vertex, vertex + each);
        }
        return new Influences(sets, joints, weights);
    }

    /** Rounded weights do not have the sum 1. Without any, the first joint moves the vertex. */
    private static void normalize(float[] weights, int from, int to) {
        float sum = 0;
        for (int i = from; i < to; i++) {
            sum += weights[i];
        }
        if (!(sum > 0)) {
            Arrays.fill(weights, from, to, 0);
            weights[from] = 1;
        } else if (sum != 1) {
            for (int i = from; i < to; i++) {
                weights[i] /= sum;
            }
        }
    }

    private static void skin(float[] vertices, List<Matrix4f> joints, Influences influences) {
        int count = vertices.length / Mesh.FLOATS_PER_VERTEX;
        int each = Deformable.SET * influences.sets;
        float[] blend = new float[16];
        Matrix4f matrix = new Matrix4f();
        Matrix3f turn = new Matrix3f();
        Vector3f vector = new Vector3f();
        for (int i = 0; i < count; i++) {
            Arrays.fill(blend, 0);
            for (int j = i * each; j < (i + 1) * each; j++) {
                if (influences.weights[j] != 0) {
                    add(joints.get(influences.joints[j]), influences.weights[j], blend);
                }
            }
            int at = i * Mesh.FLOATS_PER_VERTEX;
            matrix.set(blend);
            put(matrix.transformPosition(vector.set(vertices[at], vertices[at + 1], vertices[at + 2])), vertices, at);
            vector.set(vertices[at + NORMAL], vertices[at + NORMAL + 1], vertices[at + NORMAL + 2]);
            put(matrix.normal(turn).transform(vector), vertices, at + NORMAL);
        }
    }

    private static void add(Matrix4fc matrix, float weight, float[] sums) {
        float[] elements = matrix.get(new float[16]);
        for (int i = 0; i < 16; i++) {
            sums[i] += weight * elements[i];
        }
    }

    private static void put(Vector3f vector, float[] vertices, int at) {
        vertices[at] = vector.x;
        vertices[at + 1] = vector.y;
        vertices[at + 2] = vector.z;
    }

    private int[] triangles(int vertices) throws ModelException {
        Json given = primitive.at("indices");
        int[] indices = given.present()
                ? accessors.integers(given, "indices of mesh '" + mesh + "'", "SCALAR")
                : indices(vertices, i -> i);
        for (int index : indices) {
            if (index < 0 || index >= vertices) {
                throw new ModelException("has mesh '" + mesh + "' with index " + Integer.toUnsignedString(index)
                        + " for " + vertices + " vertices");
            }
        }
        int mode = primitive.at("mode").integer(TRIANGLES);
        int strip = 3 * Math.max(0, indices.length - 2);
        switch (mode) {
            case TRIANGLES -> {
                if (indices.length % 3 != 0) {
                    throw new ModelException(
                            "has mesh '" + mesh + "' with " + indices.length + " indices, not a multiple of three");
                }
                return indices;
            }
            // Every other triangle of a strip begins with its second vertex, so that all turn the same way.
            case TRIANGLE_STRIP -> {
                return indices(strip, i -> indices[i / 3 + (i % 3 == 2 ? 2 : i / 3 % 2 == 0 ? i % 3 : 1 - i % 3)]);
            }
            case TRIANGLE_FAN -> {
                return indices(strip, i -> indices[i % 3 == 0 ? 0 : i / 3 + i % 3]);
            }
            default ->
                throw mode < MODES.size()
                        ? new ModelException(
                                "has mesh '" + mesh + "' of " + MODES.get(mode) + "; only triangles are shown")
                        : primitive.at("mode").malformed("there is no mode " + mode);
        }
    }

    private static int[] indices(int count, IntUnaryOperator index) {
        int[] indices = new int[count];
        Arrays.setAll(indices, index);
        return indices;
    }

    /** Gives each corner of a triangle values of its own. */
    private static float[] corners(float[] values, int size, int[] triangles) {
        float[] result = new float[triangles.length * size];
        for (int i = 0; i < triangles.length; i++) {
            System.arraycopy(values, triangles[i] * size, result, i * size, size);
        }
        return result;
    }

    /** Gives each triangle vertices of its own, with its normal. */
    private static float[] flat(float[] vertices, int[] triangles, boolean inverted) {
        int size = Mesh.FLOATS_PER_VERTEX;
        float[] result = corners(vertices, size, triangles);
        Vector3f a = new Vector3f();
        Vector3f b = new Vector3f();
        Vector3f c = new Vector3f();
        for (int i = 0; i < triangles.length; i++) {
            if (i % 3 == 2) {
                corner(result, i - 2, a);
                corner(result, i - 1, b).sub(a);
                corner(result, i, c).sub(a);
                b.cross(c).mul(inverted ? -1 : 1);
                // A triangle without area is not seen; its normal only has to be one.
                b.set(b.lengthSquared() == 0 ? a.set(0, 1, 0) : b.normalize());
                for (int corner = i - 2; corner <= i; corner++) {
                    put(b, result, corner * size + NORMAL);
                }
            }
        }
        return result;
    }

    private static Vector3f corner(float[] vertices, int number, Vector3f corner) {
        int at = number * Mesh.FLOATS_PER_VERTEX;
        return corner.set(vertices[at], vertices[at + 1], vertices[at + 2]);
    }
}
