package io.frameloom.gpu.internal;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CopyUnit;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.gpu.resource.TextureRegion;
import org.jspecify.annotations.Nullable;

/**
 * Whether textures and regions of them fit each other in copies, blits and resolves, on any device. Command lists
 * refuse by these rules at recording; code that knows the shapes earlier can ask earlier. {@link
 * GpuDevice#formatSupport} returns the formats that a device blits and filters.
 *
 * <p>Each method returns the problem and the way out, for a message that may begin before it, or null if there is none.
 * Stateless; any thread.
 */
public final class TransferFit {
    private TransferFit() {}

    public static @Nullable String texels(String name, TextureDescription shape, TextureRegion region) {
        String samples = oneSample(name, shape);
        return samples != null ? samples : region(name, shape, region);
    }

    /** Whether a region is one of a texture, and does not cut blocks of a compressed format. */
    public static @Nullable String region(String name, TextureDescription shape, TextureRegion region) {
        boolean there = region.mip() >= 0
                && region.mip() < shape.mips()
                && region.baseLayer() >= 0
                && region.layers() >= 1
                && region.baseLayer() <= shape.layers() - region.layers()
                && region.plane() >= 0
                && region.plane() < shape.format().planes();
        if (!there) {
            return outside(name, shape, region);
        }
        int width = shape.width(region.mip());
        int height = shape.height(region.mip());
        int depth = shape.depth(region.mip());
        boolean within = region.x() >= 0
                && region.y() >= 0
                && region.z() >= 0
                && region.width() >= 1
                && region.height() >= 1
                && region.depth() >= 1
                && region.x() <= width - region.width()
                && region.y() <= height - region.height()
                && region.z() <= depth - region.depth();
        if (!within) {
            return outside(name, shape, region);
        }
        int columns = shape.format().blockWidth();
        int rows = shape.format().blockHeight();
        if (shape.format().isCompressed()
                && (region.x() % columns != 0
                        || region.y() % rows != 0
                        || (region.width() % columns != 0 && region.x() + region.width() != width)
                        || (region.height() % rows != 0 && region.y() + region.height() != height))) {
            return described(region) + " of texture '" + name + "' cuts blocks of " + columns + "x" + rows
                    + " texels; begin at multiples of that, and end there or at the edge";
        }
        return null;
    }

    /** Whether a queue copies a region within a texture. */
    public static @Nullable String units(String name, TextureDescription shape, TextureRegion region, GpuQueue queue) {
        CopyUnit unit = queue.copyUnit();
        if (fits(unit, shape, region)) {
            return null;
        }
        return described(region) + " of texture '" + name + "' is not what queue '" + queue.name() + "' copies, "
                + (unit.width() == 0
                        ? "whole mips"
                        : "units of " + unit.width() + "x" + unit.height() + "x" + unit.depth() + " blocks")
                + "; copy such a region on another queue";
    }

    private static boolean fits(CopyUnit unit, TextureDescription shape, TextureRegion region) {
        Format format = shape.format();
        int mip = region.mip();
        return fits(region.x(), region.width(), shape.width(mip), unit.width() * format.blockWidth())
                && fits(region.y(), region.height(), shape.height(mip), unit.height() * format.blockHeight())
                && fits(region.z(), region.depth(), shape.depth(mip), unit.depth());
    }

    private static boolean fits(int offset, int extent, int whole, int unit) {
        return unit == 0
                ? offset == 0 && extent == whole
                : offset % unit == 0 && (extent % unit == 0 || offset + extent == whole);
    }

