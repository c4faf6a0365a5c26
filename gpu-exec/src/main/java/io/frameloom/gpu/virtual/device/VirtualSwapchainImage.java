package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.device.ImageTurn;
import org.jspecify.annotations.Nullable;

/** A turn of an image of a virtual swapchain. */
final class VirtualSwapchainImage extends ImageTurn {
    private final Slot slot;

    /** An image with the work of its turns; nodes are touched by the thread of the virtual GPU alone. */
    static final class Slot {
        final VirtualTexture texture;

        /** What must be done before the next turn's work: the presentation of the last one. */
        @Nullable
        WorkNode presentation;

        /** What must be done before the image is presented. */
        @Nullable
        WorkNode signal;

        Slot(VirtualTexture texture) {
            this.texture = texture;
        }
    }

    VirtualSwapchainImage(SimulatedDevice device, VirtualSwapchain swapchain, int index, Slot slot) {
        super(device, swapchain, index, slot.texture);
        this.slot = slot;
    }

    Slot slot() {
        return slot;
    }
}
