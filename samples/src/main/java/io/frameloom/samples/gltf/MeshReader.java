package io.frameloom.samples.gltf;

import de.javagl.jgltf.model.AccessorModel;
import de.javagl.jgltf.model.ElementType;
import de.javagl.jgltf.model.GltfConstants;
import de.javagl.jgltf.model.MeshPrimitiveModel;
import io.frameloom.samples.scene.Mesh;
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
 * Turns one glTF primitive into a mesh: its morph targets by their weights, its vertices where the joints of a skin
 * are.
 */
final class MeshReader {
    /** What is not triangles, in the order of its numbers. */
    private static final List<String> MODES = List.of("points", "lines", "a line loop", "line strips");

    private static final int NORMAL = 3;
    private static final int TEXCOORD = 6;
    private static final int COLOR = 10;

    private final AccessorReader accessors;
    private final String mesh;
    private final MeshPrimitiveModel primitive;
    private final float[] weights;

    /**
     * A reader of one primitive.
     *
     * @param mesh name of its mesh
     * @param weights weights of its morph targets
     */
    MeshReader(AccessorReader accessors, String mesh, MeshPrimitiveModel primitive, float[] weights) {
        this.accessors = accessors;
        this.mesh = mesh;
        this.primitive = primitive;
        this.weights = weights;
    }

    /**
     * Reads the primitive.
     *
     * @param joints for each joint of the skin the transform of its vertices to the world; null without a skin
     * @param mirrored whether the transform of the draw will mirror: the winding of the triangles is reversed
     * @return the mesh, or null if it has no triangles
     * @throws ModelException saying what is wrong, without the name of the file
     */
    @Nullable
    Mesh read(@Nullable List<Matrix4f> joints, boolean mirrored) throws ModelException {
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
        AccessorModel color = primitive.getAttributes().get("COLOR_0");
        if (color != null) {
            if (color.getComponentType() != GltfConstants.GL_FLOAT && !color.isNormalized()) {
                throw new ModelException("has " + what("COLOR_0") + " of integers that are not normalized");
            }
            int components = color.getElementType().getNumComponents();
            spread(values("COLOR_0", 3, 4), components, vertices, COLOR, "COLOR_0");
        }
        if (joints != null) {
            skin(vertices, joints);
        }
        if (normal == null) {
            vertices = flat(vertices, triangles);
            triangles = indices(triangles.length, i -> i);
        }
        if (mirrored) {
            for (int i = 0; i < triangles.length; i += 3) {
                int last = triangles[i + 2];
                triangles[i + 2] = triangles[i + 1];
                triangles[i + 1] = last;
            }
        }
        return new Mesh(mesh, vertices, triangles);
    }

