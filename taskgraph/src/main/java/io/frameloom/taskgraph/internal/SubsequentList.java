package io.frameloom.taskgraph.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A list to which anybody may add until it is closed, which happens once and hands over everything that
 * was added: who comes later is told that it is too late. The core of an event's completion.
 *
 * <p>Any thread may call {@link #addSubsequentItem}, {@link #closeAndTake} and {@link #isClosed}; of several
 * closers one gets the items. What it got belongs to that thread alone. The list is a Treiber stack (R. K. Treiber: "Systems
 * Programming: Coping with Parallelism") with a sentinel for "closed". It extends the counter so
 * that an event, what it waits for and what waits for it are one object; and such an object can itself be an
 * entry of one other list, so that a task with one prerequisite needs no link.
 *
 * <p><b>Linearization.</b> Adding at its successful compare-and-set, or at the load that sees CLOSED;
 * closing at its get-and-set; {@link #isClosed} at its load. <b>Memory order.</b> Both updates are volatile
 * read-modify-writes: what a thread did before adding is visible to the closer, and what the closer did
 * before closing is visible to whoever sees the list closed. <b>Progress.</b> Adding is lock-free, the
 * others are wait-free.
 *
 * @param <T> type of the items; not {@code SubsequentList.Link}
 */
public abstract class SubsequentList<T> extends PrerequisiteCounter {
    private static final Object CLOSED = new Object();

    private static final VarHandle HEAD;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(SubsequentList.class, "head", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Object head;

    /** The older entry of the list in which this object is an entry; published with it. */
    private @Nullable Object older;

    /** An entry for an item that cannot be one itself. */
    private static final class Link {
        final Object item;

        @Nullable
        Object older;

        Link(Object item, @Nullable Object older) {
            this.item = item;
            this.older = older;
        }
    }

    /**
     * An empty open list.
     *
     * @param outstanding what the counter begins with
     */
    protected SubsequentList(int outstanding) {
        super(outstanding);
    }

    /**
     * Adds an item unless the list is closed.
     *
     * @param item the item; the same one may be added several times
     * @return false if the list is closed
     */
    protected final boolean addSubsequentItem(T item) {
        Object seen = head;
        if (seen == null && !(item instanceof SubsequentList)) {
            seen = HEAD.compareAndExchange(this, (Object) null, (Object) item);
            if (seen == null) {
                return true;
            }
        }
        if (seen == CLOSED) {
            return false;
        }
        Link link = new Link(item, seen);
        while (true) {
            Object witness = HEAD.compareAndExchange(this, seen, (Object) link);
            if (witness == seen) {
                return true;
            }
            // Guards race 1: see list.AddAgainstCloseStress.
            if (witness == CLOSED) {
                return false;
            }
            seen = witness;
            link.older = seen;
        }
    }

    /**
     * As {@link #addSubsequentItem}, without an entry of its own: the item is the entry. Only once in the life of an item.
     *
     * @param item the item
     * @return false if the list is closed; the item may then be added elsewhere
     */
    protected final boolean addAsEntry(SubsequentList<?> item) {
        Object seen = head;
        while (seen != CLOSED) {
            item.older = seen;
            Object witness = HEAD.compareAndExchange(this, seen, (Object) item);
            if (witness == seen) {
                return true;
            }
            seen = witness;
        }
        item.older = null;
        return false;
    }

    /**
     * Closes the list and hands over its items in the order in which they were added: walk them by
     * {@link #item} and {@link #takeNext}.
     *
     * @return the first place, or null if the list was empty or closed before
     */
    protected final @Nullable Object closeAndTake() {
        // Guards races 1 and 2, and 7 for a single prerequisite: see list.AddAgainstCloseStress,
        // list.CloseAgainstCloseStress and list.ListVisibilityStress.
        Object newest = HEAD.getAndSet(this, CLOSED);
        if (newest == CLOSED || newest == null) {
            return null;
        }
        return older(newest) == null ? newest : inOrder(newest);
    }

    /**
     * The item at a place of {@link #closeAndTake}.
     *
     * @param place the place
     * @return the item
     */
    public static Object item(Object place) {
        return place instanceof Link link ? link.item : place;
    }

    /**
     * Leaves a place of {@link #closeAndTake}. To be called once, before anything is done with the item: that may
     * end its life.
     *
     * @param place the place
     * @return the place behind it, or null behind the last
     */
    public static @Nullable Object takeNext(Object place) {
        Object next = older(place);
        if (next != null) {
            setOlder(place, null);
        }
        return next;
    }

    /**
     * Whether the list is closed.
     *
     * @return true once closed
     */
    protected final boolean isClosed() {
        return head == CLOSED;
    }

    private static @Nullable Object older(Object entry) {
        if (entry instanceof SubsequentList<?> list) {
            return list.older;
        }
        return entry instanceof Link link ? link.older : null;
    }

    private static void setOlder(Object entry, @Nullable Object older) {
        if (entry instanceof SubsequentList<?> list) {
            list.older = older;
        } else if (entry instanceof Link link) {
            link.older = older;
        }
    }

    /** Reverses in place. The entry that was the first may be a bare item, which needs a link now. */
    private static Object inOrder(Object newest) {
        Object behind = null;
        Object at = newest;
        while (true) {
            Object older = older(at);
            if (older == null && !(at instanceof SubsequentList)) {
                return new Link(item(at), behind);
            }
            setOlder(at, behind);
            if (older == null) {
                return at;
            }
            behind = at;
            at = older;
        }
    }
}
