package io.frameloom.taskgraph.compiled;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

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
 * What the owner did before {@code push} is visible to the thief through bottom
 * ({@code DequePublicationStress}).
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
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] words = new long[WORDS];
    private volatile long[] items;

    /** An empty deque with a first capacity, a power of two. */
    public RangeDeque(int capacity) {
        this(capacity, 0L);
    }

    /** An empty deque whose indices begin at a given number, so that tests pass the limits of an int. */
    public RangeDeque(int capacity, long firstIndex) {
        items = new long[capacity];
        LONGS.setRelease(words, TOP, firstIndex);
        LONGS.setRelease(words, BOTTOM, firstIndex);
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
        long bottom = bottomPlain();
        long[] array = items;
        if (bottom - topAcquire() >= array.length) {
            array = grow(array, bottom);
        }
        LONGS.setOpaque(array, (int) bottom & (array.length - 1), range);
        LONGS.setRelease(words, BOTTOM, bottom + 1);
    }

    private long[] grow(long[] old, long bottom) {
        long[] larger = new long[old.length * 2];
        for (long index = topAcquire(); index < bottom; index++) {
            larger[(int) index & (larger.length - 1)] = old[(int) index & (old.length - 1)];
        }
        items = larger;
        return larger;
    }

    /** Takes the newest item, or {@link #NOTHING}. By the owner. */
    public long pop() {
        long bottom = bottomPlain();
        if (topAcquire() == bottom) {
            return NOTHING;
        }
        bottom--;
        LONGS.setVolatile(words, BOTTOM, bottom);
        long top = topVolatile();
        long range = NOTHING;
        if (top <= bottom) {
            long[] array = items;
            range = (long) LONGS.getOpaque(array, (int) bottom & (array.length - 1));
            if (top < bottom) {
                return range;
            }
            if (!casTop(top)) {
                range = NOTHING;
            }
        }
        LONGS.setRelease(words, BOTTOM, bottom + 1);
        return range;
    }

    /** Takes the oldest item, or {@link #NOTHING} if there is none. By any thread. */
    public long steal() {
        while (true) {
            long top = topVolatile();
            if (top >= bottomVolatile()) {
                return NOTHING;
            }
            long[] array = items;
            long range = (long) LONGS.getOpaque(array, (int) top & (array.length - 1));
            if (casTop(top)) {
                return range;
            }
        }
    }

    /** Whether nothing can be stolen; ordered after a full fence of the caller it misses no earlier push. */
    public boolean isEmpty() {
        return topVolatile() >= bottomVolatile();
    }

    /** What can be stolen at some moment, the oldest first; for reports. Any thread. */
    public long[] ranges() {
        long top = topVolatile();
        int size = (int) Math.max(0L, bottomVolatile() - top);
        long[] array = items;
        long[] found = new long[Math.min(size, array.length)];
        for (int i = 0; i < found.length; i++) {
            found[i] = (long) LONGS.getOpaque(array, (int) (top + i) & (array.length - 1));
        }
        return found;
    }

    private long bottomPlain() {
        return (long) LONGS.get(words, BOTTOM);
    }

    private long bottomVolatile() {
        return (long) LONGS.getVolatile(words, BOTTOM);
    }

    private long topAcquire() {
        return (long) LONGS.getAcquire(words, TOP);
    }

    private long topVolatile() {
        return (long) LONGS.getVolatile(words, TOP);
    }

    private boolean casTop(long expected) {
        return LONGS.compareAndSet(words, TOP, expected, expected + 1);
    }
}
