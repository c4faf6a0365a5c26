package io.frameloom.gpu.record;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.internal.TransferFit;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The checks of copies, blits, resolves, fills and clears outside of render passes. */
public final class TransferRules {
    private static final int WORD = 4;
    private static final int MAX_UPDATE_BYTES = 65_536;

    private final RecordingRules rules;
    private final Function<Format, FormatSupport> formats;

    /**
     * Checks for the list of {@code rules}.
     *
     * @param formats what the device does with formats
     */
    public TransferRules(RecordingRules rules, Function<Format, FormatSupport> formats) {
        this.rules = rules;
        this.formats = formats;
    }

    public void copyBuffer(Buffer source, long from, Buffer destination, long to, long bytes) {
        String command = "copyBuffer";
        Ranges.usage(rules, command, source, BufferUsage.COPY_SRC);
        Ranges.usage(rules, command, destination, BufferUsage.COPY_DST);
        Ranges.range(rules, command, source, from, bytes);
        Ranges.range(rules, command, destination, to, bytes);
        if (source == destination && from < to + bytes && to < from + bytes) {
            throw new IllegalArgumentException(rules.where(command) + ": ranges " + from + "+" + bytes + " and " + to
                    + "+" + bytes + " of buffer '" + source.name() + "' overlap; copy through another buffer");
        }
        rules.reports().uses(source, from, bytes, Access.COPY_SRC);
        rules.reports().uses(destination, to, bytes, Access.COPY_DST);
    }

    public void copyBufferToTexture(Buffer source, TexelLayout layout, Texture destination, TextureRegion region) {
        String command = "copyBufferToTexture";
        Ranges.usage(rules, command, source, BufferUsage.COPY_SRC);
        Ranges.usage(rules, command, destination, TextureUsage.COPY_DST);
        if (destination.description().format().isDepth()) {
            rules.requireQueue(command, QueueKind.GRAPHICS);
        }
        texels(command, source, layout, destination, region);
        units(command, destination, region);
        rules.reports().uses(destination, region, Access.COPY_DST);
    }

    /** Checks a copy of tightly packed rows to one mip of one layer, plane 0. */
    public void copyMipFromBuffer(Buffer source, long offset, Texture destination, int mip, int layer) {
        String command = "copyBufferToTexture";
        Ranges.usage(rules, command, source, BufferUsage.COPY_SRC);
        Ranges.usage(rules, command, destination, TextureUsage.COPY_DST);
        if (destination.description().format().isDepth()) {
            rules.requireQueue(command, QueueKind.GRAPHICS);
        }
        mip(command, source, offset, destination, mip, layer);
        rules.reports().uses(destination, mip, layer, Access.COPY_DST);
    }

    /** Checks a copy of one mip of one layer, plane 0, to tightly packed rows. */
    public void copyMipToBuffer(Texture source, int mip, int layer, Buffer destination, long offset) {
        String command = "copyTextureToBuffer";
        Ranges.usage(rules, command, source, TextureUsage.COPY_SRC);
        Ranges.usage(rules, command, destination, BufferUsage.COPY_DST);
        mip(command, destination, offset, source, mip, layer);
        rules.reports().uses(source, mip, layer, Access.COPY_SRC);
        rules.reports().uses(destination, offset, mipBytes(source, mip), Access.COPY_DST);
    }

    private void mip(String command, Buffer buffer, long offset, Texture texture, int mip, int layer) {
        requireOneSample(command, texture);
        TextureDescription shape = texture.description();
        if (mip < 0 || mip >= shape.mips() || layer < 0 || layer >= shape.layers()) {
            throw new IllegalArgumentException(rules.where(command) + ": texture '" + texture.name() + "' has "
                    + TransferFit.described(shape) + ", not mip " + mip + " of layer " + layer);
        }
        Format format = shape.format();
        Ranges.aligned(rules, command, buffer, "offset", offset, offsetUnit(format, 0));
        Ranges.range(rules, command, buffer, offset, mipBytes(texture, mip));
    }

    private static long mipBytes(Texture texture, int mip) {
        TextureDescription shape = texture.description();
        Format format = shape.format();
        long columns = format.columns(shape.width(mip));
        return columns * format.rows(shape.height(mip)) * shape.depth(mip) * format.planeBytes(0);
    }

    /** Returns the unit of the offsets of texels in a buffer. */
    private long offsetUnit(Format format, int plane) {
        int block = format.planeBytes(plane);
        boolean words = format.isDepth() || !rules.queue().kind().supports(QueueKind.COMPUTE);
        return words ? Math.max(block, WORD) : block;
    }

