package io.frameloom.streaming;

import io.frameloom.gpu.resource.Format;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a KTX2 file says before its levels. All sizes and places are checked here, and the sizes of blocks against the
 * format. What is UASTC gets a descriptor of ours. Of packed files of other formats, the native library sees the samples
 * as the file describes them. Source: "KTX File Format Specification, Version 2.0". Immutable.
 */
final class Ktx2Header {
    static final int UASTC = 166;

    /** Size of {@link #oneBlock}. */
    static final int ONE_BLOCK_BYTES = 176;

    private static final long IDENTIFIER_LOW = 0xbb30_3220_5854_4babL;
    private static final int IDENTIFIER_HIGH = 0x0a1a_0a0d;
    private static final int BASIS_LZ = 1;
    private static final int ZLIB = 3;
    private static final int HEADER_BYTES = 80;
    private static final int LEVEL_BYTES = 24;
    private static final int FIRST_BLOCK = 4;
    private static final int BLOCK_HEAD_BYTES = 24;
    private static final int SAMPLE_BYTES = 16;
    private static final int UASTC_BYTES = FIRST_BLOCK + BLOCK_HEAD_BYTES + SAMPLE_BYTES;
    /** Kinds of channels that UASTC has are numbered up to this. */
    private static final int UASTC_CHANNELS = 6;

    private static final int LINEAR = 1;
    private static final int SRGB = 2;
    /** Where the one level of a file begins is a multiple of this, which suits every format. */
    private static final int LEVEL_ALIGNMENT = 16;
    /** Channels keep native memory of the size of a read, so reads are small. */
    private static final int READ_BYTES = 1 << 16;

    private final Path path;
    private final int vulkanFormat;
    private final int typeBytes;
    private final int width;
    private final int height;
    private final int scheme;
    private final ByteBuffer dataFormat;
    private final List<Level> levels;

    /** Where the bytes of a level lie in the file. */
    private record Level(long at, int bytes, long unpackedBytes) {}

    private Ktx2Header(Path path, ByteBuffer head, ByteBuffer dataFormat, List<Level> levels) {
        this.path = path;
        this.vulkanFormat = head.getInt(12);
        this.typeBytes = vulkanFormat == 0 ? 1 : head.getInt(16);
        this.width = head.getInt(20);
        this.height = head.getInt(24);
        this.scheme = head.getInt(44);
        this.dataFormat = dataFormat;
        this.levels = levels;
    }

    /** Writes the smallest file of UASTC: one block of zeros. */
    static ByteBuffer oneBlock(ByteBuffer zeros) {
        int dataFormat = HEADER_BYTES + LEVEL_BYTES;
        zeros.order(ByteOrder.LITTLE_ENDIAN);
        zeros.putLong(0, IDENTIFIER_LOW).putInt(8, IDENTIFIER_HIGH);
        zeros.putInt(16, 1).putInt(20, 4).putInt(24, 4).putInt(36, 1).putInt(40, 1);
        zeros.putInt(48, dataFormat).putInt(52, UASTC_BYTES);
        zeros.putLong(80, ONE_BLOCK_BYTES - 16).putLong(88, 16).putLong(96, 16);
        putUastc(zeros, dataFormat, LINEAR, 0);
        return zeros;
    }

    /** Writes the data format descriptor of UASTC into zeros. */
    private static ByteBuffer putUastc(ByteBuffer zeros, int at, int transfer, int channels) {
        int block = at + FIRST_BLOCK;
        zeros.putInt(at, UASTC_BYTES);
        zeros.putInt(block + 4, 2 | (UASTC_BYTES - FIRST_BLOCK) << 16);
        zeros.put(block + 8, (byte) UASTC).put(block + 9, (byte) 1).put(block + 10, (byte) transfer);
        zeros.put(block + 12, (byte) 3).put(block + 13, (byte) 3).put(block + 16, (byte) 16);
        zeros.put(block + BLOCK_HEAD_BYTES + 2, (byte) 127).put(block + BLOCK_HEAD_BYTES + 3, (byte) channels);
        return zeros.putInt(block + BLOCK_HEAD_BYTES + 12, -1);
    }

