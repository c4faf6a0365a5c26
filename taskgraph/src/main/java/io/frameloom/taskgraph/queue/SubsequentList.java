package io.frameloom.taskgraph.queue;

import io.frameloom.taskgraph.parts.Fields;
import io.frameloom.taskgraph.parts.PrerequisiteCounter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A list to which any thread may add until it is closed. Closing happens once and hands over all items; later adds are
 * refused. The core of an event's completion.
 *
 * <p>Any thread may call {@link #addSubsequentItem}, {@link #closeIfEmpty}, {@link #closeAndTake} and {@link #isClosed};
 * of several closers one gets the items, and they belong to that thread alone. It extends the counter so that an event,
 * what it waits for and what waits for it are one object.
 *
 * <p>The first two items stand in {@code head} and {@code second}: most events have no more. Further ones go, with
 * these two, into <em>chunks</em>, arrays that are filled from place 1 on. The thread that walks a chunk has the next
 * items at hand and can look at all of them before it touches one; in a linked list each link is a cache miss, one
 * after the other. {@code head} is then the newest chunk; its place 0 leads to the one before. <b>Invariant.</b> A place
 * is written once, and only after the place before it was seen written; a chunk is succeeded only when full. So the
 * items stand without a gap, in the order of their compare-and-sets. {@code second} is set only after {@code head} was
 * seen to be the first item, and stays set until the list is closed.
 *
 * <p><b>Closing</b> replaces {@code head}, after a look at {@code second}. If that was set, {@code head} becomes
 * BOTH_CLOSED, which says to its adder that it is taken; else CLOSED. A chunk always leaves BOTH_CLOSED: {@code second}
 * is set before there is one and holds a copy of an item of it, whose adder may not have looked at {@code head} yet. The
 * closer then writes SEALED to the first free place of the chunk: an adder that still holds the chunk either was there
 * first, and its item is taken, or meets SEALED. Older chunks are full. If {@code head} was the first item and {@code
 * second} was not set, the closer looks again <em>afterwards</em>, and the adder of {@code second} looks at {@code head}
 * afterwards. So one of the two sees the other. If both do, the one that first replaces the item by SEALED decides: the
 * closer takes it, or the adder takes it back.
 *
 * <p><b>Linearization.</b> Closing at its compare-and-set of {@code head}; {@link #isClosed} at its load. Adding at its
 * successful compare-and-set, but at the latest just before the closing: an add that gets its place later, and keeps
 * it, had loaded {@code head} before that. A refusal at the load or compare-and-set that meets CLOSED or SEALED.
 * <b>Memory order.</b> All updates that other threads may meet are volatile read-modify-writes, and what they write is
 * loaded with acquire semantics; {@code head} and {@code second} with volatile ones, since each side looks at one after
 * it wrote the other. So the closer sees what a thread did before adding, and a thread that is refused or sees the list
 * closed sees what the closer did before closing. <b>Progress.</b> Adding and closing are lock-free: they start again
 * only if an add succeeded. {@link #isClosed} is wait-free.
 *
 * @param <T> type of the items; not an array
 */
public abstract class SubsequentList<T> extends PrerequisiteCounter {
    /** The place of the first item of an array of {@link #closeAndTake}; the others follow it. */
    public static final int FIRST = 1;

    private static final Object CLOSED = new Object();
    private static final Object BOTH_CLOSED = new Object();
    private static final Object SEALED = new Object();

    /** Length of the first chunk, which most events do not outgrow, and of all others. */
    private static final int FIRST_CHUNK = 6;

    private static final int FURTHER_CHUNKS = 16;

    private static final VarHandle HEAD =
            Fields.handle(MethodHandles.lookup(), SubsequentList.class, "head", Object.class);
    private static final VarHandle SECOND =
            Fields.handle(MethodHandles.lookup(), SubsequentList.class, "second", Object.class);
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Object[].class);

    /** Null, the first item, the newest chunk, CLOSED or BOTH_CLOSED. */
    private volatile @Nullable Object head;

    /** Null, the second item, or SEALED. */
    private volatile @Nullable Object second;

    /** An empty open list, and what the counter begins with. */
    public SubsequentList(int outstanding) {
        super(outstanding);
    }

    /** Adds an item, which may be there already. Returns false if the list is closed. */
    public final boolean addSubsequentItem(T item) {
        Object seen = head;
        while (true) {
            if (seen == null) {
                seen = HEAD.compareAndExchange(this, (Object) null, (Object) item);
                if (seen == null) {
                    return true;
                }
            }
            // Guards race 1: see list.AddAgainstCloseStress.
            if (isClosed(seen)) {
                return false;
            }
            Object[] longer;
            if (seen instanceof Object[] chunk) {
                int place = putAtFirstFree(chunk, item);
                if (place != chunk.length) {
                    return place > 0;
                }
                longer = new Object[FURTHER_CHUNKS];
                longer[0] = chunk;
                longer[FIRST] = item;
            } else {
                Object occupant = second;
                if (occupant == null) {
                    occupant = SECOND.compareAndExchange(this, (Object) null, (Object) item);
                    if (occupant == null) {
                        return keepsSecond(item);
                    }
                }
                longer = new Object[FIRST_CHUNK];
                longer[FIRST] = seen;
                longer[FIRST + 1] = occupant;
                longer[FIRST + 2] = item;
            }
            Object witness = HEAD.compareAndExchange(this, seen, (Object) longer);
            if (witness == seen) {
                return true;
            }
            seen = witness;
        }
    }

    /** Whether the item that was just put there is or will be taken. */
    private boolean keepsSecond(T item) {
        // Guards race 1: see list.SecondAgainstCloseStress and list.SecondInChunkAgainstCloseStress. The closer may
        // have looked before it was there.
        return head != CLOSED || !SECOND.compareAndSet(this, (Object) item, SEALED);
    }

    /** Returns the place that the item got; 0 if the chunk is sealed, its length if it is full. */
    private static int putAtFirstFree(@Nullable Object[] chunk, Object item) {
        int place = 1;
        while (place < chunk.length) {
            Object occupant = (Object) PLACE.getAcquire(chunk, place);
            if (occupant == null) {
                occupant = (Object) PLACE.compareAndExchange(chunk, place, (Object) null, item);
                if (occupant == null) {
                    return place;
                }
            }
            // Guards race 1: see list.ChunkAgainstCloseStress.
            if (occupant == SEALED) {
                return 0;
            }
            place++;
        }
        return place;
    }

    /** Closes the list if it is open and empty, as {@link #closeAndTake} would. Returns whether it did. */
    public final boolean closeIfEmpty() {
        // Guards race 1: see list.CloseIfEmptyAgainstAddStress. Without a first item there is no second one.
        return HEAD.compareAndSet(this, (Object) null, CLOSED);
    }

    /**
     * Closes the list and hands over its items in the order in which they were added.
     *
     * @return null if the list was empty or closed before; the first item, after which {@link #takeSecond} must be
     *     called; or the first of one or more arrays of items, to be walked from {@link #FIRST} by {@link #end} and
     *     {@link #next}
     */
    public final @Nullable Object closeAndTake() {
        Object seen = head;
        while (true) {
            if (isClosed(seen)) {
                return null;
            }
            // Always so for a chunk, which has a copy of the second item: its adder must not take that back.
            boolean both = second != null;
            // Guards races 1 and 2, and 7 for a single prerequisite: see list.AddAgainstCloseStress,
            // list.CloseAgainstCloseStress and list.ListVisibilityStress.
            Object witness = HEAD.compareAndExchange(this, seen, both ? BOTH_CLOSED : CLOSED);
            if (witness == seen) {
                break;
            }
            seen = witness;
        }
        if (seen instanceof Object[] chunk) {
            // Lets go of the item, of which the chunk has a copy. No adder finds the place empty.
            SECOND.setOpaque(this, SEALED);
            return inOrder(chunk);
        }
        return seen;
    }

    /**
     * Hands over the second item, or null if there was only one. Once, by the thread that closed the list and got an
     * item.
     */
    public final @Nullable Object takeSecond() {
        Object item = second;
        if (item == null) {
            return null;
        }
        if (head == BOTH_CLOSED) {
            SECOND.setOpaque(this, SEALED);
            return item;
        }
        // Guards race 1: see list.SecondAgainstCloseStress. Its adder may be taking it back.
        item = SECOND.getAndSet(this, SEALED);
        return item == SEALED ? null : item;
    }

    /** Seals the newest chunk, and turns the ways between the chunks round. */
    private static Object[] inOrder(Object[] newest) {
        // Guards race 1: see list.ChunkAgainstCloseStress.
        putAtFirstFree(newest, SEALED);
        Object after = null;
        Object[] at = newest;
        while (at[0] instanceof Object[] before) {
            at[0] = after;
            after = at;
            at = before;
        }
        at[0] = after;
        return at;
    }

    /** The place after the last item of an array of {@link #closeAndTake}. */
    public static int end(@Nullable Object[] items) {
        int end = FIRST + 1;
        while (end < items.length && (Object) PLACE.getAcquire(items, end) != SEALED) {
            end++;
        }
        return end;
    }

    /** The array that follows another one, or null after the last. */
    public static @Nullable Object @Nullable [] next(@Nullable Object[] items) {
        return items[0] instanceof Object[] next ? next : null;
    }

    /**
     * What an open list holds now, without taking it.
     *
     * @return null if it is empty or closed; the only item; or the newest of one or more arrays, to be read by {@link
     *     #at} from place 0 on, where an array stands for further items. Items may be missing if the list is
     *     closed meanwhile.
     */
    public final @Nullable Object peek() {
        Object seen = head;
        if (seen == null || isClosed(seen)) {
            return null;
        }
        Object other = seen instanceof Object[] ? null : second;
        return other == null ? seen : new Object[] {seen, other};
    }

    /** Whether the list is open and holds an item. */
    public final boolean hasItems() {
        Object seen = head;
        return seen != null && !isClosed(seen);
    }

    /** Whether the list is open and holds this item and no other. */
    public final boolean isOnly(T item) {
        return head == item && second == null;
    }

    /** One place of an array of {@link #peek}: an item, a further array, or another object, which is to be ignored. */
    public static @Nullable Object at(@Nullable Object[] items, int place) {
        return (Object) PLACE.getAcquire(items, place);
    }

    public final boolean isClosed() {
        return isClosed(head);
    }

    private static boolean isClosed(@Nullable Object head) {
        return head == CLOSED || head == BOTH_CLOSED;
    }
}
