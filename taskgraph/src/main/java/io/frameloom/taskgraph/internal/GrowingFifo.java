package io.frameloom.taskgraph.internal;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A queue that loses nothing when the memory ends: it makes room before it takes an item, so that {@link #add} either
 * takes the item or leaves the queue as it was. {@link java.util.ArrayDeque} stores first and looks empty if it cannot
 * grow then.
 *
 * <p>Belongs to one thread. Allocates only where it holds more items than ever before.
 *
 * @param <T> the items
 */
public final class GrowingFifo<T> {
    private @Nullable Object[] slots = new @Nullable Object[4];
    /** Where the oldest item is; it and {@code tail} run on, the low bits say the slot. */
    private int head;

    private int tail;

    /** Makes an empty queue. */
    public GrowingFifo() {}

    /**
     * Appends an item.
     *
     * @param item the item
     * @throws OutOfMemoryError if there is no memory for more room; the queue is as it was
     */
    public void add(T item) {
        if (tail - head == slots.length) {
            slots = moved(new @Nullable Object[2 * slots.length]);
        }
        slots[tail & (slots.length - 1)] = Objects.requireNonNull(item);
        tail++;
    }

    private @Nullable Object[] moved(@Nullable Object[] to) {
        for (int i = head; i != tail; i++) {
            to[i & (to.length - 1)] = slots[i & (slots.length - 1)];
        }
        return to;
    }

    /**
     * Removes the oldest item.
     *
     * @return the item, or null if there is none
     */
    @SuppressWarnings("unchecked") // only add stores items
    public @Nullable T poll() {
        if (head == tail) {
            return null;
        }
        int slot = head++ & (slots.length - 1);
        T item = (T) slots[slot];
        slots[slot] = null;
        return item;
    }
}
