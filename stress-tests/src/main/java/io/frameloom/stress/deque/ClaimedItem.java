package io.frameloom.stress.deque;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An item that one thread can claim, as a task that is queued. Any thread. */
public final class ClaimedItem {
    private final int number;
    private final AtomicBoolean claimed = new AtomicBoolean();

    /** An item that no thread has claimed. */
    public ClaimedItem(int number) {
        this.number = number;
    }

    /** Returns whether the calling thread is the one that has the item. */
    public boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    /** Returns the number of an item that its caller has claimed, 0 for none. */
    public static int number(@Nullable ClaimedItem item) {
        return item == null ? 0 : item.number;
    }
}
