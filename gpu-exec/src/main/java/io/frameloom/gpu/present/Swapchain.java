package io.frameloom.gpu.present;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.Format;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The images that take turns on a surface.
 *
 * <p>{@link #acquire} gives an image that the presentation engine may still be reading. The first submission that uses
 * it {@linkplain Submission#presenting waits} for the engine at a stage. The last one signals, and {@link #present}
 * hands the image over after that signal. These are the binary semaphores of Vulkan; the application sees none of them.
 * Source: the Vulkan specification, chapter "Window System Integration (WSI)", section "WSI Swapchain".
 *
 * <p>Any thread may call any method, and {@link #present} never waits for an {@link #acquire} that waits for it. Events
 * that can happen to a window at any time are a {@link SwapchainStatus}, not an exception; the device works on after
 * each of them.
 */
public interface Swapchain extends AutoCloseable {
    /** Returns the debug name. */
    String name();

    /** Returns the surface. */
    Surface surface();

    /** Returns the format of the images. */
    Format format();

    /** Returns the colour space of the images. */
    ColorSpace colorSpace();

    /** Returns the present mode. */
    PresentMode presentMode();

    /** Returns the width of the images in texels, 0 while the surface has no area. */
    int width();

    /** Returns the height of the images in texels, 0 while the surface has no area. */
    int height();

    /**
     * Returns whether the device reports when an image is displayed. The limit of the {@linkplain
     * SwapchainDescription#withMaximumFrameLatency frame latency} then counts what is displayed, else it is kept by a
     * small number of images. True with {@link
     * io.frameloom.gpu.Capability#PRESENT_WAIT}, and on the virtual GPU.
     */
    boolean reportsDisplay();

    /**
     * Describes the pictures to the display from the next presentation on, for {@link ColorSpace#HDR10_ST2084}; also
     * after the swapchain is recreated.
     *
     * @return whether the device passes it on; false without {@link
     *     io.frameloom.gpu.Capability#HDR_METADATA}, where nothing changes; the virtual GPU always does
     */
    boolean setHdrMetadata(HdrMetadata metadata);

    /** Returns the number of images, 0 while there are none. */
    int imageCount();

    /** Returns the queue that presents: the first that can. */
    GpuQueue presentQueue();

    /**
     * The result of an acquisition.
     *
     * @param status OK or SUBOPTIMAL with an image; OUT_OF_DATE, TIMEOUT, MINIMIZED or SURFACE_LOST without
     * @param image the image, or null
     */
    record Acquisition(SwapchainStatus status, @Nullable SwapchainImage image) {
        /**
         * Returns the image.
         *
         * @throws IllegalStateException if there is none
         */
        public SwapchainImage requireImage() {
            if (image == null) {
                throw new IllegalStateException(
                        "no image was acquired (" + status + "); look at the status before asking for the image");
            }
            return image;
        }
    }

    /**
     * Takes the next image.
     *
     * @param timeout how long to wait for one; zero returns at once
     * @throws DeviceLostException if the device is lost
     * @throws GpuException if the driver refuses; no image is acquired then
     */
    Acquisition acquire(Duration timeout);

    /**
     * Presents an image when the submission that signals it has done so, in the order of the calls. If host memory runs
     * out, the image stays with the caller, who may try again; otherwise it is given back, whatever the status.
     *
     * @return OK, SUBOPTIMAL, OUT_OF_DATE or SURFACE_LOST
     * @throws IllegalStateException if no submission has signalled the image, or it was presented before, or the
     *     swapchain was recreated since
     * @throws DeviceLostException if the device is lost
     */
    SwapchainStatus present(SwapchainImage image);

    /**
     * Replaces the images by ones that fit the surface as it is now. Images that are acquired and not presented are
     * taken back: submit nothing that names them. Waits until the device has completed what was submitted.
     *
     * @param width width in texels where the surface leaves it to the swapchain
     * @param height height in texels, likewise
     * @return OK; MINIMIZED or SURFACE_LOST, and then there are no images
     * @throws GpuException if the driver refuses; there are no images then, and another call may succeed
     */
    SwapchainStatus recreate(int width, int height);

    /** Returns whether the swapchain has been closed. */
    boolean isClosed();

    /**
     * Waits until the device has completed what was submitted, and destroys the swapchain with its images, acquired
     * ones included; a second call does nothing.
     */
    @Override
    void close();
}
