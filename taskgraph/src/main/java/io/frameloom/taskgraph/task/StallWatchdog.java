package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.StallExplanation;
import io.frameloom.taskgraph.StallListener;
import io.frameloom.taskgraph.parts.Deadline;
import io.frameloom.taskgraph.parts.ThreadParker;
import java.time.Duration;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * Reports waits that take too long. The waiting thread does so itself: it parks until its next report is due. So no
 * thread looks after others. A wait that ends earlier pays for three looks at the clock and a timed park.
 *
 * <p>Reports of a wait come after the limit, and then after gaps that double. A wait that runs tasks when a report is
 * due leaves it out. Immutable; called by waiting threads, any number at a time.
 */
public final class StallWatchdog {
    private final GraphCore graph;
    /** Zero if nothing is reported. */
    private final long limitNanos;

    private final StallListener listener;
    private final Explainer explainer;

    /** Says why a wait has not ended. */
    @FunctionalInterface
    public interface Explainer {
        /**
         * Explains a wait.
         *
         * @param awaited an event, a run, or the graph that the thread closes
         */
        StallExplanation explain(GraphCore graph, Object awaited, Thread waiting);
    }

    StallWatchdog(GraphCore graph, Duration limit, StallListener listener, Explainer explainer) {
        this.graph = graph;
        this.limitNanos = Deadline.nanosOf(limit);
        this.listener = listener;
        this.explainer = explainer;
    }

    /**
     * Parks; must follow {@code parker.prepare()} and the second look.
     *
     * @param awaited the event or run that the thread waits for, or the graph that it closes; reports of waits show it
     * @param begun what the wait's park before this one returned, 0 for the first
     * @return when the wait began to park
     */
    public long park(ThreadParker parker, Deadline deadline, Object awaited, long begun) {
        if (limitNanos == 0L) {
            deadline.park(parker);
            return 0L;
        }
        long now = System.nanoTime();
        // Zero stands for a wait that has not parked.
        long since = begun == 0L ? now | 1L : begun;
        long due = since + nextReport(now - since);
        if (deadline.isBefore(due)) {
            deadline.park(parker);
        } else if (!parker.parkUntil(due)) {
            report(since, () -> explain(parker, awaited));
        }
        return since;
    }

    /**
     * Waits for something that is neither an event nor a run, also after the graph has stopped: a device has to be idle
     * before it is given up.
     *
     * @param over waits for some nanoseconds at most and answers whether the wait is over
     * @return what {@code over} has answered last
     */
    public boolean await(String name, Supplier<String> reason, long nanos, LongPredicate over) {
        long begun = System.nanoTime();
        long left = nanos;
        for (long gap = limitNanos; gap > 0L && gap < left; gap += gap) {
            if (over.test(gap)) {
                return true;
            }
            left -= gap;
            report(
                    begun,
                    () -> new StallExplanation(
                            name,
                            List.of(new StallExplanation.Step(
                                    "'" + name + "'", WaitReason.said(reason), null, List.of())),
                            -1));
        }
        return over.test(left);
    }

    private long nextReport(long waited) {
        long next = limitNanos;
        while (next <= waited) {
            next += next + limitNanos;
        }
        return next;
    }

    private void report(long since, Supplier<StallExplanation> why) {
        try {
            StallExplanation explanation = why.get();
            if (!explanation.steps().isEmpty()) {
                listener.stalled(Thread.currentThread(), Duration.ofNanos(System.nanoTime() - since), explanation);
            }
        } catch (Throwable e) {
            graph.reportUncaught("stall listener", e);
        }
    }

    /** Of the threads that wait for a run, those are known whose parkers are announced. */
    private StallExplanation explain(ThreadParker parker, Object awaited) {
        Thread waiting = Thread.currentThread();
        parker.prepare();
        try {
            return explainer.explain(graph, awaited, waiting);
        } finally {
            parker.cancel();
        }
    }
}
