package io.frameloom.benchmarks.gpu.compute;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints each row when it is there and writes it as a line of JSON, so that a run that is cut short keeps its rows. */
final class Report implements AutoCloseable {
    private final PrintStream out;
    private final ObjectMapper mapper = new ObjectMapper();
    private final @Nullable Writer file;

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
