package io.frameloom.samples.gltf;

import de.javagl.jgltf.model.AccessorByteData;
import de.javagl.jgltf.model.AccessorData;
import de.javagl.jgltf.model.AccessorFloatData;
import de.javagl.jgltf.model.AccessorIntData;
import de.javagl.jgltf.model.AccessorModel;
import de.javagl.jgltf.model.AccessorShortData;
import de.javagl.jgltf.model.MeshPrimitiveModel;
import io.frameloom.samples.scene.Mesh;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;

/** Turns a glTF primitive into a mesh; normals and texture coordinates that are missing are generated. */
final class MeshReader {
    private static final int TRIANGLES = 4;
    private static final int TRIANGLE_STRIP = 5;
    private static final int TRIANGLE_FAN = 6;

    private MeshReader() {}

    /**
     * Reads a primitive.
     *
     * @return the mesh, or null if the primitive has no triangles
     * @throws ModelException saying what is wrong, without the name of the file
     */
    static @Nullable Mesh read(String name, MeshPrimitiveModel primitive, int texcoord) throws ModelException {
        if (primitive.getMode() < TRIANGLES) {
            return null;
        }
        AccessorModel positions = primitive.getAttributes().get("POSITION");
        if (positions == null) {
            throw new ModelException("has mesh '" + name + "' without positions");
        }
        float[] position = floats(name, "POSITION", positions, 3);
        int count = position.length / 3;
        int[] indices = triangles(primitive.getMode(), indices(name, primitive.getIndices(), count));
        if (indices.length == 0) {
            return null;
        }
        float[] normal = attribute(name, primitive, "NORMAL", 3, count);
        float[] uv = attribute(name, primitive, "TEXCOORD_" + texcoord, 2, count);
        float[] vertices = new float[count * Mesh.FLOATS_PER_VERTEX];
        float[] smooth = normal == null ? smoothNormals(position, indices) : normal;
        for (int i = 0; i < count; i++) {
            int at = i * Mesh.FLOATS_PER_VERTEX;
            System.arraycopy(position, i * 3, vertices, at, 3);
            System.arraycopy(smooth, i * 3, vertices, at + 3, 3);
            if (uv == null) {
                project(vertices, at);
            } else {
                System.arraycopy(uv, i * 2, vertices, at + 6, 2);
            }
        }
        return new Mesh(name, vertices, indices);
    }

    private static float @Nullable [] attribute(
            String name, MeshPrimitiveModel primitive, String attribute, int components, int count)
            throws ModelException {
        AccessorModel accessor = primitive.getAttributes().get(attribute);
        if (accessor == null) {
            return null;
        }
        float[] values = floats(name, attribute, accessor, components);
        if (values.length != count * components) {
            throw new ModelException("has mesh '" + name + "' with " + values.length / components + " values of "
                    + attribute + " for " + count + " vertices");
        }
        return values;
    }

