package io.frameloom.gpu;

import java.util.concurrent.atomic.LongAdder;

/** Counts what a pipeline library does. Any thread. */
final class PipelineCounters {
    final LongAdder compilations = new LongAdder();
    final LongAdder shared = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder reloads = new LongAdder();
    final LongAdder raised = new LongAdder();
    final LongAdder binds = new LongAdder();
    final LongAdder waits = new LongAdder();
    final LongAdder waitNanos = new LongAdder();
    final LongAdder skips = new LongAdder();
    final LongAdder fallbacks = new LongAdder();

    PipelineLibraryStatistics statistics(long unoptimised) {
        return new PipelineLibraryStatistics(
                compilations.sum(),
                shared.sum(),
                failures.sum(),
                reloads.sum(),
                raised.sum(),
                binds.sum(),
                waits.sum(),
                waitNanos.sum(),
                skips.sum(),
                fallbacks.sum(),
                unoptimised);
    }
}
