package io.frameloom.taskgraph.queue;

import io.frameloom.taskgraph.parts.PrerequisiteCounter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A list to which any thread may add until it is closed. Closing happens once and hands over all items; later adds are
 * refused. The core of an event's completion.
 *
 * <p>Any thread may call {@link #addSubsequentItem}, {@link #closeAndTake} and {@link #isClosed}; of several closers
 * one gets the items, and they belong to that thread alone. It extends the counter so that an event, what it waits for
 * and what waits for it are one object.
 *
 * <p>One item stands by itself in {@code head}, two in a pair. More go into <em>chunks</em>, arrays that are filled
 * from place 1 on. The thread that walks a chunk has the next items at hand and can look at all of them before it
 * touches one; in a linked list each link is a cache miss, one after the other. {@code head} is the newest chunk; its
 * place 0 leads to the one before. <b>Invariant.</b> A place is written once, and only after the place before it was
 * seen written; a chunk is succeeded only when full. So the items stand without a gap, in the order of their
 * compare-and-sets.
 *
 * <p><b>Closing</b> takes {@code head}, then writes SEALED to the first free place of the newest chunk. An adder that
 * still holds that chunk either was there first, and its item is taken, or meets SEALED. Pairs and older chunks are
 * full.
 *
 * <p><b>Linearization.</b> Closing at its get-and-set of {@code head}; {@link #isClosed} at its load. Adding at its
 * successful compare-and-set, but at the latest just before the closing: an add that gets its place between the
 * get-and-set and the seal had loaded {@code head} before that. A refusal at the load or compare-and-set that meets
 * CLOSED or SEALED. <b>Memory order.</b> All updates are volatile read-modify-writes, and what they write is loaded
 * with acquire semantics. So the closer sees what a thread did before adding, and a thread that is refused or sees the
 * list closed sees what the closer did before closing. <b>Progress.</b> Adding is lock-free: it starts again only if
 * another add succeeded. Closing and {@link #isClosed} are wait-free, since the places of a chunk are bounded.
 *
 * @param <T> type of the items; not an array
 */
public abstract class SubsequentList<T> extends PrerequisiteCounter {
    private static final Object CLOSED = new Object();
    private static final Object SEALED = new Object();

    private static final int PAIR = 2;

    /** Length of the first chunk, which most events do not outgrow, and of all others. */
    private static final int FIRST_CHUNK = 6;

    private static final int FURTHER_CHUNKS = 16;

    private static final VarHandle HEAD;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Object[].class);

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(SubsequentList.class, "head", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Null, the only item, a pair, the newest chunk, or CLOSED. */
    private volatile @Nullable Object head;

    /**
     * An empty open list.
     *
     * @param outstanding what the counter begins with
     */
    public SubsequentList(int outstanding) {
        super(outstanding);
    }

    /**
     * Adds an item unless the list is closed.
     *
     * @param item the item; the same one may be added several times
     * @return false if the list is closed
     */
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
            if (seen == CLOSED) {
                return false;
            }
            if (seen instanceof Object[] chunk && chunk.length != PAIR) {
                int place = putAtFirstFree(chunk, item);
                if (place != chunk.length) {
                    return place > 0;
                }
            }
            Object witness = HEAD.compareAndExchange(this, seen, (Object) longer(seen, item));
            if (witness == seen) {
                return true;
            }
            seen = witness;
        }
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

    /** What follows an only item, a pair or a full chunk, with a new item. */
    private static Object[] longer(Object full, Object item) {
        if (!(full instanceof Object[] items)) {
            return new Object[] {full, item};
        }
        Object[] chunk = new Object[items.length == PAIR ? FIRST_CHUNK : FURTHER_CHUNKS];
        if (items.length == PAIR) {
            chunk[1] = items[0];
            chunk[2] = items[1];
            chunk[3] = item;
        } else {
            chunk[0] = full;
            chunk[1] = item;
        }
        return chunk;
    }

    /**
     * Closes the list and hands over its items in the order in which they were added.
     *
     * @return null if the list was empty or closed before; the only item; or the first of one or more arrays of items,
     *     to be walked by {@link #first}, {@link #end} and {@link #next}
     */
    public final @Nullable Object closeAndTake() {
        // Guards races 1 and 2, and 7 for a single prerequisite: see list.AddAgainstCloseStress,
        // list.CloseAgainstCloseStress and list.ListVisibilityStress.
        Object newest = HEAD.getAndSet(this, CLOSED);
        if (newest == CLOSED) {
            return null;
        }
        return newest instanceof Object[] chunk && chunk.length != PAIR ? inOrder(chunk) : newest;
    }

    /** Seals the newest chunk, and turns the ways between the chunks round. */
    private static Object[] inOrder(Object[] newest) {
        // Guards race 1: see list.ChunkAgainstCloseStress.
        putAtFirstFree(newest, SEALED);
        Object behind = null;
        Object[] at = newest;
        while (at[0] instanceof Object[] before) {
            at[0] = behind;
            behind = at;
            at = before;
        }
        at[0] = behind;
        return at;
    }

    /**
     * The place of the first item of an array of {@link #closeAndTake}; the others follow it.
     *
     * @param items the array
     * @return the index
     */
    public static int first(@Nullable Object[] items) {
        return items.length == PAIR ? 0 : 1;
    }

    /**
     * The place after the last item of an array of {@link #closeAndTake}.
     *
     * @param items the array
     * @return the index
     */
    public static int end(@Nullable Object[] items) {
        int end = PAIR;
        while (end < items.length && (Object) PLACE.getAcquire(items, end) != SEALED) {
            end++;
        }
        return end;
    }

    /**
     * The array that follows another one.
     *
     * @param items the array
     * @return the next one, or null after the last
     */
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
        return seen == CLOSED ? null : seen;
    }

    /**
     * One place of an array of {@link #peek}.
     *
     * @param items the array
     * @param place the place, below the length of the array
     * @return an item, a further array, or another object, which is to be ignored
     */
    public static @Nullable Object at(@Nullable Object[] items, int place) {
        return (Object) PLACE.getAcquire(items, place);
    }

    /**
     * Whether the list is closed.
     *
     * @return true once closed
     */
    public final boolean isClosed() {
        return head == CLOSED;
    }
}
