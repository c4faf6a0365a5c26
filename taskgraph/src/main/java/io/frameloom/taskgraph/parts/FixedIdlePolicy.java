package io.frameloom.taskgraph.parts;

import io.frameloom.taskgraph.IdlePolicy;

/**
 * A policy that looks at nothing, so that nothing need be measured for it.
 *
 * @param nanos the time to spin
 */
public record FixedIdlePolicy(long nanos) implements IdlePolicy {
    @Override
    public long spinNanos(long wakeLatencyNanos, int runnableThreads, int processors, int framesInProgress) {
        return nanos;
    }
}
