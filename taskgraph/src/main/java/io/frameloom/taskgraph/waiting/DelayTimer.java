package io.frameloom.taskgraph.waiting;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.ThreadScheduler;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.parts.Fields;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.task.BoundTokens;
import io.frameloom.taskgraph.task.Completer;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.FailStop;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.Needs;
import io.frameloom.taskgraph.task.Promise;
import io.frameloom.taskgraph.task.TokenState;
import io.frameloom.taskgraph.task.WaitReason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Completes events after a time, or when a token is cancelled, on one daemon thread that is started at the first delay
 * or batch. It also has the runs of batches looked at while one thread has them to itself.
 *
 * <p>Any thread may schedule; {@link PendingDelays} belong to the timer thread alone, and new delays reach it through a
 * queue. The timer thread publishes when it will wake ({@code nextWake}), announces its park and looks at the queue
 * once more; a scheduler puts its delay into the queue and then looks at {@code nextWake}. Both are volatile. So either
 * the timer sees the delay before it parks, or the scheduler sees the time until which the timer parks and wakes it if
 * that is too late. A delay that is not urgent wakes no thread. Scheduling is lock-free but for the start of the
 * thread.
 *
 * <p>The timer registers with a token before a delay that the token cancels is submitted. So either the canceller finds
 * the timer and sends it the token, or the thread that takes the delay from the queue sees the token cancelled.
 *
 * <p>Closing the graph fails what is pending: the timer thread does it as its last act. The thread that schedules looks
 * at the closing flag afterwards and then fails its own delay.
 */
public final class DelayTimer implements TokenState.Listener {
    /** How long a thread may have a run to itself before {@link #lookAtRuns} lets it be looked at. */
    private static final long LOOK_NANOS = 1_000_000L;

    /** Differences of nanoTime are meaningful up to 2^63. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    private static final Duration LONGEST = Duration.ofNanos(LONGEST_NANOS);

    private static final VarHandle THREAD =
            Fields.handle(MethodHandles.lookup(), DelayTimer.class, "thread", Thread.class);

    private final GraphCore graph;
    private final ThreadParker parker;
    private final ConcurrentLinkedQueue<Delay> submitted = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<TokenState> cancelledTokens = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread thread;
    private volatile long nextWake;
    private volatile int pendingCount;
    private final BooleanSupplier runs;
    /** When the runs are to be looked at, an odd number; 0 if they are not. */
    private final AtomicLong nextLook = new AtomicLong();

    /** A pending delay. */
    private final class Delay implements Needs, Comparable<Delay> {
        final long due;
        final Promise promise;
        final @Nullable BoundTokens tokens;
        /** Among delays of the same time; the timer thread's. */
        long number;

        Delay(String name, long due, @Nullable BoundTokens tokens) {
            this.due = due;
            this.promise = new Promise(graph, name, this);
            this.tokens = tokens;
        }

        boolean isCancelled() {
            return tokens != null && tokens.isCancelled();
        }

        @Override
        public int compareTo(Delay other) {
            int byTime = Long.signum(due - other.due);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
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
    }

    /** The pending delays of the timer thread, by time and by the tokens that end them, parents of tokens included. */
    private static final class PendingDelays {
        private final TreeSet<Delay> byTime = new TreeSet<>();
        private final Map<TokenState, Set<Delay>> byToken = new HashMap<>();
        private long added;

        int size() {
            return byTime.size();
        }

        @Nullable
        Delay first() {
            return byTime.isEmpty() ? null : byTime.first();
        }

        void add(Delay delay) {
            delay.number = added++;
            byTime.add(delay);
            for (BoundTokens at = delay.tokens; at != null; at = at.others()) {
                for (TokenState token = at.token(); token != null; token = token.parent()) {
                    byToken.computeIfAbsent(token, t -> new LinkedHashSet<>()).add(delay);
                }
            }
        }

        void remove(Delay delay) {
            byTime.remove(delay);
            for (BoundTokens at = delay.tokens; at != null; at = at.others()) {
                for (TokenState token = at.token(); token != null; token = token.parent()) {
                    Set<Delay> bound = byToken.get(token);
                    if (bound != null && bound.remove(delay) && bound.isEmpty()) {
                        byToken.remove(token);
                    }
                }
            }
        }

        List<Delay> of(TokenState token) {
            Set<Delay> bound = byToken.get(token);
            return bound == null ? List.of() : List.copyOf(bound);
        }
    }

    /**
     * A timer without a thread.
     *
     * @param runs looks at the runs in progress; answers whether it has to look again
     */
    public DelayTimer(GraphCore graph, BooleanSupplier runs) {
        this.graph = graph;
        this.runs = runs;
        this.parker = new ThreadParker(graph.scheduler());
    }

    /** Nanoseconds of a delay, limited to some seventy years. */
    public static long nanosOf(Duration delay, String kind, String subject) {
        Arguments.required(delay, "delay", kind, subject);
        if (delay.isNegative()) {
            throw new IllegalArgumentException(
                    kind + " '" + subject + "': delay must not be negative, but is " + delay);
        }
        return delay.compareTo(LONGEST) > 0 ? LONGEST_NANOS : delay.toNanos();
    }

