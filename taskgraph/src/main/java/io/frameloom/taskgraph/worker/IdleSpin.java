package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.parts.Deadline;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.GraphCore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** How long a thread looks for work before it parks: what the idle policy says of the state of the graph. */
public final class IdleSpin {
    /** The pauses within a run are short, so it pays to assume a slow wake-up before one was measured. */
    private static final long LEAST_RUN_WAKE_NANOS = 20_000L;

    private IdleSpin() {}

    /** For a thread of the graph that is out of work. */
    static long nanos(GraphCore graph) {
        return ask(graph, graph.wakeLatency().nanos(), (int) graph.runnable().valueOpaque());
    }

    /** For a participant of a run, with the calling thread itself not counted: it runs either way. */
    public static long nanosInRun(GraphCore graph, @Nullable ThreadContext self) {
        return nanosInRun(graph, self, graph.framesInProgress());
    }

    /** As {@link #nanosInRun}, for the caller of a {@code parallelFor}, which is a frame by itself for this thread. */
    static long nanosInLoop(GraphCore graph, @Nullable ThreadContext self) {
        return nanosInRun(graph, self, graph.framesInProgress() + 1);
    }

    private static long nanosInRun(GraphCore graph, @Nullable ThreadContext self, int frames) {
        int others = (int) graph.runnable().valueOpaque() - (self == null ? 0 : 1);
        return ask(graph, Math.max(LEAST_RUN_WAKE_NANOS, graph.wakeLatency().nanos()), others, frames);
    }

    /**
     * Waits actively for an event, by a thread outside of the graph while a frame is in progress.
     *
     * @return whether the event is complete
     */
    public static boolean awaitForeign(CoreEvent event, Deadline deadline) {
        GraphCore graph = event.graph();
        if (graph.framesInProgress() == 0) {
            return event.isComplete();
        }
        long budget =
                ask(graph, graph.wakeLatency().nanos(), (int) graph.runnable().valueOpaque() + 1);
        return until(budget, deadline, event::isComplete) || event.isComplete();
    }

    /** Waits actively for some time at most; not at all if there is none. */
    static boolean until(long nanos, BooleanSupplier condition) {
        return until(nanos, Deadline.NEVER, condition);
    }

    static boolean until(long nanos, Deadline deadline, BooleanSupplier condition) {
        if (nanos <= 0L) {
            return false;
        }
        long begin = System.nanoTime();
        do {
            for (int i = 0; i < 16; i++) {
                if (condition.getAsBoolean()) {
                    return true;
                }
                Thread.onSpinWait();
            }
        } while (System.nanoTime() - begin < nanos && !deadline.passed());
        return false;
    }

    private static long ask(GraphCore graph, long wakeNanos, int runnable) {
        return ask(graph, wakeNanos, runnable, graph.framesInProgress());
    }

    private static long ask(GraphCore graph, long wakeNanos, int runnable, int frames) {
        try {
            return graph.options().idlePolicy().spinNanos(wakeNanos, runnable, graph.processors(), frames);
        } catch (Throwable e) {
            graph.reportUncaught("idle policy", e);
            return 0L;
        }
    }
}
