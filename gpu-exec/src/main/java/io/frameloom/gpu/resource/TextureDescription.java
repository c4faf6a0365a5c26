package io.frameloom.gpu.resource;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.internal.MaskSet;
import io.frameloom.gpu.internal.Plural;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The shape of a texture. {@link GpuDevice#formatSupport} and, with the limits of the device, the creation of the
 * texture say whether a device supports a shape in a format.
 *
 * @param width width of mip 0 in texels, at least 1
 * @param height height of mip 0 in texels, at least 1
 * @param depth depth of mip 0 in texels; 1 unless three-dimensional
 * @param mips number of mip levels, at least 1 and at most the full chain
 * @param layers number of array layers, at least 1; 1 for three dimensions, a multiple of six for cubes
 * @param samples samples of each texel: 1, or a power of two up to 64 for a two-dimensional texture of one mip
 * @param format texel format
 * @param viewFormats further formats in which views may look at it; empty for none
 * @param usage what the texture may be used for. May be empty only for a transient of a render graph, which completes
 *     it
 * @param sharing which queue families may use it; for an imported texture the import decides
 */
public record TextureDescription(
        TextureKind kind,
        int width,
        int height,
        int depth,
        int mips,
        int layers,
        int samples,
        Format format,
        Set<Format> viewFormats,
        Set<TextureUsage> usage,
        QueueSharing sharing) {

    private static final TextureUsage[] USAGES = TextureUsage.values();
    private static final int FACES = 6;
    private static final int MAX_SAMPLES = 64;

    public TextureDescription {
        if (width < 1 || height < 1 || depth < 1 || layers < 1) {
            throw new IllegalArgumentException("texture extent must be at least 1x1x1 with 1 layer, got " + width + "x"
                    + height + "x" + depth + " with " + Plural.of(layers, "layer"));
        }
        int fullChain = 32 - Integer.numberOfLeadingZeros(Math.max(depth, Math.max(width, height)));
        if (mips < 1 || mips > fullChain) {
            throw new IllegalArgumentException("a texture of " + width + "x" + height + "x" + depth + " has 1 to "
                    + Plural.of(fullChain, "mip") + ", got " + mips);
        }
        requireTransient(usage);
        requireKind(kind, width, height, depth, layers, format);
        requireSamples(kind, mips, samples, format, usage);
        for (Format view : viewFormats) {
            if (!format.isViewCompatible(view)) {
                throw new IllegalArgumentException("a texture of " + format + " cannot be seen as " + view
                        + "; views take colour formats with texels of equal size");
            }
        }
        EnumSet<Format> others = EnumSet.noneOf(Format.class);
        others.addAll(viewFormats);
        others.remove(format);
        viewFormats = others.isEmpty() ? Collections.emptySet() : Collections.unmodifiableSet(others);
        usage = MaskSet.copyOf(USAGES, usage);
    }

    private static void requireKind(TextureKind kind, int width, int height, int depth, int layers, Format format) {
        if (kind != TextureKind.THREE_D && depth != 1) {
            throw new IllegalArgumentException(
                    "a texture with depth " + depth + " is THREE_D, not " + kind + "; use withDepth");
        }
        if (kind == TextureKind.THREE_D && layers != 1) {
            throw new IllegalArgumentException("a THREE_D texture has one layer, got " + layers);
        }
        if (kind == TextureKind.THREE_D && format.isDepth()) {
            throw new IllegalArgumentException("a THREE_D texture cannot have depth format " + format);
        }
        if (kind == TextureKind.CUBE && (width != height || layers % FACES != 0)) {
            throw new IllegalArgumentException("a CUBE texture is square with a multiple of 6 layers, got " + width
                    + "x" + height + " with " + Plural.of(layers, "layer"));
        }
    }

    private static void requireTransient(Set<TextureUsage> usage) {
        if (!usage.contains(TextureUsage.TRANSIENT_ATTACHMENT)) {
            return;
        }
        EnumSet<TextureUsage> others = EnumSet.copyOf(usage);
        others.removeAll(EnumSet.of(
                TextureUsage.TRANSIENT_ATTACHMENT,
                TextureUsage.COLOR_ATTACHMENT,
                TextureUsage.DEPTH_ATTACHMENT,
                TextureUsage.INPUT_ATTACHMENT));
        boolean attached =
                usage.contains(TextureUsage.COLOR_ATTACHMENT) || usage.contains(TextureUsage.DEPTH_ATTACHMENT);
        if (!others.isEmpty() || !attached) {
            throw new IllegalArgumentException("a TRANSIENT_ATTACHMENT is a COLOR_ATTACHMENT or DEPTH_ATTACHMENT,"
                    + " may be an INPUT_ATTACHMENT beside that, and nothing else, got " + usage);
        }
    }

    private static void requireSamples(
            TextureKind kind, int mips, int samples, Format format, Set<TextureUsage> usage) {
        if (samples < 1 || samples > MAX_SAMPLES || Integer.bitCount(samples) != 1) {
            throw new IllegalArgumentException("samples are 1, 2, 4 ... 64, got " + samples);
        }
        if (samples == 1) {
            return;
        }
        if (kind != TextureKind.TWO_D || mips != 1 || format.isCompressed()) {
            throw new IllegalArgumentException("a texture of " + samples + " samples is TWO_D with one mip and not"
                    + " compressed, got " + kind + " of " + format + " with " + mips + " mips");
        }
        if (!usage.isEmpty()
                && !usage.contains(TextureUsage.COLOR_ATTACHMENT)
                && !usage.contains(TextureUsage.DEPTH_ATTACHMENT)) {
            throw new IllegalArgumentException("a texture of " + samples
                    + " samples gets its contents as an attachment; add COLOR_ATTACHMENT or DEPTH_ATTACHMENT to its"
                    + " usage " + usage);
        }
    }

    /** The description of a texture that the families of all queues share. */
    public TextureDescription(
            TextureKind kind,
            int width,
            int height,
            int depth,
            int mips,
            int layers,
            int samples,
            Format format,
            Set<Format> viewFormats,
            Set<TextureUsage> usage) {
        this(kind, width, height, depth, mips, layers, samples, format, viewFormats, usage, QueueSharing.CONCURRENT);
    }

    /** The description of a two-dimensional texture of one sample. */
    public TextureDescription(int width, int height, int mips, int layers, Format format, Set<TextureUsage> usage) {
        this(TextureKind.TWO_D, width, height, 1, mips, layers, 1, format, Set.of(), usage);
    }

    /** Returns the description of a two-dimensional texture with one mip and one layer. */
    public static TextureDescription of(
            int width, int height, Format format, TextureUsage first, TextureUsage... more) {
        return new TextureDescription(width, height, 1, 1, format, EnumSet.of(first, more));
    }

    /** Returns the description of a transient of a render graph; its passes define the usage. */
    public static TextureDescription of(int width, int height, Format format) {
        return new TextureDescription(width, height, 1, 1, format, Set.of());
    }

    /** Returns the description of one cube with one mip. */
    public static TextureDescription cube(int extent, Format format, TextureUsage first, TextureUsage... more) {
        return of(extent, extent, format, first, more).withCubes(1);
    }

    /** Returns the same texture with {@code mips} levels. */
    public TextureDescription withMips(int mips) {
        return new TextureDescription(
                kind, width, height, depth, mips, layers, samples, format, viewFormats, usage, sharing);
    }

    /** Returns the same texture with {@code layers} array layers. */
    public TextureDescription withLayers(int layers) {
        return new TextureDescription(
                kind, width, height, depth, mips, layers, samples, format, viewFormats, usage, sharing);
    }

    /** Returns a three-dimensional texture of this width and height. */
    public TextureDescription withDepth(int depth) {
        return new TextureDescription(
                TextureKind.THREE_D, width, height, depth, mips, layers, samples, format, viewFormats, usage, sharing);
    }

    /** Returns {@code cubes} cubes with faces of this width and height. */
    public TextureDescription withCubes(int cubes) {
        return new TextureDescription(
                TextureKind.CUBE,
                width,
                height,
                depth,
                mips,
                FACES * cubes,
                samples,
                format,
                viewFormats,
                usage,
                sharing);
    }

    /** Returns the same texture with {@code samples} samples for each texel. */
    public TextureDescription withSamples(int samples) {
        return new TextureDescription(
                kind, width, height, depth, mips, layers, samples, format, viewFormats, usage, sharing);
    }

    /** Returns the same texture with further formats for views. */
    public TextureDescription withViewFormats(Format first, Format... more) {
        return new TextureDescription(
                kind, width, height, depth, mips, layers, samples, format, EnumSet.of(first, more), usage, sharing);
    }

    /** Returns the same texture with another usage. */
    public TextureDescription withUsage(Set<TextureUsage> usage) {
        return new TextureDescription(
                kind, width, height, depth, mips, layers, samples, format, viewFormats, usage, sharing);
    }

    /** Returns the same texture with another sharing between queue families. */
    public TextureDescription withSharing(QueueSharing sharing) {
        return new TextureDescription(
                kind, width, height, depth, mips, layers, samples, format, viewFormats, usage, sharing);
    }

    /** Returns the width of a mip level in texels. */
    public int width(int mip) {
        return Math.max(1, width >> mip);
    }

    /** Returns the height of a mip level in texels. */
    public int height(int mip) {
        return Math.max(1, height >> mip);
    }

    /** Returns the depth of a mip level in texels. */
    public int depth(int mip) {
        return Math.max(1, depth >> mip);
    }
}
