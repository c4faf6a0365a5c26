package io.frameloom.rdg;

import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A texture of the graph that outlives the frame. The executor fills it when the frame is executed; from then on the
 * texture belongs to the application, which closes it or {@linkplain #recycle gives it back}. Any thread may ask for
 * the texture.
 */
public final class TextureExtraction implements Extraction {
    private final String name;
    private volatile @Nullable Texture texture;
    private @Nullable Consumer<Resource> giveBack;

    TextureExtraction(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Returns the texture.
     *
     * @throws IllegalStateException if the frame has not been executed yet
     */
    public Texture texture() {
        Texture extracted = texture;
        if (extracted == null) {
            throw new IllegalStateException("texture '" + name
                    + "' is extracted when its frame is executed: ask for it after FrameExecutor.execute");
        }
        return extracted;
    }

    /**
     * Gives the texture back to the executor instead of closing it: a later frame that extracts one of an equal
     * description takes it. Only frames executed until now may use it. A second call does nothing.
     *
     * @throws IllegalStateException if the frame has not been executed yet
     */
    public synchronized void recycle() {
        Texture extracted = texture();
        Consumer<Resource> pool = giveBack;
        giveBack = null;
        if (pool != null) {
            pool.accept(extracted);
        }
    }

    void requireUnresolved() {
        if (texture != null) {
            throw new IllegalStateException(
                    "texture '" + name + "' was already extracted: declare a new graph per frame");
        }
    }

    synchronized void resolve(Texture extracted, Consumer<Resource> pool) {
        texture = extracted;
        giveBack = pool;
    }
}
