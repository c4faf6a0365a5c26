package io.frameloom.gpu.present;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a surface can do on a device ("Querying for WSI Support" and "Surface Queries" in the Vulkan specification).
 *
 * @param formats texel formats and colour spaces, the device's favourite first
 * @param presentModes present modes; {@link PresentMode#FIFO} is always among them
 * @param minImages fewest images of a swapchain
 * @param maxImages most images, {@link Integer#MAX_VALUE} for no limit
 * @param width width in texels, 0 while the surface has no area, {@link #ANY} if the swapchain decides
 * @param height height in texels, likewise
 * @param maxWidth largest width of a swapchain
 * @param maxHeight largest height of a swapchain
 * @param usages what images may be used for
 * @param queues queues that can present, in the order of {@link GpuDevice#queues}; empty if the device cannot
 */
public record SurfaceSupport(
        List<SurfaceFormat> formats,
        Set<PresentMode> presentModes,
        int minImages,
        int maxImages,
        int width,
        int height,
        int maxWidth,
        int maxHeight,
        Set<TextureUsage> usages,
        List<GpuQueue> queues) {
    /** The extent of a surface that takes that of its swapchain. */
    public static final int ANY = -1;

    public SurfaceSupport {
        formats = List.copyOf(formats);
        EnumSet<PresentMode> modes = EnumSet.of(PresentMode.FIFO);
        modes.addAll(presentModes);
        presentModes = Collections.unmodifiableSet(modes);
        EnumSet<TextureUsage> used = EnumSet.noneOf(TextureUsage.class);
        used.addAll(usages);
        usages = Collections.unmodifiableSet(used);
        queues = List.copyOf(queues);
    }

    /** Returns whether the surface has no area now, as that of a minimised window: no swapchain can have images. */
    public boolean isMinimized() {
        return width == 0 || height == 0 || maxWidth == 0 || maxHeight == 0;
    }
}
