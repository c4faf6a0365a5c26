package io.frameloom.streaming;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A two-dimensional texture in a KTX2 file, read level by level in a format that a device has. What is stored as UASTC
 * ("Basis Universal") is transcoded to BC7, ASTC, ETC2 or, where the device has none of these, to RGBA8. Any other
 * format is taken as it is. Levels may be packed by Zstandard or ZLIB. BasisLZ is refused, since its decoder trusts what
 * it reads: a damaged file would end the process.
 *
 * <p>The file is open only while it is read. Immutable; any thread.
 */
public final class Ktx2File {
    private final Ktx2Header header;
    private final TextureDescription description;
    private final @Nullable Transcoding transcoding;

    private Ktx2File(Ktx2Header header, Format format, @Nullable Transcoding transcoding) {
        this.header = header;
        this.transcoding = transcoding;
        this.description = new TextureDescription(
                header.width(0),
                header.height(0),
                header.levels(),
                1,
                format,
                EnumSet.of(TextureUsage.SAMPLED, TextureUsage.COPY_DST, TextureUsage.COPY_SRC));
    }

    /**
     * Reads what a file says of its levels, and chooses a format for a device.
     *
     * @throws Ktx2Exception if there is no such file, it is damaged, it is no two-dimensional texture of one layer, or
     *     the device cannot sample its format or has no textures of its size
     */
    public static Ktx2File open(GpuDevice device, Path path) {
        Ktx2Header header = Ktx2Header.read(path);
        requireExtent(device, header);
        Ktx2File file = header.vulkanFormat() == 0 ? transcoded(device, header) : stored(device, header);
        file.requireSizes();
        return file;
    }

    private static void requireExtent(GpuDevice device, Ktx2Header header) {
        int most = device.capabilities().maxTextureExtent();
        if (header.width(0) > most || header.height(0) > most) {
            throw Ktx2Header.bad(
                    header.path(),
                    "header",
                    "a texture of " + header.width(0) + "x" + header.height(0) + " is too large for device '"
                            + device.capabilities().name() + "', which allows " + most
                            + " in each direction (maxTextureExtent); make the file smaller");
        }
    }

    private static Ktx2File transcoded(GpuDevice device, Ktx2Header header) {
        int model = header.colorModel();
        if (model != Ktx2Header.UASTC) {
            throw Ktx2Header.bad(
                    header.path(),
                    "data format descriptor",
                    "colour model " + model + " without a format of Vulkan; make the file as UASTC");
        }
        for (Transcoding target : Transcoding.values()) {
            Format format = target.format(header.isSrgb());
            if (device.formatSupport(format).supports(TextureUsage.SAMPLED)) {
                return new Ktx2File(header, format, target);
            }
        }
        throw Ktx2Header.bad(
                header.path(),
                "data format descriptor",
                "device '" + device.capabilities().name() + "' samples none of " + List.of(Transcoding.values()));
    }

    private static Ktx2File stored(GpuDevice device, Ktx2Header header) {
        String wayOut = "; make the file as UASTC, which is transcoded to what each device has";
        Format format;
        try {
            format = Format.ofVulkan(header.vulkanFormat());
        } catch (IllegalArgumentException e) {
            throw new Ktx2Exception(
                    header.path(), "header", "VkFormat " + header.vulkanFormat() + " is not known" + wayOut, e);
        }
        if (format.isDepth() || !device.formatSupport(format).supports(TextureUsage.SAMPLED)) {
            throw Ktx2Header.bad(
                    header.path(),
                    "header",
                    "device '" + device.capabilities().name() + "' does not sample " + format + wayOut);
        }
        header.requireBlocks(format);
        return new Ktx2File(header, format, null);
    }

    private void requireSizes() {
        for (int level = 0; level < header.levels(); level++) {
            long bytes = transcoding == null ? bytes(level) : blockBytes(level);
            long unpacked = header.scheme() == 0 ? header.storedBytes(level) : header.unpackedBytes(level);
            if (unpacked != bytes || bytes(level) > Integer.MAX_VALUE / 2) {
                throw Ktx2Header.bad(
                        header.path(),
                        "level " + level,
                        "a level of " + header.width(level) + "x"
                                + header.height(level) + " of " + (transcoding == null ? description.format() : "UASTC")
                                + " has " + bytes + " bytes of at most 1 GiB, not " + Long.toUnsignedString(unpacked));
            }
        }
    }

    /** Returns the bytes of a level of UASTC. */
    private long blockBytes(int level) {
        return 16L * ((header.width(level) + 3L) / 4) * ((header.height(level) + 3L) / 4);
    }

    /** Returns the path. */
    public Path path() {
        return header.path();
    }

    /** Returns the texture that has all levels, to be sampled and copied. */
    public TextureDescription description() {
        return description;
    }

    /** Returns the bytes of a level as {@link #read} gives them. */
    long bytes(int level) {
        Format format = description.format();
        return (long) format.columns(header.width(level)) * format.rows(header.height(level)) * format.blockBytes();
    }

    /**
     * Reads one level: rows of texels (of blocks in compressed formats), tightly packed, as {@link
     * io.frameloom.gpu.transfer.Uploader#upload} takes them. No other level is read.
     *
     * @param level 0 for the finest
     * @throws Ktx2Exception if the file is gone, cut off or damaged
     */
    public ByteBuffer read(int level) {
        if (level < 0 || level >= header.levels()) {
            throw new IllegalArgumentException(
                    "file '" + path() + "' has levels 0 to " + (header.levels() - 1) + ", not " + level);
        }
        if (transcoding == null && header.scheme() == 0) {
            return header.stored(level);
        }
        return KtxLibrary.unpack(header, level, transcoding, (int) bytes(level));
    }
}
