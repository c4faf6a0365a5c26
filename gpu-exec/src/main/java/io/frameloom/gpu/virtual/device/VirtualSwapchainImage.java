package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.device.ImageTurn;
import io.frameloom.gpu.present.ColorSpace;
import org.jspecify.annotations.Nullable;

/** A turn of an image of a virtual swapchain. */
final class VirtualSwapchainImage extends ImageTurn {
    private final Slot slot;

    /** An image with the work of its turns; nodes are touched by the thread of the virtual GPU alone. */
    static final class Slot {
        final VirtualTexture texture;
        final ColorSpace colorSpace;

        /** Number of the presentation under way, or of the last one. */
        long number;

        /** Whether the display has the image, or waits for it; under its lock. */
        boolean busy;

        /** What must be done before the next turn's work: the presentation of the last one. */
        @Nullable
        WorkNode presentation;

        /** What must be done before the image is presented. */
        @Nullable
        WorkNode signal;

        Slot(VirtualTexture texture, ColorSpace colorSpace) {
            this.texture = texture;
            this.colorSpace = colorSpace;
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
