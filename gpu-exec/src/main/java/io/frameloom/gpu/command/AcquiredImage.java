package io.frameloom.gpu.command;

import io.frameloom.gpu.resource.Texture;

/**
 * An image that a swapchain has lent to the application. A submission waits for its acquisition, and signals that it
 * may be presented. Any thread.
 */
public interface AcquiredImage {
    /** Returns the index of the image in its swapchain. */
    int index();

    /** Returns the texture; the swapchain's, which closes it when it is recreated or closed. */
    Texture texture();
}
