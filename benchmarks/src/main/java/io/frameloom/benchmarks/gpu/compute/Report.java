package io.frameloom.benchmarks.gpu.compute;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
    private final PrintStream out;
    private final ObjectMapper mapper = new ObjectMapper();
    private final @Nullable Writer file;
    private final List<Row> rows = new ArrayList<>();

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

    /** The first line: the device and the processors. */
    void machine(String device, String driver, int processors) {
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
