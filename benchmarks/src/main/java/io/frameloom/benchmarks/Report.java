package io.frameloom.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Prints rows as a table and writes them as JSON. */
final class Report {
    private static final double MICRO = 1_000;

    private Report() {}

    static void header(PrintStream out) {
        out.printf(
                Locale.ROOT,
                "%-14s %-11s %7s %-24s %10s %9s %9s %9s %9s %8s%n",
                "shape",
                "body",
                "workers",
                "contender",
                "ns/task",
                "+/-",
                "min",
                "cpu ns",
                "B/task",
                "ratio");
    }

    /** Prints the rows of one shape; the ratio of ours is against the best rival of the same mode. */
    static void print(PrintStream out, List<Row> rows) {
        for (Row row : rows) {
            String ratio = row.ours()
                    ? bestRival(rows, row)
                            .map(rival -> String.format(Locale.ROOT, "%.2f", row.nsPerTask() / rival.nsPerTask()))
                            .orElse("-")
                    : "";
            out.printf(
                    Locale.ROOT,
                    "%-14s %-11s %7d %-24s %10.1f %9.1f %9.1f %9.1f %9.1f %8s%n",
                    row.shape(),
                    row.body(),
                    row.workers(),
                    row.contender(),
                    row.nsPerTask(),
                    row.error(),
                    row.minNsPerTask(),
                    row.cpuNsPerTask(),
                    row.bytesPerTask(),
                    ratio);
        }
    }

    static Optional<Row> bestRival(List<Row> rows, Row ours) {
        return rows.stream()
                .filter(row -> row.rival() && row.reruns() == ours.reruns())
                .filter(row -> row.shape().equals(ours.shape()) && row.workers() == ours.workers())
                .min(Comparator.comparingDouble(Row::nsPerTask));
    }

    static void writeJson(Path file, List<Row> rows) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Row row : rows) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  {\"shape\": \"%s\", \"workers\": %d, \"contender\": \"%s\", \"nsPerTask\": %.3f,"
                            + " \"bytesPerTask\": %.3f, \"error\": %.3f, \"minNsPerTask\": %.3f,"
                            + " \"cpuNsPerTask\": %.3f,"
                            + " \"body\": \"%s\", \"reruns\": %b}",
                    row.shape(),
                    row.workers(),
                    row.contender(),
                    row.nsPerTask(),
                    row.bytesPerTask(),
                    row.error(),
                    row.minNsPerTask(),
                    row.cpuNsPerTask(),
                    row.body(),
                    row.reruns()));
        }
        String json = lines.isEmpty() ? "[]\n" : "[\n" + String.join(",\n", lines) + "\n]\n";
        Files.writeString(file, json, StandardCharsets.UTF_8);
    }

    static String duration(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / MICRO / MICRO / MICRO);
    }
}
