package io.frameloom.taskgraph;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks at all waits of a graph at a quarter of the limit and reports those that it keeps seeing for longer than
 * the limit, once each. A thread of its own, so that the waits themselves pay nothing.
 */
final class StallWatchdog extends Thread {
    private static final long SHORTEST_PERIOD_NANOS = 1_000_000L;

    private final TaskGraph graph;
    private final long limitNanos;
    private final StallListener listener;
    private List<Wait> known = new ArrayList<>();
    private volatile boolean ended;

    /** One wait, seen since a time: for an event, or for a run of a number. */
    private static final class Wait {
        final Thread thread;
        final Object awaited;
        final long run;
        final long since;
        boolean reported;

        Wait(Thread thread, Object awaited, long run, long since) {
            this.thread = thread;
            this.awaited = awaited;
            this.run = run;
            this.since = since;
        }
    }

    StallWatchdog(TaskGraph graph, Duration limit, StallListener listener) {
        super(null, null, graph.name() + "-stall-watchdog", 0, false);
        this.graph = graph;
        this.limitNanos = limit.toNanos();
        this.listener = listener;
        setDaemon(true);
    }

    /** Ends the thread as soon as it has finished what it is reporting. Any thread. */
    void end() {
        ended = true;
        LockSupport.unpark(this);
    }

    @Override
    public void run() {
        long period = Math.max(SHORTEST_PERIOD_NANOS, limitNanos / 4);
        while (!ended) {
            LockSupport.parkNanos(this, period);
            // Nobody interrupts it for a reason, and a pending interrupt would keep it from parking.
            Thread.interrupted();
            if (!ended) {
                look(System.nanoTime());
            }
        }
    }

    private void look(long now) {
        List<Wait> present = new ArrayList<>();
        for (WorkerThread worker : graph.workers().workers()) {
            add(present, worker.context, now);
        }
        for (NamedLane lane : graph.lanes().all()) {
            ThreadContext context = lane.attached();
            if (context != null) {
                add(present, context, now);
            }
        }
        for (ForeignWaits.Entry entry : graph.foreignWaits().entries()) {
            present.add(known(entry.thread, entry.event, 0L, now));
        }
        for (RunEvent run : graph.compiledRuns().inProgress()) {
            long number = run.generation();
            for (Thread thread : run.waitingThreads()) {
                present.add(known(thread, run, number, now));
            }
        }
        known = present;
        for (Wait wait : present) {
            if (!wait.reported && now - wait.since >= limitNanos) {
                wait.reported = true;
                report(wait, now);
            }
        }
    }

    private void add(List<Wait> present, ThreadContext context, long now) {
        GraphEvent event = context.waitingFor();
        if (event != null) {
            present.add(known(context.thread, event, 0L, now));
        }
    }

    private Wait known(Thread thread, Object awaited, long run, long now) {
        for (Wait wait : known) {
            if (wait.thread == thread && wait.awaited == awaited && wait.run == run) {
                return wait;
            }
        }
        return new Wait(thread, awaited, run, now);
    }

    private void report(Wait wait, long now) {
        try {
            StallExplanation explanation = wait.awaited instanceof RunEvent run
                    ? StallGraph.explain(graph, run, wait.thread)
                    : StallGraph.explain((GraphEvent) wait.awaited, wait.thread);
            if (!explanation.steps().isEmpty()) {
                listener.stalled(wait.thread, Duration.ofNanos(now - wait.since), explanation);
            }
        } catch (RuntimeException | Error e) {
            graph.reportUncaught("stall listener", e);
        }
    }
}
