package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.SubsequentList;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The waiters in the list of an event that wait for nobody any more: a wait that timed out, or an event that lost a race,
 * cannot take its waiter off the list, so the next wait uses it again. What an event keeps is bounded by the waits that
 * it was in at the same time. The super class of the event, which would need one object more otherwise.
 *
 * <p>Any thread may call any method. A stack after Treiber ("Systems programming: coping with parallelism"), which is
 * only ever taken as a whole, so that no waiter can come back between a look at the top and its replacement; whoever takes
 * it puts the rest back. <b>Linearization.</b> At the exchange and the compare-and-set of the top. <b>Memory order.</b>
 * Both are volatile: who takes a waiter sees what was written to it before it was returned. <b>Progress.</b> Lock-free.
 */
abstract class SpareWaiters extends SubsequentList<Subsequent> {
    private static final VarHandle SPARES;

    static {
        try {
            SPARES = MethodHandles.lookup().findVarHandle(SpareWaiters.class, "spareWaiters", Waiter.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // accessed through SPARES
    private volatile @Nullable Waiter spareWaiters;

    SpareWaiters(int outstanding) {
        super(outstanding);
    }

    /**
     * A waiter that is registered with this event and waits for nobody, or null. Who reuses it must look afterwards whether
     * the event is complete: the completion may have passed it.
     */
    final @Nullable Waiter takeSpare() {
        Waiter spare = (Waiter) SPARES.getAndSet(this, (Waiter) null);
        if (spare != null) {
            returnSpares(spare.nextSpare());
        }
        return spare;
    }

    /** Ends a wait before the event is complete; the registration is kept for the next one. */
    final void forgetWaiter(Waiter waiter) {
        waiter.forget();
        returnSpare(waiter);
    }

    /** Keeps a registered waiter that waits for nobody for the next one. */
    final void returnSpare(Waiter waiter) {
        waiter.setNextSpare(null);
        returnSpares(waiter);
    }

    private void returnSpares(@Nullable Waiter first) {
        Waiter at = first;
        while (at != null) {
            Waiter following = at.nextSpare();
            Waiter seen;
            do {
                seen = spareWaiters;
                at.setNextSpare(seen);
            } while (!SPARES.compareAndSet(this, seen, at));
            at = following;
        }
    }
}
