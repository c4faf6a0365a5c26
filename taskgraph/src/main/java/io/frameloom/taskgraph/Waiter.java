package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.ThreadParker;
import org.jspecify.annotations.Nullable;

/**
 * A thread blocked on an event.
 *
 * <p>A waiter whose wait timed out stays in the event's list but forgets its thread; the event keeps it
 * for the next wait, so that polling an event with a timeout does not grow the list.
 */
final class Waiter implements Subsequent, Wakeable {
    private volatile @Nullable ThreadParker parker;

    /** The next waiter without a thread; belongs to whoever took the stack of them. */
    private @Nullable Waiter nextSpare;

    Waiter(ThreadParker parker) {
        this.parker = parker;
    }

    @Override
    public void prerequisiteComplete(GraphEvent event, Completer completer) {
        completer.wakeLater(this);
    }

    @Override
    public void wake() {
        ThreadParker waiting = parker;
        if (waiting != null) {
            waiting.wake();
        }
    }

    void reuse(ThreadParker newParker) {
        parker = newParker;
    }

    void forget() {
        parker = null;
    }

    @Nullable
    Waiter nextSpare() {
        return nextSpare;
    }

    void setNextSpare(@Nullable Waiter next) {
        nextSpare = next;
    }
}
