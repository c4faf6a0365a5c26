package io.frameloom.rdg;

import io.frameloom.gpu.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * A buffer of the graph that outlives the frame. The executor fills it when the frame is executed; from then on the buffer
 * belongs to the application, which closes it. Any thread may ask for the buffer.
 */
public final class BufferExtraction implements Extraction {
    private final String name;
    private volatile @Nullable Buffer buffer;

    BufferExtraction(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Returns the buffer.
     *
     * @throws IllegalStateException if the frame has not been executed yet
     */
    public Buffer buffer() {
        Buffer extracted = buffer;
        if (extracted == null) {
            throw new IllegalStateException("buffer '" + name
                    + "' is extracted when its frame is executed: ask for it after FrameExecutor.execute");
        }
        return extracted;
    }

    void resolve(Buffer extracted) {
        if (buffer != null) {
            throw new IllegalStateException(
                    "buffer '" + name + "' was already extracted: declare a new graph per frame");
        }
        buffer = extracted;
    }
}
