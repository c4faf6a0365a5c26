package io.frameloom.gpu.present;

/** When a presented image reaches the surface ("VkPresentModeKHR" in the Vulkan specification, "WSI Swapchain"). */
public enum PresentMode {
    /** At once; the picture may tear. */
    IMMEDIATE,
    /** At the next vertical blank; a newer image takes the place of one that waits. */
    MAILBOX,
    /** At the next vertical blanks, in order. Every surface has it. */
    FIFO,
    /** As {@link #FIFO}, but an image that is late is shown at once and may tear. */
    FIFO_RELAXED
}
