package io.frameloom.taskgraph.deterministic;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which thread has the next turn of a run, keeps its clock and its log, and notices when no thread can go on.
 * Belongs to the thread that has the baton; only {@link #failure} and {@link #progress} are for any thread.
 */
final class Turns {
    /** Close to the overflow, so that code that compares times instead of subtracting them is found. */
    private static final long FIRST_TIME = Long.MAX_VALUE - 1_000_000_000L;

    /** A thread that went on so often while others could have goes last for once. */
    private static final int LONGEST_STRETCH = 1_000;

    private static final int DEEPEST_STACK = 40;

    private final Policy policy;
    private final int maxSteps;
    private final boolean timePasses;

    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicInteger progress = new AtomicInteger();

    private final List<ControlledThread> threads = new ArrayList<>();
    private final List<Graph> graphs = new ArrayList<>();
    private final List<ControlledThread> ready = new ArrayList<>();
    private final RunLog log = new RunLog();
    private long now = FIRST_TIME;
    private int stretch;
    private boolean aborting;
    private boolean reporting;

    /** A graph of the program. */
    private static final class Graph {
        final String name;
        final Supplier<String> waits;
        boolean closing;

        Graph(String name, Supplier<String> waits) {
            this.name = name;
            this.waits = waits;
        }
    }

    Turns(Exploration exploration, Policy policy) {
        this.policy = policy;
        this.maxSteps = exploration.maxSteps();
        this.timePasses = exploration.isTimePassing();
    }

    ControlledThread add(Thread thread, boolean ofProgram) {
        ControlledThread added = new ControlledThread(threads.size(), thread, ofProgram);
        threads.add(added);
        return added;
    }

    void explainWith(String graph, Supplier<String> waits) {
        graphs.add(new Graph(graph, waits));
    }

    void closing(String name) {
        for (Graph graph : graphs) {
            if (!graph.closing && graph.name.equals(name)) {
                graph.closing = true;
                return;
            }
        }
    }

    RunLog log() {
        return log;
    }

    long now() {
        return now;
    }

    /** Whether the run has failed and its threads unwind. */
    boolean isAborting() {
        return aborting;
    }

    /** Whether a report is being written, which must not change what it reports. */
    boolean isReporting() {
        return reporting;
    }

    @Nullable
    Throwable failure() {
        return failure.get();
    }

    /** Grows while the run goes on. */
    int progress() {
        return progress.get();
    }

    /** Keeps the first failure; for a thread that has died, which has no baton. */
    void noteFailure(Throwable t) {
        failure.compareAndSet(null, t);
    }

    void fail(Throwable t) {
        noteFailure(t);
        aborting = true;
    }

    /** The thread that goes on after the given one; null when all have ended. */
    @Nullable
    ControlledThread next(ControlledThread me) {
        progress.lazySet(log.length());
        return aborting ? nextToUnwind(me) : decide(me);
    }

    private @Nullable ControlledThread decide(ControlledThread me) {
        findReady();
        if (ready.isEmpty()) {
            findEarliest();
        }
        if (ready.isEmpty()) {
            return allEnded() ? null : abort(me, stuck());
        }
        if (log.length() >= maxSteps) {
            return abort(me, new LivelockException(report("livelock? no end after " + maxSteps + " steps")));
        }
        if (stretch >= LONGEST_STRETCH && ready.size() > 1) {
            ready.remove(me);
        }
        ControlledThread next;
        try {
            next = policy.choose(ready, me, log.length());
        } catch (RuntimeException e) {
            return abort(me, e);
        }
        stretch = next == me ? stretch + 1 : 0;
        log.decide(next);
        if (next.waitsForTime() && !next.canRun(now)) {
            now = next.deadline;
        }
        return next;
    }

    /** Collects the threads that can run now; empty if only time can let one run. */
    private void findReady() {
        ready.clear();
        boolean any = false;
        for (ControlledThread thread : threads) {
            boolean can = thread.canRun(now);
            any |= can;
            if (can || (timePasses && thread.waitsForTime())) {
                ready.add(thread);
            }
        }
        if (!any) {
            ready.clear();
        }
    }

    /** Collects the threads with the earliest deadline. */
    private void findEarliest() {
        long earliest = Long.MAX_VALUE;
        for (ControlledThread thread : threads) {
            if (thread.waitsForTime()) {
                earliest = Math.min(earliest, thread.deadline - now);
            }
        }
        for (ControlledThread thread : threads) {
            if (thread.waitsForTime() && thread.deadline - now == earliest) {
                ready.add(thread);
            }
        }
    }

    /** Why no thread can go on although threads are left. */
    private RuntimeException stuck() {
        List<String> open = new ArrayList<>();
        for (Graph graph : graphs) {
            if (!graph.closing) {
                open.add("'" + graph.name + "'");
            }
        }
        if (open.isEmpty() || !programEnded()) {
            return new DeadlockException(report("deadlock: no thread can run"));
        }
        return new IllegalStateException(report("the program has ended without closing task graph "
                + String.join(" and ", open) + ", whose threads are left; close it, best by try-with-resources"));
    }

    private boolean programEnded() {
        for (ControlledThread thread : threads) {
            if (thread.ofProgram && thread.state != ControlledThread.State.ENDED) {
                return false;
            }
        }
        return true;
    }

    private boolean allEnded() {
        for (ControlledThread thread : threads) {
            if (thread.state != ControlledThread.State.ENDED) {
                return false;
            }
        }
        return true;
    }

    private @Nullable ControlledThread abort(ControlledThread me, Throwable why) {
        fail(why);
        return nextToUnwind(me);
    }

    /** One thread after the other unwinds to its end, the present one first. */
    private @Nullable ControlledThread nextToUnwind(ControlledThread me) {
        if (me.state != ControlledThread.State.ENDED) {
            return me;
        }
        for (ControlledThread thread : threads) {
            if (thread.state != ControlledThread.State.ENDED) {
                return thread;
            }
        }
        return null;
    }

    /** What every thread does, with stacks, and what the graphs say about it. */
    private String report(String headline) {
        StringBuilder text = new StringBuilder(headline);
        for (ControlledThread thread : threads) {
            text.append("\n  ").append(thread.id).append(' ').append(thread.name());
            text.append(": ").append(thread.describe());
            if (thread.state != ControlledThread.State.ENDED) {
                appendStack(text, thread.thread);
            }
        }
        reporting = true;
        try {
            graphs.forEach(graph -> text.append("\n").append(graph.waits.get().strip()));
        } finally {
            reporting = false;
        }
        return text.toString();
    }

    private static void appendStack(StringBuilder text, Thread thread) {
        boolean inside = true;
        int lines = 0;
        for (StackTraceElement frame : thread.getStackTrace()) {
            inside &= isMachinery(frame.getClassName());
            if (!inside && lines++ < DEEPEST_STACK) {
                text.append("\n      at ").append(frame);
            }
        }
    }

    private static boolean isMachinery(String className) {
        return className.startsWith("java.")
                || className.startsWith("jdk.")
                || className.equals(DeterministicScheduler.class.getName())
                || className.equals(Turns.class.getName());
    }
}
