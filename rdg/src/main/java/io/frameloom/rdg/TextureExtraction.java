package io.frameloom.rdg;

import io.frameloom.gpu.Texture;
import org.jspecify.annotations.Nullable;

/**
 * A texture of the graph that outlives the frame. The executor fills it when the frame is executed; from then on the texture
 * belongs to the application, which closes it. Any thread may ask for the texture.
 */
public final class TextureExtraction implements Extraction {
    private final String name;
    private volatile @Nullable Texture texture;

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

    void resolve(Texture extracted) {
        if (texture != null) {
            throw new IllegalStateException(
                    "texture '" + name + "' was already extracted: declare a new graph per frame");
        }
        texture = extracted;
    }
}
