package io.frameloom.stress.list;

import io.frameloom.taskgraph.queue.SubsequentList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The shipped list with its operations made public. */
public final class OpenList<T> extends SubsequentList<T> {
    /** An empty open list. */
    public OpenList() {
        super(0);
    }

    /** Adds an item unless the list is closed. */
    public boolean add(T item) {
        return addSubsequentItem(item);
    }

    /** Closes the list and visits its items in order. Returns whether there were any for this caller. */
    @SuppressWarnings("unchecked")
    public boolean popAllAndClose(Consumer<? super T> visitor) {
        Object taken = closeAndTake();
        if (!(taken instanceof Object[] first)) {
            if (taken == null) {
                return false;
            }
            Object second = takeSecond();
            visitor.accept((T) taken);
            if (second != null) {
                visitor.accept((T) second);
            }
            return true;
        }
        for (@Nullable Object[] items = first; items != null; items = next(items)) {
            for (int i = FIRST; i < end(items); i++) {
                visitor.accept((T) items[i]);
            }
        }
        return true;
    }

    /** Whether the list is closed. */
    public boolean closed() {
        return isClosed();
    }
}