    /**
     * Whether texels can be copied as they are from a region to another one. Texels of a format without compression go
     * to blocks of a compressed one of the same size in bytes, or back, one to one: 3 x 3 texels of 8 bytes are 12 x 12
     * texels of BC1. Blocks that the edge of a texture cuts can only be read in this way, not written.
     *
     * @param same whether both are of one texture
     */
    public static @Nullable String copy(
            String source,
            TextureDescription from,
            TextureRegion read,
            String destination,
            TextureDescription to,
            TextureRegion written,
            boolean same) {
        String outside = regions(source, from, read, destination, to, written);
        if (outside != null) {
            return outside;
        }
        if (from.samples() != to.samples()) {
            return pair(source, destination) + "have " + from.samples() + " and " + to.samples()
                    + " samples; resolve them";
        }
        Format a = from.format();
        Format b = to.format();
        if (read.plane() != written.plane() || (a != b && (a.isDepth() || b.isDepth()))) {
            return pair(source, destination) + "are of " + a + " plane " + read.plane() + " and " + b + " plane "
                    + written.plane() + ", between which texels are not copied; go through a buffer";
        }
        boolean equalBlocks = a.hasBlocksOf(b);
        if (a.blockBytes() != b.blockBytes() || (!equalBlocks && a.isCompressed() && b.isCompressed())) {
            return pair(source, destination) + "have " + blocks(a) + " and " + blocks(b)
                    + ", between which nothing is copied as it is; " + conversion(a, b);
        }
        boolean equal = equalBlocks
                ? equalExtents(read, written)
                : a.columns(read.width()) == b.columns(written.width())
                        && a.rows(read.height()) == b.rows(written.height())
                        && read.depth() == written.depth()
                        && read.layers() == written.layers();
        if (!equal) {
            return extents(source, read, destination, written)
                    + (equalBlocks ? "" : "; " + blocks(a) + " go to " + blocks(b) + ", one to one");
        }
        if (!equalBlocks
                && b.isCompressed()
                && (written.width() % b.blockWidth() != 0 || written.height() % b.blockHeight() != 0)) {
            return described(written) + " of texture '" + destination + "' ends within blocks of " + b.blockWidth()
                    + "x"
                    + b.blockHeight() + " texels, to which texels of '" + source + "' (" + a
                    + ") are not copied; write those at the edge from a buffer";
        }
        return same ? apart(source, read, written) : null;
    }

    /**
     * Whether a region can be scaled and converted to another one.
     *
     * @param same whether both are of one texture
     */
    public static @Nullable String blit(
            String source,
            TextureDescription from,
            TextureRegion read,
            String destination,
            TextureDescription to,
            TextureRegion written,
            Filter filter,
            boolean same) {
        String misfit = regions(source, from, read, destination, to, written);
        misfit = misfit != null ? misfit : oneSample(source, from);
        misfit = misfit != null ? misfit : oneSample(destination, to);
        if (misfit != null) {
            return misfit;
        }
        Format a = from.format();
        Format b = to.format();
        if (a.isDepth() || b.isDepth()) {
            if (a != b || filter != Filter.NEAREST || read.plane() != written.plane()) {
                return pair(source, destination) + "of " + a + " and " + b
                        + ": depth and stencil are blitted between planes of equal format with the NEAREST filter";
            }
        } else if (a.kind() != b.kind()) {
            return pair(source, destination) + "have texels of " + a.kind() + " (" + a + ") and " + b.kind() + " (" + b
                    + "), between which there is no conversion";
        }
        if (read.layers() != written.layers()) {
            return pair(source, destination) + "regions have " + read.layers() + " and " + written.layers()
                    + " layers, which must be equal";
        }
        boolean slices = from.kind() == TextureKind.THREE_D || to.kind() == TextureKind.THREE_D;
        if (slices && (read.baseLayer() != 0 || written.baseLayer() != 0 || read.layers() != 1)) {
            return pair(source, destination)
                    + "one of which is THREE_D: slices are blitted from and to layer 0 alone, got layers "
                    + read.baseLayer() + "+" + read.layers() + " and " + written.baseLayer() + "+" + written.layers()
                    + "; go through a texture of one layer, and copy";
        }
        return same ? apart(source, read, written) : null;
    }