    /** An event that completes when the given time has passed from now, or a token is cancelled. */
    public CoreEvent after(String name, long nanos, @Nullable BoundTokens tokens) {
        graph.requireOpen(name);
        try {
            return submit(name, nanos, tokens);
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
    }

    private CoreEvent submit(String name, long nanos, @Nullable BoundTokens tokens) {
        Delay delay = new Delay(name, nanoTime() + nanos, tokens);
        Promise promise = delay.promise;
        for (BoundTokens at = tokens; at != null; at = at.others()) {
            for (TokenState token = at.token(); token != null; token = token.parent()) {
                token.callWhenCancelled(this);
            }
        }
        if (nanos == 0 || delay.isCancelled()) {
            promise.tryComplete(null, graph.completer());
            return promise.event();
        }
        graph.reached(SchedulingPoint.ENQUEUE, name);
        submitted.offer(delay);
        requireStarted();
        graph.reached(SchedulingPoint.WAKE, name);
        if (delay.due - nextWake < 0 || delay.isCancelled()) {
            parker.wake();
        }
        if (graph.isClosing()) {
            promise.failByClose();
        }
        return promise.event();
    }

    /** Has the runs in progress looked at soon. Allocates nothing, and wakes the timer thread only once in a while. */
    public void lookAtRuns() {
        if (nextLook.get() != 0L || graph.isClosing()) {
            return;
        }
        long due = (nanoTime() + LOOK_NANOS) | 1L;
        if (nextLook.compareAndSet(0L, due)) {
            requireStarted();
            graph.reached(SchedulingPoint.WAKE, null);
            if (due - nextWake < 0) {
                parker.wake();
            }
        }
    }

    @Override
    public void cancelled(TokenState token) {
        try {
            cancelledTokens.offer(token);
            parker.wake();
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
    }

    /** How many delays the timer thread kept when it last parked. */
    public int pendingCount() {
        return pendingCount;
    }

    /** Lets the timer thread see that the graph is closing. */
    public void wake() {
        parker.wake();
    }

    /** Lets the timer thread go on where it parks, see {@link FailStop}. */
    public void release() {
        parker.release();
    }

    public boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    /** Called after the delay was submitted. */
    private void requireStarted() {
        if (thread != null) {
            return;
        }
        Runnable loop = () -> graph.failStop().guard(this::run);
        Thread fresh = new Thread(null, () -> graph.runScheduled(loop), graph.name() + "-timer", 0, false);
        fresh.setDaemon(true);
        if (!THREAD.compareAndSet(this, (Thread) null, fresh)) {
            return;
        }
        if (graph.threadStarts(fresh)) {
            graph.startThread(fresh);
        } else {
            thread = null;
            failSubmitted();
        }
    }

    private void failSubmitted() {
        for (Delay delay = submitted.poll(); delay != null; delay = submitted.poll()) {
            delay.promise.failByClose();
        }
    }

    private void run() {
        PendingDelays pending = new PendingDelays();
        Completer completer = new Completer(graph, null);
        while (!graph.isClosing()) {
            takeSubmitted(pending, completer);
            endCancelled(pending, completer);
            long now = nanoTime();
            fire(pending, now, completer);
            look(now);
            Delay first = pending.first();
            pendingCount = pending.size();
            graph.reached(SchedulingPoint.RECHECK, null);
            long looks = nextLook.get();
            long due = first == null ? now + 2 * LONGEST_NANOS : first.due;
            due = looks != 0L && looks - due < 0 ? looks : due;
            nextWake = due;
            parker.prepare();
            graph.reached(SchedulingPoint.RECHECK, null);
            if (!submitted.isEmpty() || !cancelledTokens.isEmpty() || nextLook.get() != looks || graph.isClosing()) {
                parker.cancel();
            } else if (first == null && looks == 0L) {
                parker.park();
            } else {
                parker.parkUntil(due);
            }
        }
        graph.requireRunning();
        for (Delay delay : pending.byTime) {
            delay.promise.failByClose();
        }
        failSubmitted();
        graph.threadEnded();
    }

    /** Looks at the runs when it is time. A run that begins afterwards asks for a look of its own. */
    private void look(long now) {
        long due = nextLook.get();
        if (due != 0L && due - now <= 0) {
            nextLook.set(0L);
            graph.reached(SchedulingPoint.RECHECK, null);
            if (runs.getAsBoolean()) {
                nextLook.compareAndSet(0L, (now + LOOK_NANOS) | 1L);
            }
        }
    }

    private void takeSubmitted(PendingDelays pending, Completer completer) {
        for (Delay delay = submitted.poll(); delay != null; delay = submitted.poll()) {
            if (delay.isCancelled()) {
                delay.promise.tryComplete(null, completer);
            } else {
                pending.add(delay);
            }
        }
    }

    private void endCancelled(PendingDelays pending, Completer completer) {
        for (TokenState token = cancelledTokens.poll(); token != null; token = cancelledTokens.poll()) {
            for (Delay delay : pending.of(token)) {
                pending.remove(delay);
                delay.promise.tryComplete(null, completer);
            }
        }
    }

    private static void fire(PendingDelays pending, long now, Completer completer) {
        for (Delay first = pending.first(); first != null && first.due - now <= 0; first = pending.first()) {
            pending.remove(first);
            first.promise.tryComplete(null, completer);
        }
    }

    private long nanoTime() {
        ThreadScheduler scheduler = graph.scheduler();
        return scheduler == null ? System.nanoTime() : scheduler.nanoTime();
    }
}
