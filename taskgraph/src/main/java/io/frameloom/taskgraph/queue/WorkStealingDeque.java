package io.frameloom.taskgraph.queue;

import io.frameloom.taskgraph.parts.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The deque of one worker: its owner pushes and pops at the bottom (last in, first out), all others steal
 * at the top (first in, first out). Unbounded, in a circular array that grows.
 *
 * <p>After Chase and Lev, "Dynamic Circular Work-Stealing Deque", with the memory orders of Lê, Pop, Cohen
 * and Zappa Nardelli, "Correct and Efficient Work-Stealing for Weak Memory Models".
 *
 * <p><b>Who calls what.</b> {@link #push}, {@link #pop}, {@link #popIfLast} and {@link #last}: one thread at a time, the
 * owner; ownership passes to another thread only with happens-before. {@link #steal}, {@link #isEmpty}, {@link #size}:
 * any thread. The same object may be pushed again at any time, also while it is in the deque.
 *
 * <p><b>Linearization.</b> {@code push} at its store of {@code bottom}. {@code pop} at its store of {@code bottom} if
 * it returns an item, at its load of {@code top} if not. {@code popIfLast} likewise, or at its load of the slot if that
 * has another item. {@code steal} at its compare-and-set of {@code top} if it returns an item, at its load of {@code
 * bottom} if not. One exception: a thief wins the last item against an owner that has already lowered {@code bottom}. A
 * thread that found the deque empty in between comes after that thief, which began before. {@code last} changes
 * nothing: what it shows may be stolen before the owner pops.
 *
 * <p><b>Memory order.</b>
 *
 * <ul>
 *   <li><em>What was done before {@code push} is visible to the thread that takes the item.</em> Every store of {@code
 *       bottom} is a release store or stronger, and thieves load it before they read the slot. {@code push} has no full
 *       fence: a producer that goes on to look for sleepers needs one between its pushes and that look.
 *   <li><em>No item is taken twice.</em> The owner takes index b without a compare-and-set only if it stored {@code
 *       bottom} = b and <em>then</em> loaded {@code top} &lt; b. A thief takes b only if it loaded {@code top} = b and
 *       <em>then</em> {@code bottom} &gt; b. These four are volatile, hence in one total order, and {@code top} only
 *       grows. So the owner's load came before the thief's load of {@code top}, and its store before the thief's load
 *       of {@code bottom}. That load saw the store, and then the thief keeps off, or a later push of another item at b.
 *       At {@code top} = b both sides need the compare-and-set. That is why {@code pop} needs its store-load fence,
 *       however long the deque was a moment ago: thieves may have come up to the item since, and a cached {@code top}
 *       is only a lower bound. {@code pop} saves the fence only where that bound says that the deque is empty.
 *   <li><em>What HotSpot makes of that.</em> On x86 a volatile store ends with a locked instruction. It empties the
 *       store buffer before {@code top} is loaded; loads keep their order anyway. On ARM a volatile store is {@code
 *       stlr} and a volatile load {@code ldar}: no {@code ldar} overtakes an earlier {@code stlr} or {@code ldar}. Its
 *       memory is multi-copy atomic, so all threads see the four in one order.
 *   <li><em>Growth.</em> A thief loads the array after {@code bottom}, so it sees the one that the item at its index
 *       was pushed to, or a later one. A later one lacks the item only if the owner saw {@code top} beyond it before it
 *       published the array: then the thief's compare-and-set fails. The owner never writes to an array that it has
 *       replaced.
 * </ul>
 *
 * <p><b>Slots are cleared, and never too late.</b> The owner clears what it pops. A thief clears after it has won
 * {@code top}. If it stops in between, the slot may get the next item first, or the same object again, which not even a
 * compare-and-set of the slot would notice. Therefore {@code push} uses a slot only if it sees it empty: then the
 * thief's store came before, for no thread sees two stores to one slot in the wrong order. If the slot is not empty
 * though there is room, the owner moves to a fresh array and leaves the old one to the thief. Items that were copied by
 * such a move or by growth exist twice. Only the owner clears those ({@link Ring#copiedEnd}): it overwrites them, or
 * clears them when it finds the deque empty.
 *
 * <p><b>Arrays are renewed</b> after so many pushes even if they have room. With a generational collector the store of
 * a young object into an old array costs several times as much as one into a young array (with G1 a full fence and
 * more). An array that served for the life of a worker would be old. A new array is as long as the items then need, so
 * an array that has grown for a flood of tasks does not stay.
 *
 * <p><b>Progress.</b> {@code push}, {@code pop}, {@code popIfLast}, {@code last}, {@code isEmpty} and {@code size} are
 * wait-free (growth copies all items). {@code steal} is lock-free: it starts again only if another thread took an item.
 *
 * <p><b>Known weakness.</b> A stolen item that had been copied stays reachable until the owner pops from the empty
 * deque or comes round to its slot.
 *
 * @param <T> type of the items
 */
public final class WorkStealingDeque<T> extends WorkStealingDequeFields {
    private static final int MAX_CAPACITY = 1 << 30;
    private static final int RENEW_EVERY = 4096;

    private static final VarHandle BOTTOM =
            Fields.handle(MethodHandles.lookup(), DequeOwnerFields.class, "bottom", long.class);
    private static final VarHandle TOP =
            Fields.handle(MethodHandles.lookup(), WorkStealingDequeFields.class, "top", long.class);
    private static final VarHandle RING =
            Fields.handle(MethodHandles.lookup(), DequeOwnerFields.class, "ring", Ring.class);
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    byte t00, t01, t02, t03, t04, t05, t06, t07, t08, t09, t0a, t0b, t0c, t0d, t0e, t0f;
    byte t10, t11, t12, t13, t14, t15, t16, t17, t18, t19, t1a, t1b, t1c, t1d, t1e, t1f;
    byte t20, t21, t22, t23, t24, t25, t26, t27, t28, t29, t2a, t2b, t2c, t2d, t2e, t2f;
    byte t30, t31, t32, t33, t34, t35, t36, t37, t38, t39, t3a, t3b, t3c, t3d, t3e, t3f;
    byte t40, t41, t42, t43, t44, t45, t46, t47, t48, t49, t4a, t4b, t4c, t4d, t4e, t4f;
    byte t50, t51, t52, t53, t54, t55, t56, t57, t58, t59, t5a, t5b, t5c, t5d, t5e, t5f;
    byte t60, t61, t62, t63, t64, t65, t66, t67, t68, t69, t6a, t6b, t6c, t6d, t6e, t6f;
    byte t70, t71, t72, t73, t74, t75, t76, t77, t78, t79, t7a, t7b, t7c, t7d, t7e, t7f;

    /** An array, and which of its items are copies. */
    static final class Ring {
        final @Nullable Object[] slots;

        /**
         * Items of a lower index were copied from another array, and a thief may know them from there: no
         * thief clears them here. What is pushed at this index or above is cleared by its thief.
         */
        final long copiedEnd;

        Ring(int capacity, long copiedEnd) {
            slots = new @Nullable Object[capacity];
            this.copiedEnd = copiedEnd;
        }
    }

    /**
     * An empty deque. So many items fit before the first growth: a power of two, 2 or more. The index of the first item
     * is given so that tests can start near an overflow.
     */
    public WorkStealingDeque(int capacity, long firstIndex) {
        this(capacity, firstIndex, RENEW_EVERY);
    }

    /**
     * As above, with the number of pushes, 1 or more, after which the array is renewed; more if the array is longer.
     */
    public WorkStealingDeque(int capacity, long firstIndex, int renewEvery) {
        super(firstIndex, new Ring(checkedCapacity(capacity), firstIndex), renewEvery);
    }

    /** Appends an item at the bottom. The owner only. No full fence: see the class. */
    public void push(T item) {
        long b = bottom;
        @Nullable Object[] array = slots;
        // Guards race 19: see deque.SameObjectAgainStress and WorkStealingDequeTest.
        if (SLOT.getAcquire(array, slot(b, array)) != null || b - renewAt >= 0) {
            array = makeRoom(b);
        }
        SLOT.setOpaque(array, slot(b, array), (Object) item);
        // Guards race 6: see deque.DequePublicationStress.
        BOTTOM.setRelease((DequeOwnerFields) this, b + 1);
    }

    /** Takes the item that was pushed last, or null if the deque is empty. The owner only. */
    public @Nullable T pop() {
        long b = bottom - 1;
        return b - cachedTop < 0 ? null : take(b, slots);
    }

    /** As {@link #pop}, but only if that takes the given item. Returns whether it did. The owner only. */
    public boolean popIfLast(T item) {
        long b = bottom - 1;
        @Nullable Object[] array = slots;
        return b - cachedTop >= 0 && (Object) SLOT.getOpaque(array, slot(b, array)) == item && take(b, array) != null;
    }

    private @Nullable T take(long b, @Nullable Object[] array) {
        // Guards race 17: see deque.PopAgainstTwoStealsStress. Both volatile: the store-load fence.
        BOTTOM.setVolatile((DequeOwnerFields) this, b);
        long t = (long) TOP.getVolatile((WorkStealingDequeFields) this);
        if (b - t > 0) {
            cachedTop = t;
            return takeOwn(b, array);
        }
        // Guards race 17: see deque.PopAgainstStealStress.
        boolean won = b == t && TOP.compareAndSet((WorkStealingDequeFields) this, t, t + 1);
        T item = won ? takeOwn(b, array) : null;
        BOTTOM.setRelease((DequeOwnerFields) this, b + 1);
        cachedTop = b + 1;
        clearCopied(b + 1);
        return item;
    }

    /**
     * The item that {@link #pop} takes next, unless a thief is faster; null if the deque is empty or a thief has the
     * item already. The owner only.
     */
    public @Nullable T last() {
        long b = bottom - 1;
        @Nullable Object[] array = slots;
        return b - cachedTop < 0 ? null : cast((Object) SLOT.getOpaque(array, slot(b, array)));
    }

    /**
     * Takes the item that was pushed first; null if the deque is empty, never only because others were faster. Any
     * thread.
     */
    public @Nullable T steal() {
        while (true) {
            long t = (long) TOP.getVolatile((WorkStealingDequeFields) this);
            long b = (long) BOTTOM.getVolatile((DequeOwnerFields) this);
            if (b - t <= 0) {
                return null;
            }
            // After bottom. Guards race 18: see deque.GrowAgainstLateThiefStress.
            Ring seen = (Ring) RING.getAcquire((DequeOwnerFields) this);
            @Nullable Object[] array = seen.slots;
            int slot = slot(t, array);
            Object item = (Object) SLOT.getAcquire(array, slot);
            // An empty slot: another thread took the item, and top has moved on.
            // Guards race 17: see deque.StealAgainstStealStress and WorkStealingDequeTest.
            if (item != null && TOP.compareAndSet((WorkStealingDequeFields) this, t, t + 1)) {
                // Guards race 19: see deque.CopiesAgainstStealStress.
                if (t - seen.copiedEnd >= 0) {
                    SLOT.setRelease(array, slot, (Object) null);
                }
                return cast(item);
            }
        }
    }

    /**
     * Whether the deque was empty at some time during the call; the last item does not count while the owner is popping
     * it. Any thread.
     */
    public boolean isEmpty() {
        return count() <= 0;
    }

    /** Number of items, exact only at rest; for reports and heuristics. Any thread. */
    public int size() {
        return (int) Math.max(count(), 0);
    }

    /** Length of the array. The owner only. */
    int capacity() {
        return slots.length;
    }

    /** Top before bottom: since top only grows, "none" is then true at the time of the second load. */
    private long count() {
        long t = (long) TOP.getVolatile((WorkStealingDequeFields) this);
        return (long) BOTTOM.getVolatile((DequeOwnerFields) this) - t;
    }

    private T takeOwn(long index, @Nullable Object[] array) {
        int slot = slot(index, array);
        Object item = array[slot];
        SLOT.setRelease(array, slot, (Object) null);
        return cast(item);
    }

    /** The array in which the slot of index b may be written. Called if that slot is not empty, or the array is due. */
    private @Nullable Object[] makeRoom(long b) {
        @Nullable Object[] array = slots;
        if (b - renewAt >= 0) {
            return renewed(b);
        }
        long occupant = b - array.length;
        if (occupant - cachedTop >= 0) {
            cachedTop = (long) TOP.getVolatile((WorkStealingDequeFields) this);
        }
        boolean full = occupant - cachedTop >= 0;
        if (!full && occupant - ring.copiedEnd < 0) {
            return array;
        }
        return moveTo(full ? doubled(array.length) : array.length, b);
    }

    private @Nullable Object[] renewed(long b) {
        cachedTop = (long) TOP.getVolatile((WorkStealingDequeFields) this);
        long size = b - cachedTop;
        int capacity = slots.length;
        while (capacity > smallest && 4 * size <= capacity) {
            capacity /= 2;
        }
        return moveTo(size == capacity ? doubled(capacity) : capacity, b);
    }

    /** Copies the items to a new array and publishes it. */
    private @Nullable Object[] moveTo(int capacity, long b) {
        @Nullable Object[] from = slots;
        Ring next = new Ring(capacity, b);
        @Nullable Object[] to = next.slots;
        cachedTop = (long) TOP.getVolatile((WorkStealingDequeFields) this);
        for (long i = cachedTop; i != b; i++) {
            to[slot(i, to)] = (Object) SLOT.getAcquire(from, slot(i, from));
        }
        RING.setRelease((DequeOwnerFields) this, next);
        slots = to;
        renewAt = b + Math.max(renewEvery, 2L * capacity);
        copiedFrom = cachedTop;
        return to;
    }

    /**
     * Clears the copies that were stolen. The deque is empty, and top and bottom are {@code end}: whatever overwrote a
     * copy was pushed at {@code end} or above, so the owner has popped it.
     */
    private void clearCopied(long end) {
        long copiedEnd = ring.copiedEnd;
        long to = copiedEnd - end < 0 ? copiedEnd : end;
        if (copiedFrom == to) {
            return;
        }
        @Nullable Object[] array = slots;
        long from = end - array.length - copiedFrom > 0 ? end - array.length : copiedFrom;
        for (long i = from; i - to < 0; i++) {
            SLOT.setOpaque(array, slot(i, array), (Object) null);
        }
        copiedFrom = to;
    }

    private static int slot(long index, @Nullable Object[] array) {
        return (int) index & (array.length - 1);
    }

    private static int doubled(int capacity) {
        if (capacity == MAX_CAPACITY) {
            throw new IllegalStateException("a work-stealing deque holds at most " + MAX_CAPACITY
                    + " items; push less before running what was pushed");
        }
        return capacity * 2;
    }

    private static int checkedCapacity(int capacity) {
        if (capacity < 2 || capacity > MAX_CAPACITY || Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException(
                    "capacity is " + capacity + ", must be a power of two from 2 to " + MAX_CAPACITY);
        }
        return capacity;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // only items of this deque, and only those that are there
    private T cast(@Nullable Object item) {
        return (T) item;
    }
}
