package io.frameloom.gpu.present;

import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The wished properties of a swapchain. Of formats and modes the first that the surface supports is taken; usages are
 * required.
 *
 * @param width width in texels where the surface leaves it to the swapchain, at least 0
 * @param height height in texels, likewise
 * @param formats formats, the best first; the surface's favourite if it supports none of them
 * @param presentModes present modes, the best first; {@link PresentMode#FIFO} if the surface supports none of them
 * @param images number of images, at least 1; the surface may ask for more or allow only fewer
 * @param usages what the images are used for; not empty
 */
public record SwapchainDescription(
        int width,
        int height,
        List<Format> formats,
        List<PresentMode> presentModes,
        int images,
        Set<TextureUsage> usages) {
    private static final int IMAGES = 3;

    /** Checks the numbers and copies the collections. */
    public SwapchainDescription {
        requireExtent(width, height);
        if (images < 1) {
            throw new IllegalArgumentException("a swapchain has at least 1 image, got " + images);
        }
        if (usages.isEmpty()) {
            throw new IllegalArgumentException(
                    "the images of a swapchain need a usage; COLOR_ATTACHMENT for rendering");
        }
        formats = List.copyOf(formats);
        presentModes = List.copyOf(presentModes);
        usages = Collections.unmodifiableSet(EnumSet.copyOf(usages));
    }

    /** Returns the description of three images to render to, sRGB encoded where possible, in the order of FIFO. */
    public static SwapchainDescription of(int width, int height) {
        return new SwapchainDescription(
                width,
                height,
                List.of(Format.B8G8R8A8_SRGB, Format.R8G8B8A8_SRGB),
                List.of(),
                IMAGES,
                EnumSet.of(TextureUsage.COLOR_ATTACHMENT));
    }

    /** As this, with other wishes for the format, the best first. */
    public SwapchainDescription withFormats(Format... wished) {
        return new SwapchainDescription(width, height, List.of(wished), presentModes, images, usages);
    }

    /** As this, with other wishes for the present mode, the best first. */
    public SwapchainDescription withPresentModes(PresentMode... wished) {
        return new SwapchainDescription(width, height, formats, List.of(wished), images, usages);
    }

    /** As this, with another number of images. */
    public SwapchainDescription withImages(int count) {
        return new SwapchainDescription(width, height, formats, presentModes, count, usages);
    }

    /** As this, with images of another usage. */
    public SwapchainDescription withUsages(TextureUsage first, TextureUsage... more) {
        return new SwapchainDescription(width, height, formats, presentModes, images, EnumSet.of(first, more));
    }

    /** As this, with another extent. */
    public SwapchainDescription withExtent(int newWidth, int newHeight) {
        return new SwapchainDescription(newWidth, newHeight, formats, presentModes, images, usages);
    }

    private static void requireExtent(int width, int height) {
        if (width < 0 || height < 0) {
            throw new IllegalArgumentException(
                    "the extent of a swapchain is at least 0x0, got " + width + "x" + height);
        }
    }
}
