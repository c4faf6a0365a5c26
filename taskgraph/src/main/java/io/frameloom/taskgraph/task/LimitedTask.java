package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.ConcurrencyLimiter;
import io.frameloom.taskgraph.SlotBody;
import io.frameloom.taskgraph.parts.PrerequisiteCounter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One task of a {@link ConcurrencyLimiter}. It counts the prerequisites of its task a second time, in order
 * to ask for a slot when they are complete and not before.
 */
public final class LimitedTask extends Admission {
    private static final int NONE = -1;

    private final LimiterSlots limiter;
    private @Nullable SlotBody body;
    private @Nullable Unready unready;
    private volatile boolean waits;
    /** Written before the admission. */
    private int slot = NONE;

    private static final class Unready extends PrerequisiteCounter {
        Unready(int outstanding) {
            super(outstanding);
        }

        boolean met(int n) {
            return complete(n);
        }
    }

    public LimitedTask(GraphCore graph, LimiterSlots limiter, SlotBody body) {
        super(graph);
        this.limiter = limiter;
        this.body = body;
    }

    @Override
    public void cancelledBy(BoundTokens tokens, Task own) {
        SlotBody work = Objects.requireNonNull(body, "the task is not launched");
        body = given -> {
            own.requireWanted(tokens);
            work.run(given);
        };
    }

    /**
     * The events know the task already and notify it first: after the last has notified this, the task has seen every
     * failure.
     */
    @Override
    void enter(CoreEvent[] events, boolean held, Completer completer) {
        Unready counter = new Unready(events.length + (held ? 1 : 0) + 1);
        unready = counter;
        int done = 1;
        for (CoreEvent event : events) {
            if (!event.addSubsequent(this)) {
                done++;
            }
        }
        if (counter.met(done)) {
            ready(completer);
        }
    }

    @Override
    void released(Completer completer) {
        countOne(completer);
    }

    @Override
    void prerequisiteEnded(Completer completer) {
        countOne(completer);
    }

    private void countOne(Completer completer) {
        if (Objects.requireNonNull(unready, "the task was entered").met(1)) {
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

    /** Whether it waits for a slot. */
    boolean waits() {
        return waits;
    }

    void start(int freeSlot, Completer completer) {
        slot = freeSlot;
        waits = false;
        admit(completer);
    }

    @Override
    void runBody() throws Exception {
        SlotBody work = Objects.requireNonNull(body, "a body runs once");
        body = null;
        work.run(slot);
    }

    @Override
    void ended(Completer completer) {
        body = null;
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
