package io.frameloom.benchmarks.report;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** What a target is about. */
public enum Metric {
    /** Nanoseconds per unit of the row, at most. */
    NANOS("<=", " ns"),
    /** Heap bytes per unit of the row, at most; a tenth of a byte is what the counting itself allocates. */
    BYTES("<=", " B") {
        @Override
        double tolerance() {
            return COUNTING;
        }
    },
    /** Our nanoseconds divided by those of the rival, at most. */
    RATIO("<=", ""),
    /** Percent of one processor, below. */
    PERCENT_OF_A_CORE("<", " %") {
        @Override
        boolean meets(double value, double target) {
            return value < target;
        }
    },
    /** Part of all workers' time that becomes work, at least. */
    EFFICIENCY(">=", "") {
        @Override
        boolean meets(double value, double target) {
            return value >= target;
        }
    };

    private static final double COUNTING = 0.1;

    private final String comparison;
    private final String unit;

    Metric(String comparison, String unit) {
        this.comparison = comparison;
        this.unit = unit;
    }

    /** By how much a value may pass its target because it cannot be measured more exactly. */
    double tolerance() {
        return 0;
    }

    boolean meets(double value, double target) {
        return value <= target + tolerance();
    }

    /** A value in words, with its unit. */
    String value(double value) {
        return String.format(Locale.ROOT, "%.2f", value) + unit;
    }

    /** What is asked for in words: how it is compared, the number, what is tolerated, the unit. */
    String target(double target) {
        DecimalFormat shortest = new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT));
        return comparison + " " + shortest.format(target)
                + (tolerance() == 0 ? "" : " + " + shortest.format(tolerance())) + unit;
    }
}
