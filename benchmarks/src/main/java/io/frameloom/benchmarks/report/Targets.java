package io.frameloom.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.efficiency.Efficiency;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The project's targets, read from the file {@code targets.json} beside this class. */
public final class Targets {
    private static final String FILE = "targets.json";
    private static final double NANOS_PER_PERCENT = 1e7;
    private static final String FORMAT = "%-62s %7s %14s %-24s %14s %7s %12s  %s%n";

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
            Row rival = target.rival() == null
                    ? Table.bestRival(rows, ours).orElse(null)
                    : find(rows, target, target.rival());
            OptionalDouble value = value(target.metric(), ours, rival, rows);
            if (value.isPresent()) {
                verdicts.add(Verdict.of(target, ours, value.getAsDouble(), rival));
            }
        }
        return verdicts;
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
        return switch (metric) {
            case NANOS -> OptionalDouble.of(ours.nsPerTask());
            case BYTES -> OptionalDouble.of(ours.bytesPerTask());
            case PERCENT_OF_A_CORE -> OptionalDouble.of(ours.nsPerTask() / NANOS_PER_PERCENT);
            case RATIO ->
                rival == null ? OptionalDouble.empty() : OptionalDouble.of(ours.nsPerTask() / rival.nsPerTask());
            case EFFICIENCY -> Efficiency.of(ours, rows);
        };
    }

    /** Prints what was reached, and how many targets were not measured. */
    public void print(PrintStream out, List<Verdict> verdicts) {
        if (!verdicts.isEmpty()) {
            out.println();
            out.printf(
                    Locale.ROOT,
                    FORMAT,
                    "target",
                    "workers",
                    "ours",
                    "best rival",
                    "its ns/task",
                    "ratio",
                    "target",
                    "");
        }
        int met = 0;
        for (Verdict verdict : verdicts) {
            Double ratio = verdict.ratio();
            Double rival = verdict.bestRivalNsPerTask();
            out.printf(
                    Locale.ROOT,
                    FORMAT,
                    verdict.what(),
                    verdict.workers(),
                    number(verdict.value()),
                    verdict.bestRival() == null ? "-" : verdict.bestRival(),
                    rival == null ? "-" : number(rival),
                    ratio == null ? "-" : number(ratio),
                    number(verdict.target()),
                    verdict.met() ? "met" : "MISSED");
            met += verdict.met() ? 1 : 0;
        }
        out.println(met + " targets met, " + (verdicts.size() - met) + " missed, " + (targets.size() - verdicts.size())
                + " not measured");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
