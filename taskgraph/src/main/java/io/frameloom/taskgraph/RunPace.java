package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.PaddedLong;

/**
 * How the runs of a compiled graph are run, from how long those before took: by one thread in the order of the
 * numbers or shared, with how many helpers, and whether eagerly.
 *
 * <p>{@link #begin}, {@link #decide} and {@link #expectLongBodies} by the thread that begins a run, {@link #countBusy}
 * by every participant, {@link #end} by the last one; the gate of the run orders them.
 */
final class RunPace {
    /** A helper must save this much to pay for its wake-up. */
    private static final long HELP_NANOS = 20_000L;

    /** Below this average sharing costs more than it saves. */
    private static final long SHARE_NANOS = 50L;

    /** What arrivals, deques and cache misses add to a node of a shared run. */
    private static final long SHARED_OVERHEAD_NANOS = 50L;

    /** Above this average every ready node is published before a body is run. */
    static final long EAGER_NANOS = 200L;

    private static final long UNKNOWN = -1L;

    private final int nodes;
    private final int helperLimit;
    private final PaddedLong busy = new PaddedLong(0);

    private boolean eager;
    private volatile boolean sequential;
    private int helpersPaid;
    /** Nanoseconds per node of the runs before; between runs owned by whoever begins one. */
    private long averageNanos = UNKNOWN;

    RunPace(int nodes, int helperLimit) {
        this.nodes = nodes;
        this.helperLimit = helperLimit;
    }

    void begin() {
        busy.setVolatile(0L);
    }

    /** How this run is to be run. */
    void decide(boolean mayBeSequential) {
        long average = averageNanos;
        boolean known = average >= 0;
        long paid = known ? average * nodes / HELP_NANOS : Long.MAX_VALUE;
        helpersPaid = (int) Math.min(helperLimit, paid);
        eager = !isSerial() && (!known || average > EAGER_NANOS);
        boolean tooShort = nodes <= 1 || (known && (average < SHARE_NANOS || paid == 0L));
        sequential = mayBeSequential && (isSerial() || tooShort);
    }

    private boolean isSerial() {
        return helperLimit == 0;
    }

    /** How many helpers the run is to have, beyond those that it cannot do without. */
    int helpersPaid() {
        return helpersPaid;
    }

    boolean isEager() {
        return eager;
    }

    boolean isSequential() {
        return sequential;
    }

    /** Ends the sequential part of a run. */
    void endSequential() {
        sequential = false;
    }

    /** A sequential run has turned out to be long. */
    void expectLongBodies() {
        eager = true;
    }

    void countBusy(long nanos) {
        busy.getAndAdd(nanos);
    }

    void end() {
        if (nodes == 0) {
            return;
        }
        long sample = busy.valueVolatile() / nodes;
        if (!sequential) {
            sample = Math.max(0L, sample - SHARED_OVERHEAD_NANOS);
        }
        averageNanos = averageNanos < 0 ? sample : averageNanos + (sample - averageNanos) / 4;
    }
}
