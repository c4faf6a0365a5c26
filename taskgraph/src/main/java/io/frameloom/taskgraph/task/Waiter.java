package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.parts.Fields;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.parts.Wakeable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A thread blocked on an event, or a race that the event takes part in ({@link AnyRace}).
 *
 * <p>A waiter whose wait timed out, or whose race is over, stays in the event's list but forgets what it serves. The
 * event keeps it for the next wait, so that polling an event with a timeout, or racing it against one frame after the
 * other, does not grow the list.
 *
 * <p><b>Races.</b> A waiter may be reused after the event's completion has passed it, so the thread that reuses it
 * looks afterwards whether the event is complete. Then both may find the race here. {@code party} goes from the race to
 * null by compare-and-set, and only the winner notifies the race, or gives the waiter back. {@code index} is written
 * before {@code party}, and not again until the waiter was given back.
 */
public final class Waiter implements Subsequent, Wakeable {
    private static final VarHandle PARTY = Fields.handle(MethodHandles.lookup(), Waiter.class, "party", Object.class);

    /** A {@link ThreadParker}, an {@link AnyRace}, or null. */
    private volatile @Nullable Object party;

    /** Which event of the race this is. */
    private int index;

    /** Whether a race has watched the event: its failure then counts as seen. */
    private boolean raced;

    /** The next waiter without a thread; belongs to the thread that took the stack of them. */
    private @Nullable Waiter nextSpare;

    Waiter(ThreadParker parker) {
        this.party = parker;
    }

    Waiter(AnyRace race, int index) {
        this.index = index;
        this.raced = true;
        this.party = race;
    }

    @Override
    public void prerequisiteComplete(CoreEvent event, Completer completer) {
        Throwable failure = raced ? event.outcome() : null;
        if (failure != null) {
            event.graph().failures().see(failure);
        }
        if (party instanceof AnyRace race) {
            finish(race, event, completer);
        } else {
            completer.wakeLater(this);
        }
    }

    @Override
    public void wake() {
        if (party instanceof ThreadParker waiting) {
            waiting.wake();
        }
    }

    /** Notifies the race that the event is complete, unless another thread did or it is over. */
    void finish(AnyRace race, CoreEvent event, Completer completer) {
        if (tryForget(race)) {
            race.finished(index, event, completer);
        }
    }

    /** Takes the race away. Returns true to one caller. */
    boolean tryForget(AnyRace race) {
        return PARTY.compareAndSet(this, (Object) race, (Object) null);
    }

    void reuse(ThreadParker newParker) {
        party = newParker;
    }

    void reuse(AnyRace race, int newIndex) {
        index = newIndex;
        raced = true;
        party = race;
    }

    void forget() {
        party = null;
    }

    @Nullable
    Waiter nextSpare() {
        return nextSpare;
    }

    void setNextSpare(@Nullable Waiter next) {
        nextSpare = next;
    }
}
