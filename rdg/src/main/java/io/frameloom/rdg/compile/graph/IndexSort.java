package io.frameloom.rdg.compile.graph;

import java.util.Arrays;

/**
 * Sorts indices by keys without objects and without compares: some bits at a time from the lowest on (H. Hollerith's
 * sort by radix), stable. Bits in which all keys agree cost little, and keys that are in order cost nothing.
 */
public final class IndexSort {
    /** Bits of a digit of many keys, and of few: these pay for each digit that there might be. */
    private static final int LONG_DIGIT = 8;

    private static final int SHORT_DIGIT = 5;
    private static final int FEW = 384;

    private final int[] start = new int[(1 << LONG_DIGIT) + 1];
    private int[] scratch;

    IndexSort(int capacity) {
        scratch = new int[capacity];
    }

    /** Sorts {@code indices} by {@code keyOf} of each, ascending; equal keys keep their order. */
    void sort(int[] indices, long[] keyOf) {
        sort(indices, indices.length, keyOf);
    }

    /** Sorts the first {@code n} indices. */
    public void sort(int[] indices, int n, long[] keyOf) {
        if (scratch.length < n) {
            scratch = new int[n];
        }
        long any = 0;
        long all = -1;
        long former = Long.MIN_VALUE;
        boolean sorted = true;
        for (int i = 0; i < n; i++) {
            long key = keyOf[indices[i]];
            any |= key;
            all &= key;
            sorted &= former <= key;
            former = key;
        }
        if (sorted) {
            return;
        }
        int bits = n < FEW ? SHORT_DIGIT : LONG_DIGIT;
        int[] from = indices;
        int[] to = scratch;
        long differing = any ^ all;
        while (differing != 0) {
            int shift = Long.numberOfTrailingZeros(differing);
            distribute(from, to, n, keyOf, shift, (1 << bits) - 1);
            int[] swap = from;
            from = to;
            to = swap;
            differing = shift + bits < Long.SIZE ? differing & (-1L << (shift + bits)) : 0;
        }
        if (from != indices) {
            System.arraycopy(from, 0, indices, 0, n);
        }
    }

    private void distribute(int[] from, int[] to, int n, long[] keyOf, int shift, int mask) {
        Arrays.fill(start, 0, mask + 2, 0);
        for (int i = 0; i < n; i++) {
            start[digit(keyOf[from[i]], shift, mask) + 1]++;
        }
        for (int d = 0; d <= mask; d++) {
            start[d + 1] += start[d];
        }
        for (int i = 0; i < n; i++) {
            to[start[digit(keyOf[from[i]], shift, mask)]++] = from[i];
        }
    }

    /** Some bits of a key, with the sign turned so that negative keys come first. */
    private static int digit(long key, int shift, int mask) {
        return (int) ((key ^ Long.MIN_VALUE) >>> shift) & mask;
    }
}
