package io.frameloom.gpu.present;

/** The result of acquiring, presenting or recreating. The device works on after each of them. */
public enum SwapchainStatus {
    /** Done. */
    OK,
    /** Done, but the swapchain fits its surface no longer exactly; recreate it when convenient. */
    SUBOPTIMAL,
    /** The swapchain no longer fits its surface and gives no images; {@linkplain Swapchain#recreate recreate} it. */
    OUT_OF_DATE,
    /** No image became free in time. */
    TIMEOUT,
    /** The surface has no area, as that of a minimised window; recreate the swapchain when it has one again. */
    MINIMIZED,
    /**
     * The surface is gone, as that of a window that was destroyed; close swapchain and surface, and make new ones of
     * another window.
     */
    SURFACE_LOST;

    /** Returns whether an image was acquired, or taken for presentation, or images were made. */
    public boolean succeeded() {
        return this == OK || this == SUBOPTIMAL;
    }
}
