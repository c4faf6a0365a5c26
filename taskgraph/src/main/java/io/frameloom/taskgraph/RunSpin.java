package io.frameloom.taskgraph;

import org.jspecify.annotations.Nullable;

/** How long a participant of a run looks for work before it leaves or parks. */
final class RunSpin {
    /** The pauses within a run are short, so it pays to assume a slow wake-up before one was measured. */
    private static final long LEAST_WAKE_NANOS = 20_000L;

    private RunSpin() {}

    /** By the idle policy, with the calling thread itself not counted: it runs either way. */
    static long nanos(TaskGraph graph, @Nullable ThreadContext self) {
        int runnable = (int) graph.runnable().valueOpaque() - (self == null ? 0 : 1);
        try {
            return graph.options()
                    .idlePolicy()
                    .spinNanos(Math.max(LEAST_WAKE_NANOS, graph.wakeLatency().nanos()), runnable, graph.processors());
        } catch (RuntimeException | Error e) {
            graph.reportUncaught("idle policy", e);
            return 0L;
        }
    }
}