    public static @Nullable String resolve(
            String source,
            TextureDescription from,
            TextureRegion read,
            String destination,
            TextureDescription to,
            TextureRegion written) {
        String misfit = regions(source, from, read, destination, to, written);
        if (misfit != null) {
            return misfit;
        }
        if (from.samples() == 1) {
            return "texture '" + source + "' has one sample, there is nothing to resolve; copy it";
        }
        misfit = oneSample(destination, to);
        if (misfit != null) {
            return misfit;
        }
        if (!equalExtents(read, written)) {
            return extents(source, read, destination, written);
        }
        if (from.format() != to.format() || from.format().isDepth()) {
            return pair(source, destination) + "of " + from.format() + " and " + to.format()
                    + ": resolves are between colours of equal format; resolve depth in a shader";
        }
        return null;
    }

    private static @Nullable String regions(
            String source,
            TextureDescription from,
            TextureRegion read,
            String destination,
            TextureDescription to,
            TextureRegion written) {
        String outside = region(source, from, read);
        return outside != null ? outside : region(destination, to, written);
    }

    private static @Nullable String oneSample(String name, TextureDescription shape) {
        return shape.samples() == 1
                ? null
                : "texture '" + name + "' has " + shape.samples() + " samples, one is needed; resolve it first";
    }

    private static String blocks(Format format) {
        return (format.isCompressed()
                        ? "blocks of " + format.blockWidth() + "x" + format.blockHeight() + " texels in "
                        : "texels of ")
                + format.blockBytes() + " bytes (" + format + ")";
    }

    /** What makes texels of one format those of another one. */
    private static String conversion(Format from, Format to) {
        if (to.isCompressed()) {
            return "compress the texels before they are uploaded, or in a shader that writes blocks to a texture of "
                    + to.blockBytes() + " bytes a texel, and copy that";
        }
        return from.kind() == to.kind() ? "blit to convert" : "convert in a shader";
    }

    private static boolean equalExtents(TextureRegion a, TextureRegion b) {
        return a.width() == b.width() && a.height() == b.height() && a.depth() == b.depth() && a.layers() == b.layers();
    }

    private static String extents(String source, TextureRegion from, String destination, TextureRegion to) {
        return pair(source, destination) + "differ in extent: " + described(from) + ", " + described(to)
                + "; read as much as is written";
    }

    private static @Nullable String apart(String name, TextureRegion from, TextureRegion to) {
        boolean overlap = from.mip() == to.mip()
                && from.plane() == to.plane()
                && overlap(from.baseLayer(), from.layers(), to.baseLayer(), to.layers())
                && overlap(from.x(), from.width(), to.x(), to.width())
                && overlap(from.y(), from.height(), to.y(), to.height())
                && overlap(from.z(), from.depth(), to.z(), to.depth());
        return overlap
                ? described(from) + " and " + described(to) + " of texture '" + name
                        + "' overlap; go through another texture"
                : null;
    }

    private static boolean overlap(int a, int aCount, int b, int bCount) {
        return a < b + bCount && b < a + aCount;
    }

    private static String outside(String name, TextureDescription shape, TextureRegion region) {
        return described(region) + " is not within texture '" + name + "', which has " + described(shape);
    }

    private static String pair(String source, String destination) {
        return "textures '" + source + "' and '" + destination + "' ";
    }

    public static String described(TextureDescription shape) {
        Format format = shape.format();
        return shape.width() + "x" + shape.height() + "x" + shape.depth() + " texels of " + format + ", "
                + Plural.of(shape.mips(), "mip") + ", " + Plural.of(shape.layers(), "layer") + ", "
                + Plural.of(format.planes(), "plane") + " and " + Plural.of(shape.samples(), "sample");
    }

    public static String described(TextureRegion region) {
        return "a region of " + region.width() + "x" + region.height() + "x" + region.depth() + " texels at "
                + region.x() + "," + region.y() + "," + region.z() + " in mip " + region.mip() + ", layers "
                + region.baseLayer() + "+" + region.layers() + ", plane " + region.plane();
    }
}
