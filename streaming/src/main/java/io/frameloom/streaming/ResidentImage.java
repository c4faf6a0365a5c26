package io.frameloom.streaming;

import io.frameloom.gpu.pipeline.BindlessSlot;
import io.frameloom.gpu.resource.Texture;
import org.jspecify.annotations.Nullable;

/**
 * The levels of a streamed texture that are in memory, from one on.
 *
 * @param texture image of these levels
 * @param slot its place in the table, if there is one
 * @param level the finest level, mip 0 of the image
 * @param bytes memory that it takes
 */
record ResidentImage(Texture texture, @Nullable BindlessSlot slot, int level, long bytes) {
    void close() {
        if (slot != null) {
            slot.close();
        }
        texture.close();
    }
}
