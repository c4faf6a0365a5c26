package io.frameloom.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.efficiency.Efficiency;
import io.frameloom.gpu.internal.Plural;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The project's targets, read from the file {@code targets.json} beside this class. */
public final class Targets {
    private static final String FILE = "targets.json";
    private static final double NANOS_PER_PERCENT = 1e7;
    private static final String FORMAT = "%-62s %7s %16s %-24s %16s %7s %14s  %s%n";

    private final List<Target> targets;

    private Targets(List<Target> targets) {
        this.targets = targets;
    }

    /**
     * Reads them.
     *
     * @throws IOException when the program is damaged
     */
    public static Targets load() throws IOException {
        try (InputStream file = Targets.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IOException(FILE + " is missing in the program; build it again");
            }
            return new Targets(List.of(new ObjectMapper().readValue(file, Target[].class)));
        }
    }

    List<Target> all() {
        return targets;
    }

    /** Holds every target against the rows; those whose row was not measured are left out. */
    public List<Verdict> judge(List<Row> rows) {
        List<Verdict> verdicts = new ArrayList<>();
        for (Target target : targets) {
            Row ours = find(rows, target, target.contender());
            if (ours == null) {
                continue;
            }
            Row rival = target.rival() == null ? best(target.metric(), rows, ours) : find(rows, target, target.rival());
            OptionalDouble value = value(target.metric(), ours, rival, rows);
            if (value.isPresent()) {
                Double theirs = rival == null ? null : boxed(quantity(target.metric(), rival, rows));
                verdicts.add(Verdict.of(target, ours, value.getAsDouble(), rival, theirs));
            }
        }
        return verdicts;
    }

    /** The rival that did the same with the fewest bytes where bytes are judged, else the fastest one. */
    private static @Nullable Row best(Metric metric, List<Row> rows, Row ours) {
        Optional<Row> best = metric == Metric.BYTES
                ? rows.stream()
                        .filter(row -> row.rival() && row.bytesPerTask() != null && row.comparesWith(ours))
                        .min(Comparator.comparing(Row::bytesPerTask))
                : Table.bestRival(rows, ours);
        return best.orElse(null);
    }

    private static @Nullable Double boxed(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }

    private static @Nullable Row find(List<Row> rows, Target target, String contender) {
        String body = target.body() == null ? "empty" : target.body();
        for (Row row : rows) {
            if (row.shape().equals(target.shape())
                    && row.contender().equals(contender)
                    && row.workers() == target.workers()
                    && row.body().equals(body)
                    && Objects.equals(row.parameter(), target.parameter())) {
                return row;
            }
        }
        return null;
    }

    private static OptionalDouble value(Metric metric, Row ours, @Nullable Row rival, List<Row> rows) {
        if (metric != Metric.RATIO) {
            return quantity(metric, ours, rows);
        }
        return rival == null ? OptionalDouble.empty() : OptionalDouble.of(ours.nsPerTask() / rival.nsPerTask());
    }

    /** What a metric looks at in one row. */
    private static OptionalDouble quantity(Metric metric, Row row, List<Row> rows) {
        return switch (metric) {
            case NANOS, RATIO -> OptionalDouble.of(row.nsPerTask());
            case BYTES -> {
                Double bytes = row.bytesPerTask();
                yield bytes == null ? OptionalDouble.empty() : OptionalDouble.of(bytes);
            }
            case PERCENT_OF_A_CORE -> OptionalDouble.of(row.nsPerTask() / NANOS_PER_PERCENT);
            case EFFICIENCY -> Efficiency.of(row, rows);
        };
    }

    /** Prints what was reached, and how many targets were not measured. */
    public void print(PrintStream out, List<Verdict> verdicts) {
        if (!verdicts.isEmpty()) {
            out.println();
            out.printf(Locale.ROOT, FORMAT, "target", "workers", "ours", "best rival", "its", "ratio", "target", "");
        }
        int met = 0;
        for (Verdict verdict : verdicts) {
            Metric metric = verdict.metric();
            Double ratio = verdict.ratio();
            Double rival = verdict.bestRivalValue();
            out.printf(
                    Locale.ROOT,
                    FORMAT,
                    verdict.what(),
                    verdict.workers(),
                    metric.value(verdict.value()),
                    verdict.bestRival() == null ? "-" : verdict.bestRival(),
                    rival == null ? "-" : (metric == Metric.RATIO ? Metric.NANOS : metric).value(rival),
                    ratio == null ? "-" : Metric.RATIO.value(ratio),
                    metric.target(verdict.target()),
                    verdict.met() ? "met" : "MISSED");
            met += verdict.met() ? 1 : 0;
        }
        if (verdicts.stream().anyMatch(verdict -> verdict.metric() == Metric.BYTES)) {
            out.println("a target in bytes tolerates what the counting itself allocates, up to "
                    + Metric.BYTES.tolerance() + " B");
        }
        out.println(Plural.of(met, "target") + " met, " + (verdicts.size() - met) + " missed, "
                + (targets.size() - verdicts.size()) + " not measured");
    }
}
