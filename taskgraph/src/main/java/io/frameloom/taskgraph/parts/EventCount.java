package io.frameloom.taskgraph.parts;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.ThreadScheduler;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets idle threads sleep until there may be work, without lost wake-ups and without a lock.
 *
 * <p><b>Use.</b> A waiter (identified by an id below the limit given at creation, used by one thread at a
 * time): {@link #prepareWait()}, look for work once more, then exactly one of {@link #cancelWait()} and
 * {@link #commitWait}. A notifier, any thread: publish the work, then {@link #notifyOne()}.
 *
 * <p>The protocol is that of Dmitry Vyukov's eventcount as used in Eigen's thread pool; the counters here
 * are wide enough for 1,000 waiters and the version for 2^34 parks within one stalled compare-and-set.
 *
 * <pre>
 *   63            30 29       20 19       10 9          0
 *  +----------------+-----------+-----------+------------+
 *  |    version     |  signals  | prewaiting| stack top  |
 *  +----------------+-----------+-----------+------------+
 * </pre>
 *
 * <p>{@code prewaiting} waiters are between prepare and commit or cancel; {@code signals} of them have
 * been notified; parked waiters form a stack (LIFO: the thread that slept shortest has the warmest
 * cache), {@code version} changes with every push on it and defeats ABA.
 *
 * <p><b>Linearization.</b> Each operation at its successful read-modify-write of the word; a notify that finds no
 * waiter at its load. <b>Memory order.</b> {@code prepareWait} is a volatile read-modify-write before the waiter's
 * second look, {@code notifyOne} begins with a full fence after the publication: either the look sees the work or the
 * notifier sees the waiter. <b>Invariant.</b> signals &lt;= prewaiting. <b>Progress.</b> All operations are lock-free,
 * except that {@code commitWait} blocks by purpose.
 *
 * <p><b>What only one waiter can do.</b> A signal names no waiter: a later waiter may consume that of an earlier one,
 * which is right for work that either can do. Something for one waiter alone is published, then {@link
 * #notifyAllWaiters()} is called, and the waiter looks at it in {@link #commitWait}, between the
 * load of the word and the push on the stack. The notifier's read-modify-write always changes the word: it pops a push
 * before it, and a push after it follows a load, and so a look, after it ({@code CallAgainstSleepStress}).
 */
public final class EventCount {
    /** Largest number of waiters. */
    public static final int MAX_WAITERS = 1000;

    private static final long STACK_MASK = 0x3FFL;
    private static final long STACK_EMPTY = STACK_MASK;
    private static final int PREWAIT_SHIFT = 10;
    private static final long PREWAIT_ONE = 1L << PREWAIT_SHIFT;
    private static final int SIGNAL_SHIFT = 20;
    private static final long SIGNAL_ONE = 1L << SIGNAL_SHIFT;
    private static final long VERSION_ONE = 1L << 30;

    private final PaddedLong state;
    private final Slot[] slots;
    private final @Nullable ThreadScheduler scheduler;

    /** A waiter's place in the stack. */
    private static final class Slot {
        final ThreadParker parker;
        volatile long next = STACK_EMPTY;

        Slot(@Nullable ThreadScheduler scheduler) {
            parker = new ThreadParker(scheduler);
        }
    }

    /**
     * An eventcount with so many waiters, at most {@link #MAX_WAITERS}, which the scheduler blocks and wakes, or the
     * operating system if that is null. Of the first version the low 34 bits count: tests reach the wrap-around.
     */
    public EventCount(int waiters, long version, @Nullable ThreadScheduler scheduler) {
        if (waiters < 0 || waiters > MAX_WAITERS) {
            throw new IllegalArgumentException("an eventcount has 0 to " + MAX_WAITERS + " waiters, not " + waiters);
        }
        this.scheduler = scheduler;
        slots = new Slot[waiters];
        for (int i = 0; i < waiters; i++) {
            slots[i] = new Slot(scheduler);
        }
        state = new PaddedLong(STACK_EMPTY | (version << 30));
    }

    /** Announces a wait. Must be followed by {@link #cancelWait()} or {@link #commitWait}. */
    public void prepareWait() {
        reached(SchedulingPoint.ANNOUNCE);
        state.getAndAdd(PREWAIT_ONE);
        reached(SchedulingPoint.RECHECK);
    }

    /**
     * Takes the announcement back, because work was found. Returns whether this waiter had to consume a notification;
     * the caller should pass it on when there is more work than it takes itself.
     */
    public boolean cancelWait() {
        reached(SchedulingPoint.PARK);
        while (true) {
            long s = state.valueVolatile();
            boolean consume = signals(s) == prewaiting(s);
            if (state.cas(s, s - PREWAIT_ONE - (consume ? SIGNAL_ONE : 0L))) {
                return consume;
            }
        }
    }

    /**
     * Sleeps until notified. Returns at once if a notification came since {@link #prepareWait()}, or if the waiter is
     * {@code wanted} for something that no other can do: that is asked before the sleep and must not block. {@code
     * sleep} parks the waiter; what it does before that, the waker need not pay for. Returns false if the waiter did
     * not sleep because it is wanted.
     */
    public boolean commitWait(int waiter, BooleanSupplier wanted, Consumer<ThreadParker> sleep) {
        Slot slot = slots[waiter];
        boolean announced = false;
        while (true) {
            reached(SchedulingPoint.PARK);
            long s = state.valueVolatile();
            boolean signalled = signals(s) > 0;
            if (signalled || wanted.getAsBoolean()) {
                if (state.cas(s, s - PREWAIT_ONE - (signalled ? SIGNAL_ONE : 0L))) {
                    if (announced) {
                        slot.parker.cancel();
                    }
                    return signalled;
                }
                continue;
            }
            if (!announced) {
                slot.parker.prepare();
                announced = true;
            }
            slot.next = s & STACK_MASK;
            if (state.cas(s, (((s - PREWAIT_ONE) & ~STACK_MASK) | waiter) + VERSION_ONE)) {
                sleep.accept(slot.parker);
                return true;
            }
        }
    }

    /** Wakes one waiter, if there is one that no earlier notification is on its way to. Returns whether there was. */
    public boolean notifyOne() {
        reached(SchedulingPoint.WAKE);
        VarHandle.fullFence();
        while (true) {
            long s = state.valueVolatile();
            if (signals(s) < prewaiting(s)) {
                if (state.cas(s, s + SIGNAL_ONE)) {
                    return true;
                }
                continue;
            }
            long top = s & STACK_MASK;
            if (top == STACK_EMPTY) {
                return false;
            }
            Slot slot = slots[(int) top];
            // A stale next is harmless: the version has changed then and the compare-and-set fails.
            if (state.cas(s, (s & ~STACK_MASK) | slot.next)) {
                slot.parker.wake();
                return true;
            }
        }
    }

    /** Wakes all present waiters. Returns how many that no earlier notification is on its way to. */
    public int notifyAllWaiters() {
        reached(SchedulingPoint.WAKE);
        VarHandle.fullFence();
        while (true) {
            long s = state.valueVolatile();
            if (state.cas(s, allNotified(s))) {
                int notified = (int) (prewaiting(s) - signals(s));
                long top = s & STACK_MASK;
                while (top != STACK_EMPTY) {
                    Slot slot = slots[(int) top];
                    // Read before the wake-up: its owner may push it again.
                    top = slot.next;
                    slot.parker.wake();
                    notified++;
                }
                return notified;
            }
        }
    }

    /**
     * Lets all waiters go on wherever they are, see {@link ThreadParker#release}. Waiters that have prepared are
     * notified. Any thread, at the end of the graph only.
     */
    public void releaseAll() {
        long s;
        do {
            s = state.valueVolatile();
        } while (!state.cas(s, allNotified(s)));
        for (Slot slot : slots) {
            slot.parker.release();
        }
    }

    /**
     * Whether {@link #notifyOne()} would find a waiter. A hint; exact when ordered by a full fence after the
     * publication of work, as {@code notifyOne} itself does.
     */
    public boolean hasWaiters() {
        long s = state.valueVolatile();
        return (s & STACK_MASK) != STACK_EMPTY || signals(s) < prewaiting(s);
    }

    /**
     * How many nanoseconds the last sleep of a waiter took to end after its notification, 0 if it did not sleep; for
     * that waiter's thread.
     */
    public long lastWakeLatencyNanos(int waiter) {
        return slots[waiter].parker.lastWakeLatencyNanos();
    }

    private void reached(SchedulingPoint point) {
        ThreadScheduler given = scheduler;
        if (given != null) {
            given.reached(point, null);
        }
    }

    /** An empty stack, and a signal for each that has prepared. */
    private static long allNotified(long s) {
        long all = (s & ~(STACK_MASK << SIGNAL_SHIFT)) | (prewaiting(s) << SIGNAL_SHIFT) | STACK_EMPTY;
        return all + VERSION_ONE;
    }

    private static long signals(long s) {
        return (s >>> SIGNAL_SHIFT) & STACK_MASK;
    }

    private static long prewaiting(long s) {
        return (s >>> PREWAIT_SHIFT) & STACK_MASK;
    }
}
