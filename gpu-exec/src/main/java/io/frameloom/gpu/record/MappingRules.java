package io.frameloom.gpu.record;

import io.frameloom.gpu.resource.Buffer;

/** The checks of mapped memory of buffers. Stateless; any thread. */
public final class MappingRules {
    private MappingRules() {}

    /**
     * Checks that all of a buffer can be seen at once.
     *
     * @param visible whether the host sees its memory
     */
    public static void whole(Buffer buffer, boolean visible) {
        require(buffer, visible);
        long size = buffer.description().bytes();
        if (size > Integer.MAX_VALUE) {
            throw new IllegalStateException("buffer '" + buffer.name() + "' of " + size
                    + " bytes is too large to be seen as one ByteBuffer, which has at most " + Integer.MAX_VALUE
                    + "; see parts of it by mapped(offset, bytes)");
        }
    }

    /**
     * Checks that a part of a buffer can be seen.
     *
     * @param visible whether the host sees its memory
     */
    public static void part(Buffer buffer, boolean visible, long offset, int bytes) {
        require(buffer, visible);
        long size = buffer.description().bytes();
        if (offset < 0 || bytes < 0 || offset > size - bytes) {
            throw new IllegalArgumentException("part " + offset + "+" + bytes + " that is to be mapped is not within"
                    + " buffer '" + buffer.name() + "' of " + size + " bytes");
        }
    }

    private static void require(Buffer buffer, boolean visible) {
        if (!visible) {
            throw new IllegalStateException("buffer '" + buffer.name() + "' is in "
                    + buffer.description().memory()
                    + " memory, which the host does not see; copy through an UPLOAD or READBACK buffer");
        }
        if (buffer.isClosed()) {
            throw new IllegalStateException("buffer '" + buffer.name() + "' is closed");
        }
    }
}
