package io.frameloom.benchmarks.gpu.compute;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.gpu.internal.Plural;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The targets of primitives on a GPU, read from the file {@code compute-targets.json} beside this class. */
final class ComputeTargets {
    private static final String FILE = "compute-targets.json";
    private static final String FORMAT = "%-72s %10s  %s%n";

    private final List<ComputeTarget> targets;

    private ComputeTargets(List<ComputeTarget> targets) {
        this.targets = targets;
    }

    /**
     * Reads them.
     *
     * @throws IOException when the program is damaged
     */
    static ComputeTargets load() throws IOException {
        try (InputStream file = ComputeTargets.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IOException(FILE + " is missing in the program; build it again");
            }
            return new ComputeTargets(List.of(new ObjectMapper().readValue(file, ComputeTarget[].class)));
        }
    }

    List<ComputeTarget> all() {
        return targets;
    }

    /** Prints each target whose figures are among the rows, whether it was met, and how many were not measured. */
    void print(PrintStream out, List<Row> rows) {
        int met = 0;
        int missed = 0;
        for (ComputeTarget target : targets) {
            OptionalDouble value = target.value(rows);
            if (value.isEmpty()) {
                continue;
            }
            if (met + missed == 0) {
                out.printf(Locale.ROOT, FORMAT, "target", "measured", "");
            }
            boolean isMet = target.isMetBy(value.getAsDouble());
            String measured = String.format(Locale.ROOT, "%.3f", value.getAsDouble());
            out.printf(Locale.ROOT, FORMAT, target.words(), measured, isMet ? "met" : "MISSED");
            met += isMet ? 1 : 0;
            missed += isMet ? 0 : 1;
        }
        out.println(Plural.of(met, "target") + " met, " + missed + " missed, " + (targets.size() - met - missed)
                + " not measured");
    }
}
