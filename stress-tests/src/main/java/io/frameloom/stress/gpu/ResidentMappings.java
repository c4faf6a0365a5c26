package io.frameloom.stress.gpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the process has in memory at one moment, by what is mapped: the heap of the C library's main arena, anonymous memory
 * (all other arenas, the JVM's memory), files and devices by name. Immutable.
 */
final class ResidentMappings {
    private static final Path SMAPS = Path.of("/proc/self/smaps");
    private static final Pattern MAPPING = Pattern.compile("[0-9a-f]+-[0-9a-f]+ \\S+ \\S+ \\S+ \\S+\\s*(.*)");
    private static final Pattern RESIDENT = Pattern.compile("Rss:\\s+(\\d+) kB");
    private static final long WORTH_TELLING = 256 << 10;

    private final Map<String, Long> bytes;

    private ResidentMappings(Map<String, Long> bytes) {
        this.bytes = bytes;
    }

    /** Returns those of now; none where the system does not say. */
    static ResidentMappings now() {
        try {
            return parse(Files.exists(SMAPS) ? Files.readAllLines(SMAPS) : List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the lines of smaps. */
    static ResidentMappings parse(List<String> lines) {
        Map<String, Long> bytes = new TreeMap<>();
        String name = "";
        for (String line : lines) {
            Matcher mapping = MAPPING.matcher(line);
            Matcher resident = RESIDENT.matcher(line);
            if (mapping.matches()) {
                name = mapping.group(1).isEmpty() ? "anonymous memory" : mapping.group(1);
            } else if (resident.matches()) {
                bytes.merge(name, Long.parseLong(resident.group(1)) << 10, Long::sum);
            }
        }
        return new ResidentMappings(bytes);
    }

    /** Returns what has grown or shrunk since by a quarter of a MiB or more, each in a line. */
    List<String> since(ResidentMappings before) {
        Map<String, Long> changes = new TreeMap<>(bytes);
        before.bytes.forEach((name, size) -> changes.merge(name, -size, Long::sum));
        List<String> lines = new ArrayList<>();
        changes.forEach((name, change) -> {
            if (Math.abs(change) >= WORTH_TELLING) {
                long now = bytes.getOrDefault(name, 0L);
                lines.add(String.format("%s: %+.1f MiB, to %.1f", name, change / 1048576.0, now / 1048576.0));
            }
        });
        return lines;
    }
}
