package io.frameloom.samples.gltf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** The container format of binary glTF 2.0 (section "GLB File Format" of the specification). */
final class GlbContainer {
    private static final int MAGIC = 0x46546C67;
    private static final int JSON = 0x4E4F534A;
    private static final int BINARY = 0x004E4942;
    private static final int HEADER_BYTES = 12;
    private static final int CHUNK_HEADER_BYTES = 8;

    private GlbContainer() {}

    /**
     * What a file consists of.
     *
     * @param json the text
     * @param binary the binary chunk, or null without one
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Chunks(byte[] json, @Nullable ByteBuffer binary) {}

    /**
     * Splits a file; one that does not begin as binary glTF is text as a whole.
     *
     * @throws ModelException saying what is wrong, without the name of the file
     */
    static Chunks split(byte[] file) throws ModelException {
        ByteBuffer data = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        if (file.length < Integer.BYTES || data.getInt(0) != MAGIC) {
            return new Chunks(file, null);
        }
        if (file.length < HEADER_BYTES + CHUNK_HEADER_BYTES) {
            throw new ModelException("is no binary glTF file: it has only " + file.length + " bytes");
        }
        int version = data.getInt(4);
        if (version != 2) {
            throw new ModelException(
                    "is glTF version " + Integer.toUnsignedString(version) + "; version 2 is supported");
        }
        long length = Integer.toUnsignedLong(data.getInt(8));
        if (length > file.length) {
            throw new ModelException("is truncated: " + file.length + " of " + length + " bytes");
        }
        data.position(HEADER_BYTES);
        byte[] json = null;
        ByteBuffer binary = null;
        while (data.position() < length) {
            if (length - data.position() < CHUNK_HEADER_BYTES) {
                throw new ModelException("is corrupt: a chunk header is cut off");
            }
            long bytes = Integer.toUnsignedLong(data.getInt());
            int type = data.getInt();
            if (json == null && type != JSON) {
                throw new ModelException("is corrupt: its first chunk is not JSON");
            }
            if (bytes > length - data.position()) {
                throw new ModelException("is corrupt: a chunk of " + bytes + " bytes exceeds the file");
            }
            ByteBuffer chunk = data.slice(data.position(), (int) bytes);
            if (json == null) {
                json = new byte[(int) bytes];
                chunk.get(json);
            } else if (binary == null && type == BINARY) {
                binary = chunk;
            }
            data.position(data.position() + (int) bytes);
        }
        if (json == null) {
            throw new ModelException("is corrupt: it has no chunk");
        }
        return new Chunks(json, binary);
    }
}
