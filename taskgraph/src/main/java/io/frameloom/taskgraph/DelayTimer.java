package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.Arguments;
import io.frameloom.taskgraph.internal.ThreadParker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Completes events after a time, on one daemon thread that is started at the first delay.
 *
 * <p>Any thread may schedule; the heap belongs to the timer thread alone, and new delays reach it through a
 * queue. The timer thread publishes when it will wake ({@code nextWake}), announces its park and looks at
 * the queue once more; a scheduler puts its delay into the queue and then looks at {@code nextWake}. Both
 * are volatile, so either the timer sees the delay before it parks, or the scheduler sees the time until
 * which the timer parks and wakes it if that is too late. A delay that is not urgent wakes nobody.
 * Scheduling is lock-free but for the start of the thread.
 *
 * <p>Closing the graph fails what is pending: the timer thread does it as its last act, and whoever
 * schedules looks at the closing flag afterwards and then fails his own delay.
 */
final class DelayTimer {
    /** Differences of nanoTime are meaningful up to 2^63. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    private static final Duration LONGEST = Duration.ofNanos(LONGEST_NANOS);

    private static final VarHandle THREAD;

    static {
        try {
            THREAD = MethodHandles.lookup().findVarHandle(DelayTimer.class, "thread", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final TaskGraph graph;
    private final ThreadParker parker;
    private final ConcurrentLinkedQueue<Delay> submitted = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread thread;
    private volatile long nextWake;

    /** A pending delay. */
    private final class Delay implements Needs, Comparable<Delay> {
        final long due;
        final Promise promise;

        Delay(String name, long due) {
            this.due = due;
            this.promise = new Promise(graph, name, this);
        }

        @Override
        public int compareTo(Delay other) {
            return Long.signum(due - other.due);
        }

        @Override
        public WaitReason waitReason() {
            long left = due - nanoTime();
            return WaitReason.of(
                    left > 0
                            ? "waits until its time is up, in "
                                    + BigDecimal.valueOf(left, 9).setScale(3, RoundingMode.CEILING) + " s"
                            : "was due, and thread " + graph.name() + "-timer is about to complete it");
        }

        @Override
        public void run() {
            throw new IllegalStateException("the delay '" + promise.event().name() + "' has no body to run");
        }
    }

    DelayTimer(TaskGraph graph) {
        this.graph = graph;
        this.parker = new ThreadParker(graph.scheduler());
    }

    /** Nanoseconds of a delay, limited to some seventy years. */
    static long nanosOf(Duration delay, String kind, String subject) {
        Arguments.required(delay, "delay", kind, subject);
        if (delay.isNegative()) {
            throw new IllegalArgumentException(
                    kind + " '" + subject + "': delay must not be negative, but is " + delay);
        }
        return delay.compareTo(LONGEST) > 0 ? LONGEST_NANOS : delay.toNanos();
    }

    /** An event that completes when the given time has passed from now. */
    GraphEvent after(String name, long nanos) {
        graph.requireOpen(name);
        Delay delay = new Delay(name, nanoTime() + nanos);
        Promise promise = delay.promise;
        if (nanos == 0) {
            promise.tryComplete(null, graph.completer());
            return promise.event();
        }
        submitted.offer(delay);
        requireStarted();
        graph.reached(SchedulingPoint.WAKE, name);
        if (delay.due - nextWake < 0) {
            parker.wake();
        }
        if (graph.isClosing()) {
            promise.failByClose();
        }
        return promise.event();
    }

    /** Lets the timer thread see that the graph is closing. */
    void wake() {
        parker.wake();
    }

    boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    /**
     * Called after the delay was submitted. Whoever starts the thread and cannot fails what was submitted until then:
     * others counted on him. Those who submit later see that there is no thread.
     */
    private void requireStarted() {
        if (thread != null) {
            return;
        }
        Thread fresh = new Thread(null, () -> graph.runScheduled(this::run), graph.name() + "-timer", 0, false);
        fresh.setDaemon(true);
        if (!THREAD.compareAndSet(this, (Thread) null, fresh)) {
            return;
        }
        boolean running = false;
        try {
            if (graph.lifecycle().threadStarts(fresh)) {
                try {
                    graph.startThread(fresh);
                    running = true;
                } finally {
                    if (!running) {
                        graph.lifecycle().threadNotStarted(fresh);
                    }
                }
            }
        } finally {
            if (!running) {
                thread = null;
                PriorityQueue<Delay> stranded = new PriorityQueue<>();
                takeSubmitted(stranded);
                failAll(stranded);
            }
        }
    }

    private static void failAll(PriorityQueue<Delay> delays) {
        for (Delay delay : delays) {
            delay.promise.failByClose();
        }
    }

    private void run() {
        PriorityQueue<Delay> pending = new PriorityQueue<>();
        Completer completer = new Completer(graph, null);
        try {
            while (!graph.isClosing()) {
                takeSubmitted(pending);
                long now = nanoTime();
                fire(pending, now, completer);
                Delay first = pending.peek();
                graph.reached(SchedulingPoint.RECHECK, null);
                nextWake = first == null ? now + 2 * LONGEST_NANOS : first.due;
                parker.prepare();
                graph.reached(SchedulingPoint.RECHECK, null);
                if (!submitted.isEmpty() || graph.isClosing()) {
                    parker.cancel();
                } else if (first == null) {
                    parker.park();
                } else {
                    parker.parkUntil(first.due);
                }
            }
        } finally {
            takeSubmitted(pending);
            failAll(pending);
            graph.lifecycle().threadEnded();
        }
    }

    private void takeSubmitted(PriorityQueue<Delay> pending) {
        for (Delay delay = submitted.poll(); delay != null; delay = submitted.poll()) {
            pending.add(delay);
        }
    }

    private static void fire(PriorityQueue<Delay> pending, long now, Completer completer) {
        for (Delay first = pending.peek(); first != null && first.due - now <= 0; first = pending.peek()) {
            pending.poll();
            first.promise.tryComplete(null, completer);
        }
    }

    private long nanoTime() {
        ThreadScheduler scheduler = graph.scheduler();
        return scheduler == null ? System.nanoTime() : scheduler.nanoTime();
    }
}
