package io.frameloom.samples.gltf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The container format of binary glTF 2.0 (section "GLB File Format" of the specification): checked before parsing. */
final class GlbContainer {
    private static final int MAGIC = 0x46546C67;
    private static final int JSON = 0x4E4F534A;
    private static final int HEADER_BYTES = 12;
    private static final int CHUNK_HEADER_BYTES = 8;

    private GlbContainer() {}

    /**
     * Checks header and chunks.
     *
     * @throws ModelException saying what is wrong, without the name of the file
     */
    static void check(byte[] file) throws ModelException {
        ByteBuffer data = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        if (file.length < HEADER_BYTES + CHUNK_HEADER_BYTES) {
            throw new ModelException("is no binary glTF file: it has only " + file.length + " bytes");
        }
        if (data.getInt() != MAGIC) {
            throw new ModelException("is no binary glTF file: it does not begin with 'glTF'");
        }
        int version = data.getInt();
        if (version != 2) {
            throw new ModelException(
                    "is glTF version " + Integer.toUnsignedString(version) + "; version 2 is supported");
        }
        long length = Integer.toUnsignedLong(data.getInt());
        if (length > file.length) {
            throw new ModelException("is truncated: " + file.length + " of " + length + " bytes");
        }
        boolean first = true;
        while (data.position() < length) {
            if (length - data.position() < CHUNK_HEADER_BYTES) {
                throw new ModelException("is corrupt: a chunk header is cut off");
            }
            long bytes = Integer.toUnsignedLong(data.getInt());
            int type = data.getInt();
            if (first && type != JSON) {
                throw new ModelException("is corrupt: its first chunk is not JSON");
            }
            if (bytes > length - data.position()) {
                throw new ModelException("is corrupt: a chunk of " + bytes + " bytes exceeds the file");
            }
            data.position(data.position() + (int) bytes);
            first = false;
        }
    }
}