    /** Returns the values of an attribute, moved by the morph targets, or null without the attribute. */
    private float @Nullable [] values(String attribute, int least, int most) throws ModelException {
        AccessorModel accessor = primitive.getAttributes().get(attribute);
        if (accessor == null) {
            return null;
        }
        float[] values = accessors.floats(accessor, what(attribute), least, most);
        List<Map<String, AccessorModel>> targets = primitive.getTargets();
        for (int target = 0; target < Math.min(targets.size(), weights.length); target++) {
            AccessorModel offsets = targets.get(target).get(attribute);
            if (offsets != null && weights[target] != 0) {
                float[] moved = accessors.floats(offsets, "a morph target of " + what(attribute), least, most);
                if (moved.length != values.length) {
                    throw new ModelException("has a morph target of " + what(attribute) + " of another length");
                }
                for (int i = 0; i < values.length; i++) {
                    values[i] += weights[target] * moved[i];
                }
            }
        }
        return values;
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

    private void skin(float[] vertices, List<Matrix4f> joints) throws ModelException {
        int count = vertices.length / Mesh.FLOATS_PER_VERTEX;
        float[] blends = new float[count * 16];
        for (int set = 0; primitive.getAttributes().containsKey("JOINTS_" + set) || set == 0; set++) {
            AccessorModel joint = primitive.getAttributes().get("JOINTS_" + set);
            float[] weight = values("WEIGHTS_" + set, 4, 4);
            int[] number =
                    joint == null ? new int[0] : accessors.integers(joint, what("JOINTS_" + set), ElementType.VEC4);
            if (weight == null || weight.length != count * 4 || number.length != count * 4) {
                throw new ModelException("has a skin, but no joint and weight for each vertex of mesh '" + mesh + "'");
            }
            for (int i = 0; i < number.length; i++) {
                if (weight[i] != 0) {
                    if (number[i] < 0 || number[i] >= joints.size()) {
                        throw new ModelException("has joint " + Integer.toUnsignedString(number[i]) + " in mesh '"
                                + mesh + "' for a skin of " + joints.size());
                    }
                    add(joints.get(number[i]), weight[i], blends, i / 4 * 16);
                }
            }
        }
        Matrix4f blend = new Matrix4f();
        Matrix3f turn = new Matrix3f();
        Vector3f vector = new Vector3f();
        for (int i = 0; i < count; i++) {
            int at = i * Mesh.FLOATS_PER_VERTEX;
            blend.set(blends, i * 16);
            put(blend.transformPosition(vector.set(vertices[at], vertices[at + 1], vertices[at + 2])), vertices, at);
            vector.set(vertices[at + NORMAL], vertices[at + NORMAL + 1], vertices[at + NORMAL + 2]);
            put(blend.normal(turn).transform(vector), vertices, at + NORMAL);
        }
    }

    private static void add(Matrix4fc matrix, float weight, float[] sums, int at) {
        float[] elements = matrix.get(new float[16]);
        for (int i = 0; i < 16; i++) {
            sums[at + i] += weight * elements[i];
        }
    }

    private static void put(Vector3f vector, float[] vertices, int at) {
        vertices[at] = vector.x;
        vertices[at + 1] = vector.y;
        vertices[at + 2] = vector.z;
    }

    private int[] triangles(int vertices) throws ModelException {
        AccessorModel accessor = primitive.getIndices();
        int[] indices = accessor == null
                ? indices(vertices, i -> i)
                : accessors.integers(accessor, "indices of mesh '" + mesh + "'", ElementType.SCALAR);
        for (int index : indices) {
            if (index < 0 || index >= vertices) {
                throw new ModelException("has mesh '" + mesh + "' with index " + Integer.toUnsignedString(index)
                        + " for " + vertices + " vertices");
            }
        }
        int mode = primitive.getMode();
        int strip = 3 * Math.max(0, indices.length - 2);
        switch (mode) {
            case GltfConstants.GL_TRIANGLES -> {
                if (indices.length % 3 != 0) {
                    throw new ModelException(
                            "has mesh '" + mesh + "' with " + indices.length + " indices, not a multiple of three");
                }
                return indices;
            }
            // Every other triangle of a strip begins with its second vertex, so that all turn the same way.
            case GltfConstants.GL_TRIANGLE_STRIP -> {
                return indices(strip, i -> indices[i / 3 + (i % 3 == 2 ? 2 : i / 3 % 2 == 0 ? i % 3 : 1 - i % 3)]);
            }
            case GltfConstants.GL_TRIANGLE_FAN -> {
                return indices(strip, i -> indices[i % 3 == 0 ? 0 : i / 3 + i % 3]);
            }
            default ->
                throw new ModelException(
                        "has mesh '" + mesh + "' of " + MODES.get(mode) + "; only triangles are shown");
        }
    }

    private static int[] indices(int count, IntUnaryOperator index) {
        int[] indices = new int[count];
        Arrays.setAll(indices, index);
        return indices;
    }

    /** Gives each triangle vertices of its own, with its normal. */
    private static float[] flat(float[] vertices, int[] triangles) {
        int size = Mesh.FLOATS_PER_VERTEX;
        float[] result = new float[triangles.length * size];
        Vector3f a = new Vector3f();
        Vector3f b = new Vector3f();
        Vector3f c = new Vector3f();
        for (int i = 0; i < triangles.length; i++) {
            System.arraycopy(vertices, triangles[i] * size, result, i * size, size);
            if (i % 3 == 2) {
                corner(result, i - 2, a);
                corner(result, i - 1, b).sub(a);
                corner(result, i, c).sub(a);
                b.cross(c);
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
