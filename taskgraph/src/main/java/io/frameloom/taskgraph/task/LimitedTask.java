package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.ConcurrencyLimiter;
import io.frameloom.taskgraph.SlotBody;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One task of a {@link ConcurrencyLimiter}. It counts the prerequisites of its task a second time, in order
 * to ask for a slot when they are complete and not before.
 */
public final class LimitedTask extends Admission {
    private static final int NONE = -1;

    private final LimiterSlots limiter;
    /** Prerequisites that are not complete, the release if it is held, and one for the set-up. */
    private final AtomicInteger unready = new AtomicInteger();

    private volatile boolean waits;
    /** Written before the admission. */
    private int slot = NONE;

    public LimitedTask(GraphCore graph, LimiterSlots limiter, SlotBody body) {
        super(graph);
        this.limiter = limiter;
        setWork(() -> body.run(slot));
    }

    /**
     * The events know the task already and notify it first: after the last has notified this, the task has seen every
     * failure.
     */
    @Override
    void enter(CoreEvent[] events, boolean held, Completer completer) {
        unready.set(events.length + (held ? 1 : 0) + 1);
        int done = 1;
        for (CoreEvent event : events) {
            if (!event.addSubsequent(this)) {
                done++;
            }
        }
        count(done, completer);
    }

    @Override
    void released(Completer completer) {
        count(1, completer);
    }

    @Override
    void prerequisiteEnded(Completer completer) {
        count(1, completer);
    }

    private void count(int met, Completer completer) {
        if (unready.addAndGet(-met) == 0) {
            ready(completer);
        }
    }

    private void ready(Completer completer) {
        if (task().skipReason() != null) {
            admit(completer);
        } else {
            waits = true;
            limiter.enqueue(this, completer);
        }
    }

    boolean waits() {
        return waits;
    }

    void start(int freeSlot, Completer completer) {
        slot = freeSlot;
        waits = false;
        admit(completer);
    }

    @Override
    void ended(Completer completer) {
        if (slot != NONE) {
            limiter.giveBack(slot, completer);
        }
    }

    @Override
    public CoreEvent[] alternatives() {
        return waits ? limiter.unstartedHolders() : CoreEvent.NO_EVENTS;
    }

    @Override
    public @Nullable WaitReason waitReason() {
        return waits ? limiter.waitReason(this) : null;
    }
}
