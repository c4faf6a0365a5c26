package io.frameloom.taskgraph.parts;

import io.frameloom.taskgraph.OperatingSystemThreads;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.ThreadScheduler;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Parks one thread at a time; a waker pays for {@code unpark} only if the thread is really parked.
 *
 * <p><b>Use.</b> The waiting thread: {@link #prepare()}, look again at everything it waits for, then
 * either {@link #cancel()} or {@link #park()}, and on return look again. A waker: publish the condition,
 * then {@link #wake()}. {@code prepare}, {@code cancel} and {@code park} belong to one thread at a time;
 * {@code wake} may be called by any thread at any time.
 *
 * <pre>
 *   RUNNING --prepare--> ANNOUNCED --park--> PARKED
 *      ^--cancel, wake (free)--+               |
 *      +-----------wake (unpark)---------------+
 * </pre>
 *
 * <p><b>Linearization.</b> {@code prepare} at its volatile store, {@code wake} at its successful compare-and-set or at
 * the load that sees RUNNING. <b>Memory order.</b> {@code prepare} is a volatile store followed by a full fence and
 * {@code wake} begins with a full fence: either the waiter's second look sees the condition, or the waker sees
 * ANNOUNCED or PARKED (store-load on both sides). The park returns only after a {@code wake} took the state back, so a
 * stale permit of {@link LockSupport} or an interrupt costs one more turn, never a lost or a false return.
 * <b>Progress.</b> {@code wake} is lock-free.
 *
 * <p>An interrupt neither ends the park nor gets lost: it is cleared while parked (a pending interrupt
 * would make every park return at once) and set again on return.
 *
 * <p>A {@link ThreadScheduler}, if there is one, blocks and wakes the thread and keeps the time.
 */
public final class ThreadParker {
    private static final int RUNNING = 0;
    private static final int ANNOUNCED = 1;
    private static final int PARKED = 2;

    private static final ThreadScheduler SYSTEM = new OperatingSystemThreads();

    private static final VarHandle STATE =
            Fields.handle(MethodHandles.lookup(), ThreadParker.class, "state", int.class);

    private final ThreadScheduler scheduler;
    private volatile int state;
    /** Written before the state is announced, read after the state was seen as PARKED. */
    private @Nullable Thread owner;

    private volatile long wakeStamp;
    private long wakeLatency;

    /** A parker whose thread runs; without a scheduler the operating system blocks and wakes it. */
    public ThreadParker(@Nullable ThreadScheduler scheduler) {
        this.scheduler = scheduler == null ? SYSTEM : scheduler;
    }

    /** Announces that the calling thread is about to park. */
    public void prepare() {
        scheduler.reached(SchedulingPoint.ANNOUNCE, null);
        owner = Thread.currentThread();
        state = ANNOUNCED;
        VarHandle.fullFence();
        scheduler.reached(SchedulingPoint.RECHECK, null);
    }

    public void cancel() {
        state = RUNNING;
    }

    /**
     * Waits actively for a {@link #wake()} that came after {@link #prepare()}, which then costs the waker no {@code
     * unpark}. The thread must still {@link #park()}. Returns whether there was one within so many nanoseconds.
     */
    public boolean spin(long nanos) {
        if (nanos <= 0L) {
            return false;
        }
        long begin = scheduler.nanoTime();
        do {
            for (int i = 0; i < 16; i++) {
                if (state == RUNNING) {
                    return true;
                }
                Thread.onSpinWait();
            }
        } while (scheduler.nanoTime() - begin < nanos);
        return false;
    }

    /** Parks until a {@link #wake()} that came after {@link #prepare()}. */
    public void park() {
        parkUntil(false, 0L);
    }

    /**
     * Parks as {@link #park()}, but not beyond a deadline, which is on the clock of {@link System#nanoTime()} or of the
     * scheduler. Returns false if the deadline passed without a wake.
     */
    public boolean parkUntil(long deadlineNanos) {
        return parkUntil(true, deadlineNanos);
    }

    private boolean parkUntil(boolean timed, long deadlineNanos) {
        wakeLatency = 0L;
        scheduler.reached(SchedulingPoint.PARK, null);
        if (!casState(ANNOUNCED, PARKED)) {
            return true;
        }
        boolean interrupted = false;
        try {
            while (state == PARKED) {
                interrupted |= Thread.interrupted();
                if (!timed) {
                    scheduler.park(this);
                } else if (deadlineNanos - scheduler.nanoTime() > 0) {
                    scheduler.parkUntil(this, deadlineNanos);
                } else if (casState(PARKED, RUNNING)) {
                    return false;
                }
            }
            wakeLatency = Math.max(0L, scheduler.nanoTime() - wakeStamp);
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Lets the thread go on if it has announced or begun a park. Returns whether a park was ended or prevented. */
    public boolean wake() {
        scheduler.reached(SchedulingPoint.WAKE, null);
        VarHandle.fullFence();
        while (true) {
            int seen = state;
            if (seen == RUNNING) {
                return false;
            }
            if (seen == PARKED) {
                wakeStamp = scheduler.nanoTime();
                if (casState(PARKED, RUNNING)) {
                    // Read only now: before, the parked thread could change hands and a stale one be unparked.
                    unblock();
                    return true;
                }
            } else if (casState(ANNOUNCED, RUNNING)) {
                return true;
            }
        }
    }

    /**
     * Lets the thread go on wherever it is, also if a {@link #wake} was cut short by an error. For the end of the
     * graph; what the thread waits for has not happened. Any thread.
     */
    public void release() {
        state = RUNNING;
        // Read only now: a thread that parks after this store sees why it must not.
        unblock();
    }

    /** The thread that has announced or begun a park, or null if it runs; for reports. Any thread. */
    public @Nullable Thread parkedThread() {
        return state == RUNNING ? null : owner;
    }

    /**
     * How many nanoseconds the last park took to return after its wake, seen by the parking thread; 0 if it did not
     * block or ran into its deadline.
     */
    public long lastWakeLatencyNanos() {
        return wakeLatency;
    }

    private void unblock() {
        Thread parked = owner;
        if (parked != null) {
            scheduler.unpark(parked);
        }
    }

    private boolean casState(int expected, int desired) {
        return STATE.compareAndSet(this, expected, desired);
    }
}
