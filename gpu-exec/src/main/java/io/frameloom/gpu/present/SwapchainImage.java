package io.frameloom.gpu.present;

import io.frameloom.gpu.command.AcquiredImage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.resource.TextureLayout;

/**
 * An image of a swapchain from its acquisition to its presentation. The next acquisition of the same image is another
 * object with the same texture. Any thread.
 *
 * <p>Exactly one submission waits for the acquisition, before any use of the texture. This one or a later one signals
 * that the image may be presented, in {@link TextureLayout#PRESENT}. Then {@link Swapchain#present} is called ({@link
 * Submission#presenting}). Contents from before the acquisition are undefined.
 */
public interface SwapchainImage extends AcquiredImage {
    /** Returns the swapchain. */
    Swapchain swapchain();
}
