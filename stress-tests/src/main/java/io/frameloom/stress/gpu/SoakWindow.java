package io.frameloom.stress.gpu;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.virtual.VirtualSurface;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A window without a display, which is resized and lost. One thread, when all frames that show in it are submitted. */
final class SoakWindow implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final GpuDevice device;
    private Surface surface;
    private Swapchain swapchain;
    private int width = 64;
    private int height = 64;
    private long lost;
    private long presented;

    SoakWindow(GpuDevice device) {
        this.device = device;
        surface = device.createHeadlessSurface("window", width, height);
        swapchain = device.createSwapchain("window", surface, description());
    }

    private SwapchainDescription description() {
        return SwapchainDescription.of(width, height).withUsages(TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_DST);
    }

    /** Gives the window another size. */
    void resize(int newWidth, int newHeight) {
        width = newWidth;
        height = newHeight;
        if (surface instanceof VirtualSurface virtual) {
            virtual.resize(width, height);
        }
        swapchain.recreate(width, height);
    }

    /** Loses the window, and opens another one. */
    void lose() {
        if (surface instanceof VirtualSurface virtual) {
            virtual.lose();
            SwapchainStatus status = swapchain.acquire(TIMEOUT).status();
            if (status != SwapchainStatus.SURFACE_LOST) {
                throw new IllegalStateException("a lost surface says " + status);
            }
        }
        swapchain.close();
        surface.close();
        surface = device.createHeadlessSurface("window", width, height);
        swapchain = device.createSwapchain("window", surface, description());
        lost++;
    }

    /** Returns the next image, or null in a frame that only makes the swapchain fit again. */
    @Nullable
    SwapchainImage acquire() {
        Swapchain.Acquisition acquisition = swapchain.acquire(TIMEOUT);
        if (acquisition.status().succeeded()) {
            return acquisition.requireImage();
        }
        presented(acquisition.status());
        return null;
    }

    /** Reacts to the result of a presentation. */
    void presented(SwapchainStatus status) {
        switch (status) {
            case OK -> presented++;
            case SUBOPTIMAL, OUT_OF_DATE -> swapchain.recreate(width, height);
            default -> throw new IllegalStateException("the window says " + status);
        }
    }

    String summary() {
        return presented + " images presented, " + lost + " lost surfaces";
    }

    @Override
    public void close() {
        swapchain.close();
        surface.close();
    }
}
