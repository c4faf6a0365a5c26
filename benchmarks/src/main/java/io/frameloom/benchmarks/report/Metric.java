package io.frameloom.benchmarks.report;

/** What a target is about. */
public enum Metric {
    /** Nanoseconds per unit of the row, at most. */
    NANOS {
        @Override
        boolean meets(double value, double target) {
            return value <= target;
        }
    },
    /** Heap bytes per unit of the row, at most; a tenth of a byte is what the counting itself allocates. */
    BYTES {
        @Override
        boolean meets(double value, double target) {
            return value <= target + COUNTING;
        }
    },
    /** Our nanoseconds divided by those of the rival, at most. */
    RATIO {
        @Override
        boolean meets(double value, double target) {
            return value <= target;
        }
    },
    /** Percent of one processor, below. */
    PERCENT_OF_A_CORE {
        @Override
        boolean meets(double value, double target) {
            return value < target;
        }
    },
    /** Part of all workers' time that becomes work, at least. */
    EFFICIENCY {
        @Override
        boolean meets(double value, double target) {
            return value >= target;
        }
    };

    private static final double COUNTING = 0.1;

    abstract boolean meets(double value, double target);
}
