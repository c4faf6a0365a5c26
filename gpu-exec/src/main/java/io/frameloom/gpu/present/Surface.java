package io.frameloom.gpu.present;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.error.SurfaceLostException;

/**
 * A place where pictures are shown: a window, a display, or nothing at all. Any thread.
 *
 * <p>One surface has at most one {@linkplain GpuDevice#createSwapchain swapchain} at a time, which is closed before it.
 */
public interface Surface extends AutoCloseable {
    /** Returns the debug name. */
    String name();

    /**
     * Queries what the surface can do now; the extent of a window changes whenever its user wants.
     *
     * @throws SurfaceLostException if the surface is gone
     */
    SurfaceSupport support();

    /** Returns whether the surface has been closed. */
    boolean isClosed();

    /**
     * Destroys the surface, unless an engine owns its handle; a second call does nothing.
     *
     * @throws IllegalStateException if it still has a swapchain
     */
    @Override
    void close();
}
