package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.parts.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What only few events have: failures, and waits that ended before the event was complete.
 *
 * <p><b>Spare waiters.</b> A wait that timed out, or an event that lost a race, cannot take its waiter off the list, so
 * the next wait uses it again. An event keeps at most as many as waits that it was in at the same time. Any thread may
 * call {@link #takeSpares} and {@link #addSpare}. A stack after Treiber ("Systems programming: coping with
 * parallelism"). It is only taken as a whole, so that no waiter can come back between a look at the top and its
 * replacement; the thread that takes it puts the rest back. <b>Linearization.</b> At the exchange and the
 * compare-and-set of the top. <b>Memory order.</b> Both are volatile: the thread that takes a waiter sees what was
 * written to it before it was returned. <b>Progress.</b> Lock-free.
 */
final class RareState {
    private static final VarHandle SPARES =
            Fields.handle(MethodHandles.lookup(), RareState.class, "spareWaiters", Waiter.class);
    private static final VarHandle FAILED =
            Fields.handle(MethodHandles.lookup(), RareState.class, "failed", FailedPrerequisite.class);

    /**
     * A {@link Throwable}, or a {@link Failure} that stands for it. Written before the event's list is closed, read
     * after it was seen closed.
     */
    @Nullable
    Object failure;

    private volatile @Nullable Waiter spareWaiters;

    /** Of a task: the prerequisites whose outcome matters. */
    private volatile @Nullable FailedPrerequisite failed;

    @Nullable
    Waiter takeSpares() {
        return (Waiter) SPARES.getAndSet(this, (Waiter) null);
    }

    void addSpare(Waiter spare) {
        Waiter seen;
        do {
            seen = spareWaiters;
            spare.setNextSpare(seen);
        } while (!SPARES.compareAndSet(this, seen, spare));
    }

    void note(CoreEvent prerequisite, FailedPrerequisite.Effect effect) {
        FailedPrerequisite seen;
        do {
            seen = failed;
        } while (!FAILED.compareAndSet(this, seen, new FailedPrerequisite(prerequisite, effect, seen)));
    }

    @Nullable
    FailedPrerequisite failed() {
        return failed;
    }

    /** Once the outcome is computed: a long chain of skipped tasks must not keep all its events alive. */
    void forgetFailed() {
        failed = null;
    }
}
