package io.frameloom.rdg;

import io.frameloom.gpu.resource.Buffer;

/** A buffer of the graph that outlives the frame: see {@link RdgExtraction}. */
public final class BufferExtraction extends RdgExtraction<Buffer> {
    BufferExtraction(String name) {
        super("buffer", name);
    }

    /**
     * Returns the buffer.
     *
     * @throws IllegalStateException if the frame has not been executed yet
     */
    public Buffer buffer() {
        return resource();
    }
}
