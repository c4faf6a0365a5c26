package io.frameloom.gpu.present;

import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The wished properties of a swapchain. Of formats and modes the first that the surface supports is taken; usages are
 * required.
 *
 * <p>If the surface supports none of the formats, it gets its favourite one in {@link ColorSpace#SRGB}. Wishes that name
 * no format in SRGB are refused instead: what is rendered for another space would look wrong.
 *
 * @param width width in texels where the surface leaves it to the swapchain, at least 0
 * @param height height in texels, likewise
 * @param formats formats and colour spaces, the best first
 * @param presentModes present modes, the best first; {@link PresentMode#FIFO} if the surface supports none of them
 * @param images number of images, at least 1; the surface may ask for more or allow only fewer
 * @param usages what the images are used for; not empty
 * @param maximumFrameLatency frames between their acquisition and the display at most, as {@link
 *     #withMaximumFrameLatency} says; {@link #UNLIMITED}, or at least 1
 */
public record SwapchainDescription(
        int width,
        int height,
        List<SurfaceFormat> formats,
        List<PresentMode> presentModes,
        int images,
        Set<TextureUsage> usages,
        int maximumFrameLatency) {
    /** No limit of the frames on their way to the display but the number of images. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private static final int IMAGES = 3;

    public SwapchainDescription {
        Objects.requireNonNull(formats, "formats must not be null");
        Objects.requireNonNull(presentModes, "presentModes must not be null");
        Objects.requireNonNull(usages, "usages must not be null");
        requireExtent(width, height);
        if (images < 1) {
            throw new IllegalArgumentException("a swapchain has at least 1 image, got " + images);
        }
        if (usages.isEmpty()) {
            throw new IllegalArgumentException(
                    "the images of a swapchain need a usage; COLOR_ATTACHMENT for rendering");
        }
        if (maximumFrameLatency < 1) {
            throw new IllegalArgumentException(
                    "at least 1 frame is on its way to the display, got a limit of " + maximumFrameLatency);
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
                srgb(Format.B8G8R8A8_SRGB, Format.R8G8B8A8_SRGB),
                List.of(),
                IMAGES,
                EnumSet.of(TextureUsage.COLOR_ATTACHMENT),
                UNLIMITED);
    }

    private static List<SurfaceFormat> srgb(Format... wished) {
        return Stream.of(wished).map(SurfaceFormat::srgb).toList();
    }

    /** As this, with other wishes for the format in {@link ColorSpace#SRGB}, the best first. */
    public SwapchainDescription withFormats(Format... wished) {
        Objects.requireNonNull(wished, "wished must not be null");
        return with(srgb(wished), presentModes, images, usages);
    }

    /** As this, with other wishes for format and colour space, the best first. */
    public SwapchainDescription withFormats(SurfaceFormat... wished) {
        Objects.requireNonNull(wished, "wished must not be null");
        return with(List.of(wished), presentModes, images, usages);
    }

    /** As this, with other wishes for the present mode, the best first. */
    public SwapchainDescription withPresentModes(PresentMode... wished) {
        Objects.requireNonNull(wished, "wished must not be null");
        return with(formats, List.of(wished), images, usages);
    }

    /** As this, with another number of images. */
    public SwapchainDescription withImages(int count) {
        return with(formats, presentModes, count, usages);
    }

    /** As this, with images of another usage. */
    public SwapchainDescription withUsages(TextureUsage first, TextureUsage... more) {
        Objects.requireNonNull(first, "first must not be null");
        Objects.requireNonNull(more, "more must not be null");
        return with(formats, presentModes, images, EnumSet.of(first, more));
    }

    private SwapchainDescription with(
            List<SurfaceFormat> newFormats, List<PresentMode> newModes, int newImages, Set<TextureUsage> newUsages) {
        return new SwapchainDescription(width, height, newFormats, newModes, newImages, newUsages, maximumFrameLatency);
    }

    /** As this, with another extent. */
    public SwapchainDescription withExtent(int newWidth, int newHeight) {
        return new SwapchainDescription(
                newWidth, newHeight, formats, presentModes, images, usages, maximumFrameLatency);
    }

    /**
     * As this, with a limit of the frames that are acquired, or presented and not yet displayed. With the limit 1 a frame
     * begins when the one before is on the display: the newest input, and nothing that overlaps. {@link
     * Swapchain#acquire} waits. An image that a newer one replaces, as with {@link PresentMode#MAILBOX}, is on its way no
     * longer.
     *
     * <p>{@link Swapchain#reportsDisplay} says whether the device reports what is displayed. Where it does not, the
     * images are the limit: one more than frames, one being displayed, if the surface allows so few.
     *
     * @param frames at least 1, or {@link #UNLIMITED}
     */
    public SwapchainDescription withMaximumFrameLatency(int frames) {
        return new SwapchainDescription(width, height, formats, presentModes, images, usages, frames);
    }

    private static void requireExtent(int width, int height) {
        if (width < 0 || height < 0) {
            throw new IllegalArgumentException(
                    "the extent of a swapchain is at least 0x0, got " + width + "x" + height);
        }
    }
}
