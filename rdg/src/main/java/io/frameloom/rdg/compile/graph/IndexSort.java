package io.frameloom.rdg.compile.graph;

import java.util.Arrays;

/**
 * Sorts indices by keys without objects and without compares: eight bits at a time from the lowest on (H. Hollerith's
 * sort by radix), stable. Bits in which all keys agree cost little, and keys that are in order cost nothing.
 */
public final class IndexSort {
    private static final int DIGIT = 8;
    private static final int DIGITS = 1 << DIGIT;

    private final int[] start = new int[DIGITS + 1];
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
        int[] from = indices;
        int[] to = scratch;
        long differing = any ^ all;
        while (differing != 0) {
            int shift = Long.numberOfTrailingZeros(differing);
            distribute(from, to, n, keyOf, shift);
            int[] swap = from;
            from = to;
            to = swap;
            differing &= (-1L << (shift + DIGIT - 1)) << 1;
        }
        if (from != indices) {
            System.arraycopy(from, 0, indices, 0, n);
        }
    }

    private void distribute(int[] from, int[] to, int n, long[] keyOf, int shift) {
        Arrays.fill(start, 0);
        for (int i = 0; i < n; i++) {
            start[digit(keyOf[from[i]], shift) + 1]++;
        }
        for (int d = 0; d < DIGITS; d++) {
            start[d + 1] += start[d];
        }
        for (int i = 0; i < n; i++) {
            to[start[digit(keyOf[from[i]], shift)]++] = from[i];
        }
    }

    /** Eight bits of a key, with the sign turned so that negative keys come first. */
    private static int digit(long key, int shift) {
        return (int) ((key ^ Long.MIN_VALUE) >>> shift) & (DIGITS - 1);
    }
}
