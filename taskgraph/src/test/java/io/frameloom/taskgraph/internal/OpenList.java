package io.frameloom.taskgraph.internal;

import java.util.function.Consumer;

/** The shipped list with its operations made public. */
final class OpenList<T> extends SubsequentList<T> {
    /** An empty open list. */
    public OpenList() {
        super(0);
    }

    /** Adds an item unless the list is closed. */
    public boolean add(T item) {
        return addSubsequentItem(item);
    }

    /** Adds an item that is its own entry. */
    public boolean addEntry(SubsequentList<?> item) {
        return addAsEntry(item);
    }

    /** Closes the list and visits its items in order. Returns whether there were any for this caller. */
    @SuppressWarnings("unchecked")
    public boolean popAllAndClose(Consumer<? super T> visitor) {
        Object at = closeAndTake();
        boolean any = at != null;
        while (at != null) {
            T item = (T) item(at);
            at = takeNext(at);
            visitor.accept(item);
        }
        return any;
    }

    /** Whether the list is closed. */
    public boolean closed() {
        return isClosed();
    }
}
