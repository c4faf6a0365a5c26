package io.frameloom.samples.gltf;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Writes a glTF file of a few triangles: values as accessors, and the rest of its JSON as text. */
public final class SmallModel {
    static final int BYTE = 5120;
    static final int UNSIGNED_BYTE = 5121;
    static final int SHORT = 5122;
    static final int UNSIGNED_SHORT = 5123;
    static final int UNSIGNED_INT = 5125;
    static final int FLOAT = 5126;

    private static final String BUFFER = "{\"byteLength\":%d%s}";

    private final ByteArrayOutputStream binary = new ByteArrayOutputStream();
    private final List<String> views = new ArrayList<>();
    private final List<String> accessors = new ArrayList<>();

    /** Adds bytes; returns the number of their buffer view. {@code more} begins with a comma if there is any. */
    int view(byte[] data, String more) {
        while (binary.size() % 4 != 0) {
            binary.write(0);
        }
        views.add("{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d%s}".formatted(binary.size(), data.length, more));
        binary.writeBytes(data);
        return views.size() - 1;
    }

    public int view(byte[] data) {
        return view(data, "");
    }

    /** Returns numbers in the bytes of a component type. */
    public static byte[] bytes(int component, double... values) {
        ByteBuffer data = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
        for (double value : values) {
            switch (component) {
                case BYTE, UNSIGNED_BYTE -> data.put((byte) (int) value);
                case SHORT, UNSIGNED_SHORT -> data.putShort((short) (int) value);
                case FLOAT -> data.putFloat((float) value);
                default -> data.putInt((int) (long) value);
            }
        }
        byte[] bytes = new byte[data.position()];
        data.flip().get(bytes);
        return bytes;
    }

    /** Adds an accessor as JSON. */
    int accessor(int component, String type, int count, String more) {
        accessors.add("{\"componentType\":%d,\"type\":\"%s\",\"count\":%d%s}".formatted(component, type, count, more));
        return accessors.size() - 1;
    }

    /** Adds values in a view of their own. */
    int accessor(int component, String type, String more, double... values) {
        int components = switch (type) {
            case "SCALAR" -> 1;
            case "MAT4" -> 16;
            default -> type.charAt(3) - '0';
        };
        return accessor(
                component,
                type,
                values.length / components,
                ",\"bufferView\":" + view(bytes(component, values)) + more);
    }

    public int floats(String type, double... values) {
        return accessor(FLOAT, type, "", values);
    }

    /** Adds three corners, (0,0,0), (1,0,0) and (0,1,0), whose normal is (0,0,1). */
    int triangle() {
        return floats("VEC3", 0, 0, 0, 1, 0, 0, 0, 1, 0);
    }

    /** Returns the JSON of one node with one mesh of one primitive, and what {@code more} adds after a comma. */
    static String one(String primitive, String more) {
        return "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"name\":\"m\",\"primitives\":[{%s}]}]%s"
                .formatted(primitive, more);
    }

    public byte[] glb(String rest) {
        return TestModel.container(json(rest, ""), binary.toByteArray());
    }

    /** Returns the JSON with its buffer elsewhere. */
    String gltf(String rest, String uri) {
        return json(rest, ",\"uri\":\"" + uri + "\"");
    }

    byte[] binary() {
        return binary.toByteArray();
    }

    private String json(String rest, String uri) {
        return "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[%s],\"bufferViews\":[%s],\"buffers\":[%s],%s}"
                .formatted(
                        String.join(",", accessors),
                        String.join(",", views),
                        BUFFER.formatted(binary.size(), uri),
                        rest);
    }
}
