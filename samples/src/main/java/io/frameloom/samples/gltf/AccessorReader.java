package io.frameloom.samples.gltf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads accessors of every component type, strided, normalised and sparse. {@link AssetChecks} has checked their
 * extents.
 */
final class AccessorReader {
    static final int BYTE = 5120;
    static final int UNSIGNED_BYTE = 5121;
    static final int SHORT = 5122;
    static final int UNSIGNED_SHORT = 5123;
    static final int UNSIGNED_INT = 5125;
    static final int FLOAT = 5126;

    private final GltfDocument document;

    AccessorReader(GltfDocument document) {
        this.document = document;
    }

    /** Where elements lie: the first byte, and the bytes from one to the next. */
    private record Elements(ByteBuffer data, int offset, int stride) {}

    /** Returns the accessor that a reference names. */
    Json accessor(Json reference) throws ModelException {
        return document.root().at("accessors").at(reference.integer(0));
    }

    /** Returns the components of an element of the accessor that a reference names. */
    int components(Json reference) throws ModelException {
        return AssetChecks.components(accessor(reference).at("type").text(""));
    }

    /**
     * Returns all components as floats, what is normalised as fractions.
     *
     * @param reference the number of the accessor
     * @param what name of the accessor for messages
     * @throws ModelException if the elements have fewer or more components, or one is no number
     */
    float[] floats(Json reference, String what, int least, int most) throws ModelException {
        Json accessor = accessor(reference);
        int components = components(reference);
        if (components < least || components > most) {
            throw new ModelException("has a malformed " + what);
        }
        int count = accessor.at("count").integer(0);
        int type = accessor.at("componentType").integer(0);
        int bytes = AssetChecks.bytes(accessor.at("componentType"));
        boolean normalized = accessor.at("normalized").flag();
        if (type == UNSIGNED_INT) {
            throw new ModelException("has " + what + " of 32 bits, which glTF allows for indices alone");
        }
        Elements elements = elements(accessor, components * bytes);
        float[] values = new float[count * components];
        for (int i = 0; i < values.length; i++) {
            int at = elements.offset + i / components * elements.stride + i % components * bytes;
            if (type == FLOAT) {
                values[i] = elements.data.getFloat(at);
            } else {
                int one = (1 << (8 * bytes - (type == BYTE || type == SHORT ? 1 : 0))) - 1;
                int value = integer(elements.data, at, type);
                values[i] = normalized ? Math.max(-1, (float) value / one) : value;
            }
            if (!Float.isFinite(values[i])) {
                throw new ModelException("has a value of " + what + " that is no number");
            }
        }
        return values;
    }

    /**
     * Returns whole numbers; those of 32 bits are to be taken as unsigned.
     *
     * @param reference the number of the accessor
     * @param what name of the accessor for messages
     * @throws ModelException if the elements are of another type, or their components have signs or are floats
     */
    int[] integers(Json reference, String what, String type) throws ModelException {
        Json accessor = accessor(reference);
        String given = accessor.at("type").text("");
        if (!given.equals(type)) {
            throw new ModelException("has " + what + " of type " + given + " instead of " + type);
        }
        int component = accessor.at("componentType").integer(0);
        if (component == BYTE || component == SHORT) {
            throw new ModelException("has " + what + " with signs, which glTF does not allow");
        }
        if (component == FLOAT) {
            throw new ModelException("has " + what + " that are floats, which glTF does not allow");
        }
        int components = AssetChecks.components(type);
        int bytes = AssetChecks.bytes(accessor.at("componentType"));
        Elements elements = elements(accessor, components * bytes);
        int[] values = new int[accessor.at("count").integer(0) * components];
        for (int i = 0; i < values.length; i++) {
            int at = elements.offset + i / components * elements.stride + i % components * bytes;
            values[i] = integer(elements.data, at, component);
        }
        return values;
    }

    private Elements elements(Json accessor, int size) throws ModelException {
        Json sparse = accessor.at("sparse");
        Json number = accessor.at("bufferView");
        int count = accessor.at("count").integer(0);
        if (!number.present() && !sparse.present()) {
            return new Elements(ByteBuffer.allocate(size), 0, 0);
        }
        ByteBuffer dense = ByteBuffer.allocate(sparse.present() ? Math.multiplyExact(size, count) : 0)
                .order(ByteOrder.LITTLE_ENDIAN);
        if (number.present()) {
            ByteBuffer view = document.view(number.integer(0));
            int offset = accessor.at("byteOffset").integer(0);
            int stride = document.root()
                    .at("bufferViews")
                    .at(number.integer(0))
                    .at("byteStride")
                    .integer(size);
            if (!sparse.present()) {
                return new Elements(view, offset, stride);
            }
            for (int i = 0; i < count; i++) {
                dense.put(i * size, view, offset + i * stride, size);
            }
        }
        Json indices = sparse.at("indices");
        int type = indices.at("componentType").integer(0);
        if (type == BYTE || type == SHORT || type == FLOAT) {
            throw indices.at("componentType").malformed("these are no indices");
        }
        int bytes = AssetChecks.bytes(indices.at("componentType"));
        ByteBuffer places = document.view(indices.at("bufferView").integer(0));
        ByteBuffer values = document.view(sparse.at("values").at("bufferView").integer(0));
        int from = sparse.at("values").at("byteOffset").integer(0);
        for (int i = 0; i < sparse.at("count").integer(0); i++) {
            int at = integer(places, indices.at("byteOffset").integer(0) + i * bytes, type);
            if (at < 0 || at >= count) {
                throw new ModelException(
                        "has sparse index " + Integer.toUnsignedString(at) + " for " + count + " elements");
            }
            dense.put(at * size, values, from + i * size, size);
        }
        return new Elements(dense, 0, size);
    }

    private static int integer(ByteBuffer data, int at, int type) {
        return switch (type) {
            case BYTE -> data.get(at);
            case UNSIGNED_BYTE -> data.get(at) & 0xFF;
            case SHORT -> data.getShort(at);
            case UNSIGNED_SHORT -> data.getShort(at) & 0xFFFF;
            default -> data.getInt(at);
        };
    }
}
