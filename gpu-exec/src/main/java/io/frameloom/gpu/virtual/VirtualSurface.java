package io.frameloom.gpu.virtual;

import io.frameloom.gpu.present.ColorSpace;
import io.frameloom.gpu.present.HdrMetadata;
import io.frameloom.gpu.present.PresentMode;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.resource.Format;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A surface of the virtual device. It shows nothing, and keeps the newest image presented to it. A test may resize,
 * minimise and lose it like a window, or let {@link VirtualGpuOptions#withSurfaceFault} do so. Any thread.
 *
 * <p>An image is displayed as soon as it is ready, unless the surface has a {@linkplain #simulateDisplay display}.
 */
public interface VirtualSurface extends Surface {
    /**
     * An image as it was when it reached the surface.
     *
     * @param number number of the presentation on this surface, from 1
     * @param width width in texels
     * @param height height in texels
     * @param colorSpace colour space
     * @param texels rows from the top, tightly packed, read-only
     * @param nanos time on the clock of the display, 0 without one
     */
    record Presented(
            long number, int width, int height, Format format, ColorSpace colorSpace, ByteBuffer texels, long nanos) {}

    /**
     * Gives the surface a display with a clock that stands still until it is {@linkplain #advance advanced}. Images are
     * displayed as their {@link PresentMode} says: with FIFO one at each vertical blank, with MAILBOX the newest one at
     * the next, with IMMEDIATE each when it is ready. An image is acquired again when it is displayed no longer.
     *
     * @param period time between two vertical blanks, the first after one period
     * @throws IllegalStateException if the surface has a swapchain
     */
    void simulateDisplay(Duration period);

    /**
     * Lets time pass on the clock of the display. Before, the virtual GPU finishes what it was given. Images that reach
     * a vertical blank are reported, and threads that wait for an image go on.
     *
     * @throws IllegalStateException if there is no display
     */
    void advance(Duration time);

    /** Returns how many images were presented and wait to be displayed; 0 without a display. */
    int queued();

    /** Returns how the last swapchain has {@linkplain io.frameloom.gpu.present.Swapchain#setHdrMetadata described} its pictures, or null. */
    @Nullable
    HdrMetadata hdrMetadata();

    /** Sets the extent, as when a window is resized; 0x0 minimises it. Its swapchain goes out of date. */
    void resize(int newWidth, int newHeight);

    /** Loses the surface for good, as when its window is destroyed. */
    void lose();

    /**
     * Returns the newest image that has reached the surface, or null if none has. Makes the virtual GPU present
     * everything that was handed over so far.
     */
    @Nullable
    Presented newest();

    /**
     * Reports every image that reaches the surface to {@code whom}, on the thread of the virtual GPU; it must not wait.
     */
    void onPresented(Consumer<Presented> whom);
}
