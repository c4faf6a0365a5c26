package io.frameloom.gpu.virtual;

import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.resource.Format;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A surface of the virtual device. It shows nothing, and keeps the newest image presented to it. A test may resize,
 * minimise and lose it like a window, or let {@link VirtualGpuOptions#withSurfaceFault} do so. Any thread.
 */
public interface VirtualSurface extends Surface {
    /**
     * An image as it was when it reached the surface.
     *
     * @param number number of the image on this surface, from 1
     * @param width width in texels
     * @param height height in texels
     * @param format format
     * @param texels rows from the top, tightly packed, read-only
     */
    record Presented(long number, int width, int height, Format format, ByteBuffer texels) {}

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
