package io.frameloom.taskgraph.compiled;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A work-stealing deque whose items are ranges of small numbers, packed into one long each.
 *
 * <p><b>Use.</b> One owner at a time calls {@link #push} and {@link #pop} (newest first); any thread calls
 * {@link #steal} (oldest first) and {@link #isEmpty}. The owner may change if the change is ordered by
 * something else. The algorithm is that of Chase and Lev ("Dynamic circular work-stealing deque"), with
 * 64-bit indices that never wrap and an array that grows and never shrinks.
 *
 * <p><b>Linearization.</b> {@code push} at its release store of bottom; {@code pop} at its store of bottom
 * if more than one item is left, else at the compare-and-set of top; {@code steal} at its compare-and-set
 * of top. <b>Memory order.</b> {@code pop} stores bottom and then loads top, {@code steal} loads top and
 * then bottom, all four sequentially consistent: for the last item one of the two sees the other and the
 * compare-and-set decides ({@code DequeLastItemStress}). The item is stored before the release of bottom
 * and loaded after the load of bottom, and so is the array, which {@code grow} publishes before bottom;
 * a slot of a replaced array is never written again, so a thief that still reads it reads the right item.
 * Both arrays are there before the first item is ({@code DequeFirstPushStress}). What the owner did before
 * {@code push} is visible to the thief through bottom ({@code DequePublicationStress}).
 *
 * <p><b>Progress.</b> {@code push} and {@code pop} are wait-free but for the growth of the array; {@code
 * steal} is lock-free and gives up when another thread was faster.
 */
public final class RangeDeque {
    /** No item. Packed ranges are never negative. */
    public static final long NOTHING = -1L;

    /** Two words on cache lines of their own: indices into the padded array. */
    private static final int TOP = 16;

    private static final int BOTTOM = 48;
    private static final int WORDS = 64;
    static final long[] NONE = {};
    static final RangeDeque[] NO_DEQUES = {};
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    private static final int FIRST_CAPACITY = 16;

    /** Null before the first push, as {@link #items}; what is not there yet is empty. */
    private volatile long @Nullable [] words;

    private volatile long[] items = NONE;

    /** An empty deque with a first capacity, a power of two, or 0: then it takes no memory before the first push. */
    public RangeDeque(int capacity) {
        if (capacity > 0) {
            begin(capacity, 0L);
        }
    }

    /** An empty deque whose indices begin at a given number, so that tests pass the limits of an int. */
    public RangeDeque(int capacity, long firstIndex) {
        begin(capacity, firstIndex);
    }

    private long[] begin(int capacity, long firstIndex) {
        long[] made = new long[WORDS];
        made[TOP] = firstIndex;
        made[BOTTOM] = firstIndex;
        items = new long[capacity];
        words = made;
        return made;
    }

    /** Packs a range of numbers, 0 or more, of which the last comes before {@code end}. */
    public static long range(int first, int end) {
        return (long) first << 32 | end;
    }

    /** The first number of a packed range. */
    public static int first(long range) {
        return (int) (range >>> 32);
    }

    /** One more than the last number of a packed range. */
    public static int end(long range) {
        return (int) range;
    }

    /** Adds the newest item. By the owner. */
    public void push(long range) {
        long[] ends = words;
        ends = ends == null ? begin(FIRST_CAPACITY, 0L) : ends;
        long[] array = items;
        long bottom = bottomPlain(ends);
        if (bottom - topAcquire(ends) >= array.length) {
            array = grow(array, ends, bottom);
        }
        LONGS.setOpaque(array, (int) bottom & (array.length - 1), range);
        LONGS.setRelease(ends, BOTTOM, bottom + 1);
    }

    private long[] grow(long[] old, long[] ends, long bottom) {
        long[] larger = new long[old.length * 2];
        for (long index = topAcquire(ends); index < bottom; index++) {
            larger[(int) index & (larger.length - 1)] = old[(int) index & (old.length - 1)];
        }
        items = larger;
        return larger;
    }

    /** Takes the newest item, or {@link #NOTHING}. By the owner. */
    public long pop() {
        long[] ends = words;
        if (ends == null) {
            return NOTHING;
        }
        long bottom = bottomPlain(ends);
        if (topAcquire(ends) == bottom) {
            return NOTHING;
        }
        bottom--;
        LONGS.setVolatile(ends, BOTTOM, bottom);
        long top = topVolatile(ends);
        long range = NOTHING;
        if (top <= bottom) {
            long[] array = items;
            range = (long) LONGS.getOpaque(array, (int) bottom & (array.length - 1));
            if (top < bottom) {
                return range;
            }
            if (!casTop(ends, top)) {
                range = NOTHING;
            }
        }
        LONGS.setRelease(ends, BOTTOM, bottom + 1);
        return range;
    }

    /** Takes the oldest item, or {@link #NOTHING} if there is none. By any thread. */
    public long steal() {
        long[] ends = words;
        while (ends != null) {
            long top = topVolatile(ends);
            if (top >= bottomVolatile(ends)) {
                return NOTHING;
            }
            long[] array = items;
            long range = (long) LONGS.getOpaque(array, (int) top & (array.length - 1));
            if (casTop(ends, top)) {
                return range;
            }
        }
        return NOTHING;
    }

    /** Whether nothing can be stolen; ordered after a full fence of the caller it misses no earlier push. */
    public boolean isEmpty() {
        long[] ends = words;
        return ends == null || topVolatile(ends) >= bottomVolatile(ends);
    }

    /** What can be stolen at some moment, the oldest first; for reports. Any thread. */
    public long[] ranges() {
        long[] ends = words;
        if (ends == null) {
            return NONE;
        }
        long top = topVolatile(ends);
        int size = (int) Math.max(0L, bottomVolatile(ends) - top);
        long[] array = items;
        long[] found = new long[Math.min(size, array.length)];
        for (int i = 0; i < found.length; i++) {
            found[i] = (long) LONGS.getOpaque(array, (int) (top + i) & (array.length - 1));
        }
        return found;
    }

    private static long bottomPlain(long[] ends) {
        return (long) LONGS.get(ends, BOTTOM);
    }

    private static long bottomVolatile(long[] ends) {
        return (long) LONGS.getVolatile(ends, BOTTOM);
    }

    private static long topAcquire(long[] ends) {
        return (long) LONGS.getAcquire(ends, TOP);
    }

    private static long topVolatile(long[] ends) {
        return (long) LONGS.getVolatile(ends, TOP);
    }

    private static boolean casTop(long[] ends, long expected) {
        return LONGS.compareAndSet(ends, TOP, expected, expected + 1);
    }
}
