package io.frameloom.rdg;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A buffer of the graph that outlives the frame. The executor fills it when the frame is executed; from then on the
 * buffer belongs to the application, which closes it or {@linkplain #recycle gives it back}. Any thread may ask for the
 * buffer.
 */
public final class BufferExtraction implements Extraction {
    private final String name;
    private volatile @Nullable Buffer buffer;
    private @Nullable Consumer<Resource> giveBack;

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

    /**
     * Gives the buffer back to the executor instead of closing it: a later frame that extracts one of an equal
     * description takes it. Only frames executed until now may use it. A second call does nothing.
     *
     * @throws IllegalStateException if the frame has not been executed yet
     */
    public synchronized void recycle() {
        Buffer extracted = buffer();
        Consumer<Resource> pool = giveBack;
        giveBack = null;
        if (pool != null) {
            pool.accept(extracted);
        }
    }

    void requireUnresolved() {
        if (buffer != null) {
            throw new IllegalStateException(
                    "buffer '" + name + "' was already extracted: declare a new graph per frame");
        }
    }

    synchronized void resolve(Buffer extracted, Consumer<Resource> pool) {
        buffer = extracted;
        giveBack = pool;
    }
}
