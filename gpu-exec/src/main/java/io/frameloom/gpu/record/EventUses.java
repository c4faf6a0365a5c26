package io.frameloom.gpu.record;

import io.frameloom.gpu.command.GpuQueue;
import java.util.ArrayList;
import java.util.List;

/** A command list's uses of events, in order. Used for one list after another. One thread at a time. */
public final class EventUses {
    private final List<EventLedger.Half> halves = new ArrayList<>(0);
    /** Up to where the list has entered its submission. */
    private int entered;

    /** The uses of a list that has no commands yet. */
    public EventUses() {}

    void add(EventLedger.Half half) {
        halves.add(half);
    }

    /** Takes another list, whose recording begins. */
    public void clear() {
        halves.clear();
        entered = 0;
    }

    /**
     * Notes that the list is about to be submitted after those that have entered before; {@link #submitted} or {@link
     * #leave} is to follow.
     *
     * @throws IllegalStateException if it waits for an event that is not set before; {@link #leave} then takes back
     *     what it has entered
     */
    public void enter(String submission, String list) {
        for (; entered < halves.size(); entered++) {
            halves.get(entered).enter(this, submission, list);
        }
    }

    /** Notes that the list was not submitted after all; nothing if it has not entered. */
    public void leave() {
        for (; entered > 0; entered--) {
            halves.get(entered - 1).leave();
        }
    }

    /** Notes that the list was submitted; everything is done when its queue has reached {@code value}. */
    public void submitted(GpuQueue queue, long value) {
        for (int i = 0; i < halves.size(); i++) {
            halves.get(i).submitted(queue, value);
        }
        entered = 0;
    }
}
