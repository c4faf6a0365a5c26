package io.frameloom.benchmarks.report;

import io.frameloom.benchmarks.driver.Row;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Prints rows as they come. */
public final class Table {
    private static final String FORMAT = "%-20s %-11s %7s %8s %-28s %12s %10s %12s %12s %12s %10s %7s  %s%n";

    private final PrintStream out;

    /**
     * Begins a table.
     *
     * @param out receives it
     */
    public Table(PrintStream out) {
        this.out = out;
        out.printf(
                Locale.ROOT,
                FORMAT,
                "shape",
                "body",
                "workers",
                "variant",
                "contender",
                "ns/task",
                "+/-",
                "min",
                "p99",
                "cpu ns",
                "B/task",
                "ratio",
                "task is a");
    }

    /** Prints rows of any order, those that compare under each other. */
    public void printAll(List<Row> rows) {
        Map<List<Object>, List<Row>> groups = new LinkedHashMap<>();
        for (Row row : rows) {
            List<Object> key =
                    List.of(row.shape(), row.body(), row.workers(), Optional.ofNullable(row.parameter()), row.unit());
            groups.computeIfAbsent(key, any -> new ArrayList<>()).add(row);
        }
        groups.values().forEach(this::print);
    }

    /** Prints the rows of one group; the ratio of ours is against the best rival of the same mode. */
    public void print(List<Row> group) {
        for (Row row : group) {
            Integer parameter = row.parameter();
            Double p99 = row.p99();
            Double bytes = row.bytesPerTask();
            out.printf(
                    Locale.ROOT,
                    FORMAT,
                    row.shape(),
                    row.body(),
                    row.workers(),
                    parameter == null ? "" : parameter,
                    row.contender(),
                    number(row.nsPerTask()),
                    number(row.error()),
                    number(row.minNsPerTask()),
                    p99 == null ? "" : number(p99),
                    number(row.cpuNsPerTask()),
                    bytes == null ? "" : number(bytes),
                    row.ours()
                            ? bestRival(group, row)
                                    .map(rival -> ratio(row, rival))
                                    .orElse("-")
                            : "",
                    row.unit());
        }
        out.flush();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String ratio(Row ours, Row rival) {
        return String.format(Locale.ROOT, "%.2f", ours.nsPerTask() / rival.nsPerTask());
    }

    /** The fastest rival that did the same. */
    public static Optional<Row> bestRival(List<Row> rows, Row ours) {
        return rows.stream()
                .filter(row -> row.rival() && row.comparesWith(ours))
                .min(Comparator.comparingDouble(Row::nsPerTask));
    }
}
