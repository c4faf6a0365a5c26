package io.frameloom.gpu.device;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.present.ColorSpace;
import io.frameloom.gpu.present.PresentMode;
import io.frameloom.gpu.present.SurfaceFormat;
import io.frameloom.gpu.present.SurfaceSupport;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The properties chosen for a swapchain on a surface, from its wishes.
 *
 * @param format format and colour space
 * @param images number of images to ask for
 * @param width width in texels, 0 if the surface has no area
 * @param height height in texels, 0 if the surface has no area
 */
public record SwapchainChoice(
        SurfaceFormat format, PresentMode mode, int images, int width, int height, GpuQueue queue) {
    /**
     * Chooses.
     *
     * @param reportsDisplay whether the device reports what is displayed; else few images limit the latency
     * @throws GpuException if no queue can present, or the surface has no format that is known or that may be taken
     * @throws IllegalArgumentException if the images cannot be used as asked
     */
    public static SwapchainChoice of(
            String name, SwapchainDescription wished, SurfaceSupport support, boolean reportsDisplay) {
        if (support.queues().isEmpty()) {
            throw new GpuException(
                    "swapchain '" + name + "': no queue of the device can present to the surface; open another device");
        }
        if (support.formats().isEmpty()) {
            throw new GpuException("swapchain '" + name + "': the surface has none of the formats that are known");
        }
        Set<TextureUsage> missing = EnumSet.copyOf(wished.usages());
        missing.removeAll(support.usages());
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("swapchain '" + name + "': the images of the surface cannot be used as "
                    + missing + ", only as " + support.usages());
        }
        SurfaceFormat format = format(name, wished.formats(), support.formats());
        PresentMode mode = wished.presentModes().stream()
                .filter(support.presentModes()::contains)
                .findFirst()
                .orElse(PresentMode.FIFO);
        // One image is displayed, each other one may wait for that.
        int fits = reportsDisplay ? wished.images() : Math.min(wished.images() - 1, wished.maximumFrameLatency()) + 1;
        int images = Math.min(Math.max(fits, support.minImages()), support.maxImages());
        int width = extent(support.width(), wished.width(), support.maxWidth());
        int height = extent(support.height(), wished.height(), support.maxHeight());
        boolean empty = support.isMinimized() || width == 0 || height == 0;
        return new SwapchainChoice(
                format,
                mode,
                images,
                empty ? 0 : width,
                empty ? 0 : height,
                support.queues().get(0));
    }

    private static SurfaceFormat format(String name, List<SurfaceFormat> wished, List<SurfaceFormat> offered) {
        for (SurfaceFormat wish : wished) {
            if (offered.contains(wish)) {
                return wish;
            }
        }
        boolean mayBeSrgb = wished.isEmpty() || wished.stream().anyMatch(SwapchainChoice::isSrgb);
        return offered.stream()
                .filter(offer -> mayBeSrgb && isSrgb(offer))
                .findFirst()
                .orElseThrow(() -> new GpuException("swapchain '" + name + "': the surface does not have " + wished
                        + ", only " + offered + "; wish for one of these"));
    }

    private static boolean isSrgb(SurfaceFormat format) {
        return format.colorSpace() == ColorSpace.SRGB;
    }

    public boolean hasArea() {
        return width > 0;
    }

    private static int extent(int ofSurface, int wished, int largest) {
        return ofSurface == SurfaceSupport.ANY ? Math.min(wished, largest) : ofSurface;
    }
}