    /** Checks that two textures are equal in what the copy of their first mips requires. */
    public void requireEqualFormats(Texture source, Texture destination) {
        if (source.description().format() != destination.description().format()) {
            throw new IllegalArgumentException(rules.where("copyTexture") + ": textures '" + source.name() + "' and '"
                    + destination.name() + "' differ in extent or format: "
                    + source.description().format() + ", "
                    + destination.description().format());
        }
    }

    public void copyTextureToBuffer(Texture source, TextureRegion region, Buffer destination, TexelLayout layout) {
        String command = "copyTextureToBuffer";
        Ranges.usage(rules, command, source, TextureUsage.COPY_SRC);
        Ranges.usage(rules, command, destination, BufferUsage.COPY_DST);
        texels(command, destination, layout, source, region);
        units(command, source, region);
        rules.reports().uses(source, region, Access.COPY_SRC);
        rules.reports()
                .uses(
                        destination,
                        layout.offset(),
                        layout.totalBytes(source.description().format(), region),
                        Access.COPY_DST);
    }

    private void texels(String command, Buffer buffer, TexelLayout layout, Texture texture, TextureRegion region) {
        require(command, TransferFit.texels(texture.name(), texture.description(), region));
        Format format = texture.description().format();
        int block = format.planeBytes(region.plane());
        Ranges.aligned(rules, command, buffer, "offset", layout.offset(), offsetUnit(format, region.plane()));
        if (layout.rowPitch() != 0) {
            Ranges.aligned(rules, command, buffer, "row pitch", layout.rowPitch(), block);
            requirePitch(command, buffer, "row pitch " + layout.rowPitch(), layout.rowPitch(), "bytes");
            long least = (long) format.columns(region.width()) * block;
            if (layout.rowPitch() < least) {
                throw new IllegalArgumentException(rules.where(command) + ": row pitch " + layout.rowPitch()
                        + " in buffer '" + buffer.name() + "' is less than the " + least + " bytes of a row");
            }
        }
        if (layout.slicePitch() != 0) {
            long row = layout.rowBytes(format, region);
            Ranges.aligned(rules, command, buffer, "slice pitch", layout.slicePitch(), row);
            if (layout.slicePitch() / row < format.rows(region.height())) {
                throw new IllegalArgumentException(rules.where(command) + ": slice pitch " + layout.slicePitch()
                        + " in buffer '" + buffer.name() + "' is less than the rows of a slice");
            }
            requirePitch(command, buffer, "slice pitch " + layout.slicePitch(), layout.slicePitch() / row, "rows");
            if ((long) region.depth() * region.layers() > 1) {
                // The sum over all slices stays within a long only if each of them is within the buffer.
                Ranges.range(rules, command, buffer, layout.offset(), layout.slicePitch());
            }
        }
        Ranges.range(rules, command, buffer, layout.offset(), layout.totalBytes(format, region));
    }

    /** Checks that a pitch is one that drivers count in 31 bits ("Copying Data Between Buffers and Images"). */
    private void requirePitch(String command, Buffer buffer, String pitch, long value, String unit) {
        if (value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(rules.where(command) + ": " + pitch + " in buffer '" + buffer.name()
                    + "' is more than " + Integer.MAX_VALUE + " " + unit + "; copy row by row, or slice by slice");
        }
    }

