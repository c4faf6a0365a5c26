package io.frameloom.rdg;

/**
 * A range of a buffer of a graph. Passes declare it like a buffer and bind its offset and length. Made and kept by
 * {@link RdgBuffer#view}; immutable, any thread.
 */
public final class RdgBufferView {
    private final RdgBuffer buffer;
    private final long offset;
    private final long bytes;

    RdgBufferView(RdgBuffer buffer, long offset, long bytes) {
        this.buffer = buffer;
        this.offset = offset;
        this.bytes = bytes;
    }

    /** Returns the buffer. */
    public RdgBuffer buffer() {
        return buffer;
    }

    /** Returns the first byte. */
    public long offset() {
        return offset;
    }

    /** Returns the length. */
    public long bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return buffer + " " + offset + "+" + bytes;
    }
}
