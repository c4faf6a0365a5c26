package io.frameloom.taskgraph.compiled;

import java.util.Arrays;

/**
 * A stack of ranges from which numbers are taken one by one. Belongs to one thread; grows, never shrinks.
 */
public final class RangeStack {
    private static final int LEAST = 16;

    private long[] items;
    private int size;

    /** An empty stack with a first capacity, 0 or more. */
    public RangeStack(int capacity) {
        items = capacity == 0 ? RangeDeque.NONE : new long[capacity];
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public void push(int first, int end) {
        if (size == items.length) {
            items = Arrays.copyOf(items, Math.max(LEAST, size * 2));
        }
        items[size++] = RangeDeque.range(first, end);
    }

    /** Takes the first number of the range on top, or -1 if the stack is empty. */
    public int pop() {
        if (size == 0) {
            return -1;
        }
        long range = items[size - 1];
        int first = RangeDeque.first(range);
        if (first + 1 == RangeDeque.end(range)) {
            size--;
        } else {
            items[size - 1] = RangeDeque.range(first + 1, RangeDeque.end(range));
        }
        return first;
    }

    /** What is in it, the oldest first; for reports by other threads, which see what the owner published before. */
    public long[] ranges() {
        long[] array = items;
        return Arrays.copyOf(array, Math.min(size, array.length));
    }

    /**
     * Takes the oldest range, or the upper half of it if it has two numbers or more; {@link RangeDeque#NOTHING} if the
     * stack is empty.
     */
    public long takeOldestHalf() {
        if (size == 0) {
            return RangeDeque.NOTHING;
        }
        long range = items[0];
        int first = RangeDeque.first(range);
        int end = RangeDeque.end(range);
        if (end - first >= 2) {
            int middle = (first + end) >>> 1;
            items[0] = RangeDeque.range(first, middle);
            return RangeDeque.range(middle, end);
        }
        size--;
        System.arraycopy(items, 1, items, 0, size);
        return range;
    }
}