    public void copyTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to) {
        String command = "copyTexture";
        usages(command, source, destination);
        require(
                command,
                TransferFit.copy(
                        source.name(),
                        source.description(),
                        from,
                        destination.name(),
                        destination.description(),
                        to,
                        source == destination));
        units(command, source, from);
        units(command, destination, to);
        rules.reports().uses(source, from, Access.COPY_SRC);
        rules.reports().uses(destination, to, Access.COPY_DST);
    }

    private void units(String command, Texture texture, TextureRegion region) {
        require(command, TransferFit.units(texture.name(), texture.description(), region, rules.queue()));
    }

    public void blitTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to, Filter filter) {
        String command = "blitTexture";
        rules.requireQueue(command, QueueKind.GRAPHICS);
        usages(command, source, destination);
        require(
                command,
                TransferFit.blit(
                        source.name(),
                        source.description(),
                        from,
                        destination.name(),
                        destination.description(),
                        to,
                        filter,
                        source == destination));
        Format a = source.description().format();
        Format b = destination.description().format();
        requireSupport(command, source, formats.apply(a).blitSource(), "source of blits");
        requireSupport(command, destination, formats.apply(b).blitDestination(), "destination of blits");
        if (filter == Filter.LINEAR) {
            requireSupport(command, source, formats.apply(a).linearFilter(), "source of LINEAR filters");
        }
        rules.reports().uses(source, from, Access.COPY_SRC);
        rules.reports().uses(destination, to, Access.COPY_DST);
    }

    public void resolveTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to) {
        String command = "resolveTexture";
        rules.requireQueue(command, QueueKind.GRAPHICS);
        usages(command, source, destination);
        require(
                command,
                TransferFit.resolve(
                        source.name(), source.description(), from, destination.name(), destination.description(), to));
        Format format = source.description().format();
        requireSupport(command, destination, formats.apply(format).colorAttachment(), "destination of resolves");
        rules.reports().uses(source, from, Access.COPY_SRC);
        rules.reports().uses(destination, to, Access.COPY_DST);
    }

    private void usages(String command, Texture source, Texture destination) {
        Ranges.usage(rules, command, source, TextureUsage.COPY_SRC);
        Ranges.usage(rules, command, destination, TextureUsage.COPY_DST);
    }

    private void require(String command, @Nullable String misfit) {
        if (misfit != null) {
            throw new IllegalArgumentException(rules.where(command) + ": " + misfit);
        }
    }

    public void fillBuffer(Buffer destination, long offset, long bytes) {
        String command = "fillBuffer";
        Ranges.usage(rules, command, destination, BufferUsage.COPY_DST);
        Ranges.aligned(rules, command, destination, "offset", offset, WORD);
        Ranges.aligned(rules, command, destination, "length", bytes, WORD);
        Ranges.range(rules, command, destination, offset, bytes);
        rules.reports().uses(destination, offset, bytes, Access.COPY_DST);
    }

    public void updateBuffer(Buffer destination, long offset, int bytes) {
        String command = "updateBuffer";
        Ranges.usage(rules, command, destination, BufferUsage.COPY_DST);
        Ranges.aligned(rules, command, destination, "offset", offset, WORD);
        Ranges.aligned(rules, command, destination, "length", bytes, WORD);
        Ranges.range(rules, command, destination, offset, bytes);
        if (bytes > MAX_UPDATE_BYTES) {
            throw new IllegalArgumentException(rules.where(command) + ": " + bytes + " bytes for buffer '"
                    + destination.name() + "' are more than " + MAX_UPDATE_BYTES
                    + "; copy them from FrameContext.allocateUpload");
        }
        rules.reports().uses(destination, offset, bytes, Access.COPY_DST);
    }

    public void clearTexture(Texture destination, SubresourceRange range) {
        String command = "clearTexture";
        rules.requireQueue(command, QueueKind.COMPUTE);
        Ranges.usage(rules, command, destination, TextureUsage.COPY_DST);
        Ranges.range(rules, command, destination, range);
        Format format = destination.description().format();
        if (format.isDepth()) {
            throw new IllegalArgumentException(rules.where(command) + ": texture '" + destination.name()
                    + "' has depth format " + format + "; use clearDepthStencil");
        }
        if (format.isCompressed()) {
            throw new IllegalArgumentException(rules.where(command) + ": texture '" + destination.name()
                    + "' has compressed format " + format + "; copy blocks from a buffer");
        }
        rules.reports().uses(destination, range, Access.COPY_DST);
    }

    public void clearDepthStencil(
            RenderingRules values, Texture destination, SubresourceRange range, float depth, int stencil) {
        String command = "clearDepthStencil";
        rules.requireQueue(command, QueueKind.GRAPHICS);
        Ranges.usage(rules, command, destination, TextureUsage.COPY_DST);
        Ranges.range(rules, command, destination, range);
        Format format = destination.description().format();
        if (!format.isDepth()) {
            throw new IllegalArgumentException(rules.where(command) + ": texture '" + destination.name()
                    + "' has colour format " + format + "; use clearTexture");
        }
        values.requireDepth(command, depth);
        values.requireStencil(command, stencil);
        rules.reports().uses(destination, range, Access.COPY_DST);
    }

    private void requireOneSample(String command, Texture texture) {
        int samples = texture.description().samples();
        if (samples != 1) {
            throw new IllegalArgumentException(rules.where(command) + ": texture '" + texture.name() + "' has "
                    + samples + " samples, one is needed; resolve it first");
        }
    }

    private void requireSupport(String command, Texture texture, boolean supported, String what) {
        if (!supported) {
            throw new IllegalArgumentException(rules.where(command) + ": the device cannot use texture '"
                    + texture.name() + "' of " + texture.description().format() + " as " + what
                    + "; ask GpuDevice.formatSupport for a format that it can");
        }
    }
}
