package io.frameloom.taskgraph.parts;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A running estimate of the time between the wake-up of a parked thread and its next instruction: an
 * exponentially weighted mean with weight 1/8.
 *
 * <p>Any thread may call any method. Updates that race may lose a sample, which an estimate can bear;
 * opaque access keeps the value whole. Wait-free.
 */
public final class WakeLatency {
    private static final VarHandle NANOS =
            Fields.handle(MethodHandles.lookup(), WakeLatency.class, "nanos", long.class);
    private static final VarHandle SAMPLES =
            Fields.handle(MethodHandles.lookup(), WakeLatency.class, "samples", int.class);

    @SuppressWarnings("unused") // accessed through NANOS
    private long nanos;

    @SuppressWarnings("unused") // accessed through SAMPLES
    private int samples;

    public WakeLatency() {}

    /** Takes a sample of nanoseconds into account if it is positive. */
    public void record(long sampleNanos) {
        if (sampleNanos > 0) {
            long old = nanos();
            NANOS.setOpaque(this, old == 0 ? sampleNanos : old + (sampleNanos - old) / 8);
            SAMPLES.setOpaque(this, samples() + 1);
        }
    }

    /** How many samples there were, give or take lost ones and overflow; differs after a sample that did not race. */
    public int samples() {
        return (int) SAMPLES.getOpaque(this);
    }

    /** The estimate; 0 before the first sample. */
    public long nanos() {
        return (long) NANOS.getOpaque(this);
    }
}
