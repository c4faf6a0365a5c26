package io.frameloom.benchmarks.gpu.compute;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What figures of a GPU are held against.
 *
 * @param work of our figure
 * @param variant of our figure
 * @param hows how we do it unless options say otherwise; the fastest counts
 * @param input of our figure
 * @param exponent of two of the number of elements
 * @param metric what is compared
 * @param target the number
 * @param rival how the rival's figure was done, of {@link Metric#OF_RIVAL}
 */
record ComputeTarget(
        String work,
        String variant,
        List<String> hows,
        String input,
        int exponent,
        Metric metric,
        double target,
        @Nullable String rival) {

    /** What a target is about. */
    enum Metric {
        /** Bandwidth through that of a copy dispatch of as many bytes, at least. */
        OF_COPY(">= %.2f of a copy"),
        /** Elements per second through the rival's, at least. */
        OF_RIVAL(">= %.2f x the rival"),
        /** Billions of elements per second, at least. */
        RATE(">= %.0f G elements/s"),
        /** Microseconds of one execution, at most. */
        MICROSECONDS("<= %.0f us") {
            @Override
            boolean meets(double value, double target) {
                return value <= target;
            }
        };

        private final String format;

        Metric(String format) {
            this.format = format;
        }

        boolean meets(double value, double target) {
            return value >= target;
        }
    }

    /** Returns what was reached; empty if our figure, or what it is compared with, was not measured. */
    OptionalDouble value(List<Row> rows) {
        Optional<Row> ours = hows.stream()
                .flatMap(how -> last(rows, how).stream())
                .min(Comparator.comparingDouble(Row::medianNanos));
        if (ours.isEmpty()) {
            return OptionalDouble.empty();
        }
        Row row = ours.get();
        return switch (metric) {
            case OF_COPY -> row.ratioToCopy() > 0 ? OptionalDouble.of(row.ratioToCopy()) : OptionalDouble.empty();
            case OF_RIVAL ->
                last(rows, String.valueOf(rival)).stream()
                        .mapToDouble(other -> other.medianNanos() / row.medianNanos())
                        .findFirst();
            case RATE -> OptionalDouble.of(row.elementsPerSecond() / 1e9);
            case MICROSECONDS -> OptionalDouble.of(row.medianNanos() / 1e3);
        };
    }

    /** Returns the last figure of something done in a way. */
    private Optional<Row> last(List<Row> rows, String how) {
        return rows.stream().filter(row -> row.how().equals(how) && isHere(row)).reduce((earlier, later) -> later);
    }

    private boolean isHere(Row row) {
        return row.skipped() == null
                && row.work().equals(work)
                && row.variant().equals(variant)
                && row.input().equals(input)
                && row.length() == 1L << exponent;
    }

    /** Returns the target in words. */
    String words() {
        String bound = String.format(Locale.ROOT, metric.format, target);
        return work + " " + variant + ", " + input + ", 2^" + exponent + ": "
                + (rival == null ? bound : bound.replace("the rival", rival));
    }

    boolean isMetBy(double value) {
        return metric.meets(value, target);
    }
}
