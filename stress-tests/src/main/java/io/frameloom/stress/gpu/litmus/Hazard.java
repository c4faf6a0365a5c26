package io.frameloom.stress.gpu.litmus;

/** What the second of two pieces of work would break if it did not stay behind the first. */
enum Hazard {
    READ_AFTER_WRITE(true, false),
    WRITE_AFTER_READ(false, true),
    WRITE_AFTER_WRITE(true, true);

    private final boolean firstWrites;
    private final boolean secondWrites;

    Hazard(boolean firstWrites, boolean secondWrites) {
        this.firstWrites = firstWrites;
        this.secondWrites = secondWrites;
    }

    boolean firstWrites() {
        return firstWrites;
    }

    boolean secondWrites() {
        return secondWrites;
    }
}