    private static float[] floats(String name, String attribute, AccessorModel accessor, int components)
            throws ModelException {
        AccessorData data = accessor.getAccessorData();
        if (accessor.getElementType().getNumComponents() != components || accessor.getCount() < 1) {
            throw new ModelException("has mesh '" + name + "' with a malformed " + attribute);
        }
        float[] values = new float[Math.multiplyExact(accessor.getCount(), components)];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(data, i);
            if (!Float.isFinite(values[i])) {
                throw new ModelException("has mesh '" + name + "' with a value of " + attribute + " that is no number");
            }
        }
        return values;
    }

    private static float value(AccessorData data, int index) throws ModelException {
        if (data instanceof AccessorFloatData floats) {
            return floats.get(index);
        }
        if (data instanceof AccessorShortData shorts) {
            return shorts.isUnsigned()
                    ? (shorts.get(index) & 0xFFFF) / 65535f
                    : Math.max(-1, shorts.get(index) / 32767f);
        }
        if (data instanceof AccessorByteData bytes) {
            return bytes.isUnsigned() ? (bytes.get(index) & 0xFF) / 255f : Math.max(-1, bytes.get(index) / 127f);
        }
        throw new ModelException("stores vertices as whole numbers of 32 bits, which glTF does not allow");
    }

    private static int[] indices(String name, @Nullable AccessorModel accessor, int vertices) throws ModelException {
        int[] indices;
        if (accessor == null) {
            indices = new int[vertices];
            for (int i = 0; i < vertices; i++) {
                indices[i] = i;
            }
            return indices;
        }
        AccessorData data = accessor.getAccessorData();
        indices = new int[accessor.getCount()];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = index(data, i);
            if (indices[i] < 0 || indices[i] >= vertices) {
                throw new ModelException("has mesh '" + name + "' with index " + Integer.toUnsignedString(indices[i])
                        + " for " + vertices + " vertices");
            }
        }
        return indices;
    }

    private static int index(AccessorData data, int at) throws ModelException {
        if (data instanceof AccessorIntData ints) {
            return ints.get(at);
        }
        if (data instanceof AccessorShortData shorts) {
            return shorts.get(at) & 0xFFFF;
        }
        if (data instanceof AccessorByteData bytes) {
            return bytes.get(at) & 0xFF;
        }
        throw new ModelException("stores indices as floats, which glTF does not allow");
    }

    private static int[] triangles(int mode, int[] indices) throws ModelException {
        if (mode == TRIANGLES) {
            if (indices.length % 3 != 0) {
                throw new ModelException("has " + indices.length + " indices, not a multiple of three");
            }
            return indices;
        }
        if (mode != TRIANGLE_STRIP && mode != TRIANGLE_FAN) {
            throw new ModelException("has a mesh of the unknown mode " + mode);
        }
        int count = Math.max(0, indices.length - 2);
        int[] triangles = new int[count * 3];
        for (int i = 0; i < count; i++) {
            boolean odd = mode == TRIANGLE_STRIP && (i & 1) == 1;
            triangles[i * 3] = mode == TRIANGLE_FAN ? indices[0] : indices[i + (odd ? 1 : 0)];
            triangles[i * 3 + 1] = indices[i + (odd ? 0 : 1)];
            triangles[i * 3 + 2] = indices[i + 2];
        }
        return triangles;
    }

    /** Area-weighted normals of the triangles around each vertex. */
    private static float[] smoothNormals(float[] position, int[] indices) {
        float[] normals = new float[position.length];
        Vector3f a = new Vector3f();
        Vector3f b = new Vector3f();
        Vector3f c = new Vector3f();
        for (int i = 0; i < indices.length; i += 3) {
            a.set(position[indices[i] * 3], position[indices[i] * 3 + 1], position[indices[i] * 3 + 2]);
            b.set(position[indices[i + 1] * 3], position[indices[i + 1] * 3 + 1], position[indices[i + 1] * 3 + 2]);
            c.set(position[indices[i + 2] * 3], position[indices[i + 2] * 3 + 1], position[indices[i + 2] * 3 + 2]);
            b.sub(a).cross(c.sub(a));
            for (int corner = 0; corner < 3; corner++) {
                int at = indices[i + corner] * 3;
                normals[at] += b.x;
                normals[at + 1] += b.y;
                normals[at + 2] += b.z;
            }
        }
        for (int i = 0; i < normals.length; i += 3) {
            a.set(normals[i], normals[i + 1], normals[i + 2]);
            boolean none = a.lengthSquared() < 1e-30f;
            a.set(none ? 0 : a.x, none ? 1 : a.y, none ? 0 : a.z).normalize();
            normals[i] = a.x;
            normals[i + 1] = a.y;
            normals[i + 2] = a.z;
        }
        return normals;
    }

    /** Texture coordinates from the position, along the axis of the normal that dominates. */
    private static void project(float[] vertices, int at) {
        float nx = Math.abs(vertices[at + 3]);
        float ny = Math.abs(vertices[at + 4]);
        float nz = Math.abs(vertices[at + 5]);
        int u = nx > ny && nx > nz ? 2 : 0;
        int v = ny >= nx && ny > nz ? 2 : 1;
        vertices[at + 6] = vertices[at + u];
        vertices[at + 7] = -vertices[at + v];
    }
}
