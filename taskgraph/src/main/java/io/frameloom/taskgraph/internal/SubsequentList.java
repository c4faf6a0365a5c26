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
 * Programming: Coping with Parallelism") with a sentinel for "closed"; the first item needs no link. It extends
 * the counter so that an event, what it waits for and what waits for it are one object.
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

    /** Items after the first; {@code next} is another link or the last item itself. */
    private static final class Link {
        Object item;
        Object next;

        Link(Object item, Object next) {
            this.item = item;
            this.next = next;
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
        if (seen == null) {
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
            if (witness == CLOSED) {
                return false;
            }
            seen = witness;
            link.next = seen;
        }
    }

    /**
     * Closes the list and hands over its items in the order in which they were added: walk them by
     * {@link #item} and {@link #next}, once.
     *
     * @return the first place, or null if the list was empty or closed before
     */
    protected final @Nullable Object closeAndTake() {
        Object chain = HEAD.getAndSet(this, CLOSED);
        if (chain == CLOSED) {
            return null;
        }
        return chain instanceof Link newest ? inOrder(newest) : chain;
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
     * The place behind another one.
     *
     * @param place the place
     * @return the next place, or null behind the last
     */
    public static @Nullable Object next(Object place) {
        return place instanceof Link link ? link.next : null;
    }

    /**
     * Whether the list is closed.
     *
     * @return true once closed
     */
    protected final boolean isClosed() {
        return head == CLOSED;
    }

    /** Reverses in place; every link takes over the item of the older one, the newest item needs no link. */
    private static Object inOrder(Link newest) {
        Object behind = newest.item;
        Link at = newest;
        while (true) {
            Object older = at.next;
            at.next = behind;
            behind = at;
            if (!(older instanceof Link olderLink)) {
                at.item = older;
                return at;
            }
            at.item = olderLink.item;
            at = olderLink;
        }
    }
}
