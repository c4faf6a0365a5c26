package io.frameloom.gpu.record;

import io.frameloom.gpu.command.GpuQueue;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A command list's uses of events, in order. Used for one list after another. One thread at a time. */
public final class EventUses {
    private static final int FIRST = 4;

    private @Nullable EventLedger[] ledgers = new @Nullable EventLedger[FIRST];
    /** Twice the event, and one more where it is set. */
    private int[] halves = new int[FIRST];

    private int count;
    /** Up to where the list has entered its submission. */
    private int entered;

    /** The uses of a list that has no commands yet. */
    public EventUses() {}

    void add(EventLedger ledger, int index, boolean sets) {
        if (count == halves.length) {
            ledgers = Arrays.copyOf(ledgers, 2 * count);
            halves = Arrays.copyOf(halves, 2 * count);
        }
        ledgers[count] = ledger;
        halves[count++] = 2 * index + (sets ? 1 : 0);
    }

    /** Takes another list, whose recording begins. */
    public void clear() {
        Arrays.fill(ledgers, 0, count, null);
        count = 0;
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
        for (int i = 0; i < count; i++) {
            EventLedger ledger = ledgers[i];
            if (ledger != null) {
                ledger.enter(this, submission, list, halves[i] >> 1, (halves[i] & 1) != 0);
            }
            entered = i + 1;
        }
    }

    /** Notes that the list was not submitted after all; nothing if it has not entered. */
    public void leave() {
        for (int i = 0; i < entered; i++) {
            EventLedger ledger = ledgers[i];
            if (ledger != null) {
                ledger.leave(halves[i] >> 1, (halves[i] & 1) != 0);
            }
        }
        entered = 0;
    }

    /** Notes that the list was submitted; everything is done when its queue has reached {@code value}. */
    public void submitted(GpuQueue queue, long value) {
        for (int i = 0; i < count; i++) {
            EventLedger ledger = ledgers[i];
            if (ledger != null) {
                ledger.submitted(queue, value);
            }
        }
        entered = 0;
    }
}
