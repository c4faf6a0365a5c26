package io.frameloom.rdg;

import io.frameloom.gpu.resource.Resource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A resource of the graph that outlives the frame. The executor fills it when the frame is executed; from then on the
 * resource belongs to the application, which closes it or {@linkplain #recycle gives it back}. Any thread may ask for
 * it.
 *
 * @param <R> texture or buffer
 */
public abstract sealed class RdgExtraction<R extends Resource> implements Extraction
        permits TextureExtraction, BufferExtraction {
    private final String kind;
    private final String name;
    private volatile @Nullable R resource;
    private @Nullable Consumer<Resource> giveBack;

    RdgExtraction(String kind, String name) {
        this.kind = kind;
        this.name = name;
    }

    @Override
    public final String name() {
        return name;
    }

    final R resource() {
        R extracted = resource;
        if (extracted == null) {
            throw new IllegalStateException(kind + " '" + name
                    + "' is extracted when its frame is executed: ask for it after FrameExecutor.execute");
        }
        return extracted;
    }

    /**
     * Gives the resource back to the executor instead of closing it: a later frame that extracts one of an equal
     * description takes it. Only frames executed until now may use it. A second call does nothing.
     *
     * @throws IllegalStateException if the frame has not been executed yet
     */
    public final synchronized void recycle() {
        R extracted = resource();
        Consumer<Resource> pool = giveBack;
        giveBack = null;
        if (pool != null) {
            pool.accept(extracted);
        }
    }

    final void requireUnresolved() {
        if (resource != null) {
            throw new IllegalStateException(
                    kind + " '" + name + "' was already extracted: declare a new graph per frame");
        }
    }

    @SuppressWarnings("unchecked") // a texture for a texture, a buffer for a buffer
    final synchronized void resolve(Resource extracted, Consumer<Resource> pool) {
        resource = (R) extracted;
        giveBack = pool;
    }
}
