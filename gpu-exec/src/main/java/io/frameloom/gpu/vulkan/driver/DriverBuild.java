package io.frameloom.gpu.vulkan.driver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/**
 * Distinguishes builds of one version of a driver, on Linux: finds the library with a function of the driver, and the
 * build identifier in it (the note {@code NT_GNU_BUILD_ID} of the ELF format). With validation that is the layer's
 * library. Stateless.
 */
public final class DriverBuild {
    private static final Path MAPS = Path.of("/proc/self/maps");
    private static final String UNKNOWN = "unknown";
    private static final int ELF_MAGIC = 0x464C457F;
    private static final int HEADER_BYTES = 64;
    private static final int SEGMENT_NOTE = 4;
    private static final int BUILD_ID = 3;
    private static final int LARGEST_NOTES = 1 << 16;

    private DriverBuild() {}

    public static String of(long function) {
        try {
            if (!Files.isReadable(MAPS)) {
                return UNKNOWN;
            }
            String library = library(Files.readAllLines(MAPS, StandardCharsets.UTF_8), function);
            return library.isEmpty() ? UNKNOWN : buildId(Path.of(library));
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** Returns the file that is mapped at an address, empty if there is none. */
    public static String library(List<String> maps, long address) {
        for (String line : maps) {
            int dash = line.indexOf('-');
            int space = line.indexOf(' ');
            int path = line.indexOf('/');
            if (dash < 0 || space < dash || path < 0) {
                continue;
            }
            long from = Long.parseUnsignedLong(line.substring(0, dash), 16);
            long to = Long.parseUnsignedLong(line.substring(dash + 1, space), 16);
            if (Long.compareUnsigned(from, address) <= 0 && Long.compareUnsigned(address, to) < 0) {
                return line.substring(path);
            }
        }
        return "";
    }

    /** Returns the identifier of a 64-bit little-endian library; for any other its size. */
    public static String buildId(Path library) throws IOException {
        try (FileChannel file = FileChannel.open(library)) {
            ByteBuffer header = read(file, 0, HEADER_BYTES);
            if (header.remaining() == HEADER_BYTES && header.getInt(0) == ELF_MAGIC && header.getShort(4) == 0x0102) {
                long segments = header.getLong(32);
                int bytes = Short.toUnsignedInt(header.getShort(54));
                int count = Short.toUnsignedInt(header.getShort(56));
                for (int i = 0; i < count; i++) {
                    ByteBuffer segment = read(file, segments + (long) i * bytes, bytes);
                    if (segment.remaining() >= 40 && segment.getInt(0) == SEGMENT_NOTE) {
                        String found = buildId(read(file, segment.getLong(8), notes(segment.getLong(32))));
                        if (!found.isEmpty()) {
                            return found;
                        }
                    }
                }
            }
            return "size " + file.size();
        }
    }

    private static int notes(long bytes) {
        return (int) Math.max(0, Math.min(bytes, LARGEST_NOTES));
    }

    private static String buildId(ByteBuffer notes) {
        while (notes.remaining() >= 3 * Integer.BYTES) {
            int nameBytes = notes.getInt();
            int bytes = notes.getInt();
            int type = notes.getInt();
            long next = notes.position() + padded(nameBytes) + padded(bytes);
            if (nameBytes < 0 || bytes < 0 || next > notes.limit()) {
                return "";
            }
            if (type == BUILD_ID) {
                byte[] id = new byte[bytes];
                notes.get(notes.position() + (int) padded(nameBytes), id);
                return HexFormat.of().formatHex(id);
            }
            notes.position((int) next);
        }
        return "";
    }

    private static long padded(int bytes) {
        return (bytes + 3L) & ~3L;
    }

    private static ByteBuffer read(FileChannel file, long position, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int taken = 0;
        while (buffer.hasRemaining() && taken >= 0) {
            taken = file.read(buffer, position + buffer.position());
        }
        return buffer.flip();
    }
}
