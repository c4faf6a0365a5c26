package io.frameloom.streaming;

import io.frameloom.gpu.pipeline.BindlessSlot;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureView;
import org.jspecify.annotations.Nullable;

/**
 * The levels of a streamed texture that are in memory, from one on.
 *
 * @param view view of these levels, all of its image unless that is sparse
 * @param slot its place in the table, if there is one
 * @param level the finest level, mip 0 of the view
 */
record ResidentImage(TextureView view, @Nullable BindlessSlot slot, int level) {
    Texture texture() {
        return view.texture();
    }

    /** Returns the mip of the image that a level of the texture is. */
    int mip(int ofLevel) {
        return view.range().baseMip() + ofLevel - level;
    }

    /** Frees the image, or the view alone: a sparse image has other views before and after it. */
    void close() {
        if (slot != null) {
            slot.close();
        }
        if (texture().sparse() == null) {
            texture().close();
        }
    }
}