    static Ktx2Header read(Path path) {
        try (SeekableByteChannel file = open(path)) {
            ByteBuffer head = bytes(path, file, "header", 0, HEADER_BYTES);
            if (head.getLong(0) != IDENTIFIER_LOW || head.getInt(8) != IDENTIFIER_HIGH) {
                throw bad(path, "header", "it does not begin as KTX2 files do; convert it, as by 'ktx create'");
            }
            requireShape(path, head);
            int count = Math.max(1, head.getInt(40));
            ByteBuffer index = bytes(path, file, "level index", HEADER_BYTES, count * LEVEL_BYTES);
            ByteBuffer dataFormat = dataFormat(path, file, head);
            List<Level> levels = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                int at = i * LEVEL_BYTES;
                long from = index.getLong(at);
                long length = index.getLong(at + 8);
                requireInside(path, file, "level " + i, from, length);
                if (length == 0) {
                    throw bad(path, "level " + i, "it has no bytes");
                }
                levels.add(new Level(from, (int) length, index.getLong(at + 16)));
            }
            return new Ktx2Header(path, head, dataFormat, List.copyOf(levels));
        } catch (IOException e) {
            throw unreadable(path, "header", e);
        }
    }

    private static SeekableByteChannel open(Path path) throws IOException {
        return Files.newByteChannel(path);
    }

    private static void requireShape(Path path, ByteBuffer head) {
        int width = head.getInt(20);
        int height = head.getInt(24);
        int levels = head.getInt(40);
        if (head.getInt(28) != 0 || head.getInt(32) > 1 || head.getInt(32) < 0 || head.getInt(36) != 1 || height == 0) {
            throw bad(
                    path,
                    "header",
                    "it is no two-dimensional texture of one layer and face; make a file of each layer, face or slice");
        }
        int fullChain = 32 - Integer.numberOfLeadingZeros(Math.max(width, height));
        if (width < 1 || height < 1 || levels < 0 || levels > fullChain) {
            throw bad(
                    path,
                    "header",
                    "a texture of " + Integer.toUnsignedString(width) + "x" + Integer.toUnsignedString(height)
                            + " cannot have " + Integer.toUnsignedString(levels) + " levels");
        }
        int scheme = head.getInt(44);
        if (scheme < 0 || scheme == BASIS_LZ || scheme > ZLIB) {
            // Damaged BasisLZ crashes the library, and so the process.
            throw bad(
                    path,
                    "header",
                    "it is packed by " + (scheme == BASIS_LZ ? "BasisLZ" : "scheme " + Integer.toUnsignedString(scheme))
                            + "; make it as UASTC, with Zstandard, ZLIB or neither");
        }
    }

    /** Returns the first block of the data format descriptor, which is all that decides. */
    private static ByteBuffer dataFormat(Path path, SeekableByteChannel file, ByteBuffer head) throws IOException {
        String place = "data format descriptor";
        long at = Integer.toUnsignedLong(head.getInt(48));
        long length = Integer.toUnsignedLong(head.getInt(52));
        requireInside(path, file, place, at, length);
        if (length < FIRST_BLOCK + BLOCK_HEAD_BYTES) {
            throw bad(path, place, "it has " + length + " bytes, too few for a descriptor");
        }
        ByteBuffer start = bytes(path, file, place, at, FIRST_BLOCK + BLOCK_HEAD_BYTES);
        int blockBytes = start.getShort(FIRST_BLOCK + 6) & 0xffff;
        int samples = (blockBytes - BLOCK_HEAD_BYTES) / SAMPLE_BYTES;
        if (start.getInt(0) != length
                || start.getInt(FIRST_BLOCK) != 0
                || FIRST_BLOCK + blockBytes > length
                || samples < 1
                || blockBytes != BLOCK_HEAD_BYTES + samples * SAMPLE_BYTES) {
            throw bad(path, place, "it does not begin with a basic block of its size");
        }
        int transfer = start.get(FIRST_BLOCK + 10);
        if (transfer != LINEAR && transfer != SRGB) {
            throw bad(path, place, "transfer function " + (transfer & 0xff) + " is neither linear nor sRGB");
        }
        ByteBuffer block = bytes(path, file, place, at, FIRST_BLOCK + blockBytes);
        if (head.getInt(12) != 0 || (block.get(FIRST_BLOCK + 8) & 0xff) != UASTC) {
            return block.putInt(0, FIRST_BLOCK + blockBytes);
        }
        int channels = block.get(FIRST_BLOCK + BLOCK_HEAD_BYTES + 3) & 0xf;
        if (channels > UASTC_CHANNELS) {
            throw bad(path, place, "channels " + channels + " are none of UASTC");
        }
        return putUastc(ByteBuffer.allocate(UASTC_BYTES).order(ByteOrder.LITTLE_ENDIAN), 0, transfer, channels);
    }

    private static void requireInside(Path path, SeekableByteChannel file, String place, long at, long length)
            throws IOException {
        long size = file.size();
        if (at < 0 || length < 0 || at > size || length > size - at || length > Integer.MAX_VALUE / 2) {
            throw bad(
                    path,
                    place,
                    "its " + Long.toUnsignedString(length) + " bytes from byte " + Long.toUnsignedString(at)
                            + " on do not lie in the file, which has " + size
                            + "; it is cut off or damaged, or larger than 1 GiB");
        }
    }

    private static ByteBuffer bytes(Path path, SeekableByteChannel file, String place, long at, int length)
            throws IOException {
        requireInside(path, file, place, at, length);
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        fill(path, file, place, at, bytes);
        return bytes.flip();
    }

    private static void fill(Path path, SeekableByteChannel file, String place, long at, ByteBuffer target)
            throws IOException {
        int end = target.limit();
        file.position(at);
        while (target.position() < end) {
            target.limit(Math.min(end, target.position() + READ_BYTES));
            if (file.read(target) < 0) {
                throw bad(path, place, "the file ends in it");
            }
        }
    }

    static Ktx2Exception bad(Path path, String place, String what) {
        return new Ktx2Exception(path, place, what, null);
    }

    private static Ktx2Exception unreadable(Path path, String place, IOException e) {
        String what = e instanceof NoSuchFileException ? "there is no such file" : "cannot be read: " + e.getMessage();
        return new Ktx2Exception(path, place, what, e);
    }

    Path path() {
        return path;
    }

    /** Returns the value of VkFormat; 0 for what is to be transcoded. */
    int vulkanFormat() {
        return vulkanFormat;
    }

    /** Requires the blocks of a format. A packed file need not say how many bytes one has. */
    void requireBlocks(Format format) {
        int bytes = dataFormat.get(FIRST_BLOCK + 16) & 0xff;
        if (dataFormat.get(FIRST_BLOCK + 12) != format.blockWidth() - 1
                || dataFormat.get(FIRST_BLOCK + 13) != format.blockHeight() - 1
                || dataFormat.getShort(FIRST_BLOCK + 14) != 0
                || (bytes != format.blockBytes() && (bytes != 0 || scheme == 0))) {
            throw bad(path, "data format descriptor", "it does not have the blocks of " + format + "; make it anew");
        }
    }

    /** Returns the colour model of the Khronos Data Format. */
    int colorModel() {
        return dataFormat.get(FIRST_BLOCK + 8) & 0xff;
    }

    boolean isSrgb() {
        return dataFormat.get(FIRST_BLOCK + 10) == SRGB;
    }

    int scheme() {
        return scheme;
    }

    int width(int level) {
        return Math.max(1, width >> level);
    }

    int height(int level) {
        return Math.max(1, height >> level);
    }

    int levels() {
        return levels.size();
    }

    /** Returns the bytes that a level has in the file. */
    int storedBytes(int level) {
        return levels.get(level).bytes;
    }

    /** Returns the bytes that a level has before a scheme packs it, as the file says. */
    long unpackedBytes(int level) {
        return levels.get(level).unpackedBytes;
    }

    /** Returns the bytes of a level as they are in the file. */
    ByteBuffer stored(int level) {
        Level from = levels.get(level);
        try (SeekableByteChannel file = open(path)) {
            return bytes(path, file, "level " + level, from.at, from.bytes);
        } catch (IOException e) {
            throw unreadable(path, "level " + level, e);
        }
    }

    /** Returns the bytes of a file whose only level is one of this. */
    int aloneBytes(int level) {
        return levelAt() + levels.get(level).bytes;
    }

    private int levelAt() {
        return HEADER_BYTES + LEVEL_BYTES + dataFormat.limit() + LEVEL_ALIGNMENT - 1 & -LEVEL_ALIGNMENT;
    }

    /** Writes a file whose only level is one of this into zeros, so that no other is read and unpacked with it. */
    void writeAlone(int level, ByteBuffer target) {
        target.order(ByteOrder.LITTLE_ENDIAN);
        Level from = levels.get(level);
        target.putLong(0, IDENTIFIER_LOW).putInt(8, IDENTIFIER_HIGH);
        target.putInt(12, vulkanFormat).putInt(16, typeBytes);
        target.putInt(20, width(level)).putInt(24, height(level)).putInt(36, 1);
        target.putInt(40, 1).putInt(44, scheme);
        target.putInt(48, HEADER_BYTES + LEVEL_BYTES).putInt(52, dataFormat.limit());
        target.putLong(80, levelAt()).putLong(88, from.bytes);
        target.putLong(96, from.unpackedBytes);
        target.put(HEADER_BYTES + LEVEL_BYTES, dataFormat, 0, dataFormat.limit());
        try (SeekableByteChannel file = open(path)) {
            requireInside(path, file, "level " + level, from.at, from.bytes);
            fill(
                    path,
                    file,
                    "level " + level,
                    from.at,
                    target.limit(levelAt() + from.bytes).position(levelAt()));
        } catch (IOException e) {
            throw unreadable(path, "level " + level, e);
        }
        target.clear();
    }
}
