package io.frameloom.benchmarks.gpu.compute;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.frameloom.gpu.compute.LookBackProfile;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints each row when it is there and writes it as a line of JSON, so that a run that is cut short keeps its rows. */
final class Report implements AutoCloseable {
    /** What tells the figures of a file apart, beside their length. */
    private static final List<String> KEYS = List.of("work", "variant", "how", "input");

    private final PrintStream out;
    private final ObjectMapper mapper = new ObjectMapper();
    private final @Nullable Writer file;
    private final List<Row> rows = new ArrayList<>();
    private String device = "";

    /**
     * @param json file of lines of JSON, or null; missing folders are made
     * @throws IOException if the file cannot be written
     */
    Report(PrintStream out, @Nullable Path json) throws IOException {
        this.out = out;
        Path folder = json == null ? null : json.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        file = json == null ? null : Files.newBufferedWriter(json);
    }

    /**
     * Returns the rows of a file that a report wrote, or CUB's scan; lines of machines are none.
     *
     * @throws IOException if it cannot be read, or a line is something else; the message is one line without the file's name
     */
    static List<Row> read(Path json) throws IOException {
        ObjectMapper mapper = new ObjectMapper().configure(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES, true);
        List<Row> rows = new ArrayList<>();
        List<String> lines;
        try {
            lines = Files.readAllLines(json);
        } catch (IOException e) {
            throw new IOException("it cannot be read; name a file that --json wrote", e);
        }
        for (String line : lines) {
            try {
                JsonNode node = mapper.readTree(line);
                if (!node.has("device")) {
                    for (String key : KEYS) {
                        if (!node.path(key).isTextual()) {
                            throw new IOException("no " + key);
                        }
                    }
                    rows.add(mapper.treeToValue(node, Row.class));
                }
            } catch (IOException e) {
                throw new IOException(
                        "line " + (lines.indexOf(line) + 1) + " is no row; name a file that bench --gpu compute --json"
                                + " or cub-scan wrote",
                        e);
            }
        }
        return rows;
    }

    /** The first line: the device and the processors. */
    void machine(String device, String driver, int processors) {
        this.device = device;
        ObjectNode machine = mapper.createObjectNode()
                .put("device", device)
                .put("driver", driver)
                .put("processors", processors)
                .put("java", Runtime.version().toString());
        out.println(device + ", " + driver + ", " + processors + " processors");
        out.printf(
                Locale.ROOT,
                "%-9s %-20s %-34s %-12s %10s %12s %12s %9s %9s%n",
                "work",
                "variant",
                "how",
                "input",
                "elements",
                "median us",
                "G elem./s",
                "GB/s",
                "of copy");
        line(machine);
    }

    void row(Row row) {
        rows.add(row);
        if (row.skipped() != null) {
            out.printf(
                    Locale.ROOT,
                    "%-9s %-20s %-34s %-12s %10d %s%n",
                    row.work(),
                    row.variant(),
                    row.how(),
                    row.input(),
                    row.length(),
                    row.skipped());
        } else {
            out.printf(
                    Locale.ROOT,
                    "%-9s %-20s %-34s %-12s %10d %12.1f %12.3f %9.1f %9s%n",
                    row.work(),
                    row.variant(),
                    row.how(),
                    row.input(),
                    row.length(),
                    row.medianNanos() / 1e3,
                    row.elementsPerSecond() / 1e9,
                    row.gigabytesPerSecond(),
                    row.ratioToCopy() > 0 ? String.format(Locale.ROOT, "%.3f", row.ratioToCopy()) : "");
        }
        line(row);
    }

    /** How the tiles of a scan looked back; a line of JSON that is no row. */
    void looks(String scan, long length, LookBackProfile profile) {
        double tiles = profile.tiles();
        say(String.format(
                Locale.ROOT,
                "looks of %s, %d elements: %d tiles, each %.2f turns (most %d), %.2f of them in vain, %.2f tiles passed,"
                        + " %d reduced for others",
                scan,
                length,
                profile.tiles(),
                profile.turns() / tiles,
                profile.mostTurns(),
                profile.vain() / tiles,
                profile.passed() / tiles,
                profile.reduced()));
        ObjectNode looks = mapper.createObjectNode()
                .put("device", device)
                .put("looks", scan)
                .put("length", length);
        looks.set("profile", mapper.valueToTree(profile));
        line(looks);
    }

    /** Prints a line. */
    void say(String words) {
        out.println(words);
    }

    /** All figures so far. */
    List<Row> rows() {
        return rows;
    }

    /** For everything that was measured on the device and on processors, how many times the fastest of each differ. */
    void comparison() {
        Map<String, Row> processors = new LinkedHashMap<>();
        Map<String, Row> devices = new HashMap<>();
        for (Row row : rows) {
            if (row.skipped() == null) {
                String key = String.join("|", row.work(), row.variant(), row.input(), "" + row.length());
                Map<String, Row> kind = row.onProcessor() ? processors : devices;
                kind.merge(key, row, (a, b) -> a.medianNanos() <= b.medianNanos() ? a : b);
            }
        }
        processors.forEach((key, processor) -> {
            Row device = devices.get(key);
            if (device != null) {
                out.printf(
                        Locale.ROOT,
                        "%s, %s, %s, %d elements: the device (%s) takes 1/%.2f of the processor's time (%s)%n",
                        device.work(),
                        device.variant(),
                        device.input(),
                        device.length(),
                        device.how(),
                        processor.medianNanos() / device.medianNanos(),
                        processor.how());
            }
        });
    }

    private void line(Object value) {
        if (file == null) {
            return;
        }
        try {
            file.write(mapper.writeValueAsString(value) + "\n");
            file.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the rows cannot be written", e);
        }
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
