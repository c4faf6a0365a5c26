package io.frameloom.rdg.compile.graph;

import java.util.Arrays;

/**
 * Sorts indices by keys without objects; stable. Where few keys differ, each index goes right to the place of its key.
 * Else some bits at a time decide, from the lowest on (H. Hollerith's sort by radix). Then bits in which all keys agree
 * cost little, and keys that are in order are only looked at.
 */
public final class IndexSort {
    /** Bits of a digit of many keys, and of few: these pay for each digit that there might be. */
    private static final int LONG_DIGIT = 8;

    private static final int SHORT_DIGIT = 5;
    private static final int FEW = 384;

    /** As many keys that differ are told apart, in a table of four times as many places. */
    private static final int KINDS = 32;

    private static final int PLACE_BITS = 7;
    private static final int NONE = -1;

    private final int[] start = new int[(1 << LONG_DIGIT) + 1];
    /** By place of the table the kind there, or -1. */
    private final int[] kindAt = new int[1 << PLACE_BITS];
    /** By kind its key. */
    private final long[] keyOfKind = new long[KINDS];

    /** The kinds by their keys. */
    private final int[] inOrder = new int[KINDS];

    private int[] scratch;
    private int[] kindOf;

    IndexSort(int capacity) {
        scratch = new int[capacity];
        kindOf = new int[capacity];
    }

    /** Sorts {@code indices} by {@code keyOf} of each, ascending; equal keys keep their order. */
    void sort(int[] indices, long[] keyOf) {
        sort(indices, indices.length, keyOf);
    }

    public void sort(int[] indices, int n, long[] keyOf) {
        if (scratch.length < n) {
            scratch = new int[n];
            kindOf = new int[n];
        }
        int kinds = kinds(indices, n, keyOf);
        if (kinds > 1) {
            byKind(indices, n, kinds);
        } else if (kinds == NONE) {
            byDigits(indices, n, keyOf);
        }
    }

    /** Tells keys apart; returns how many there are, or -1 if those are too many. */
    private int kinds(int[] indices, int n, long[] keyOf) {
        Arrays.fill(kindAt, NONE);
        int kinds = 0;
        for (int i = 0; i < n; i++) {
            long key = keyOf[indices[i]];
            int place = (int) ((key * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - PLACE_BITS));
            int kind = kindAt[place];
            while (kind != NONE && keyOfKind[kind] != key) {
                place = (place + 1) & ((1 << PLACE_BITS) - 1);
                kind = kindAt[place];
            }
            if (kind == NONE) {
                if (kinds == KINDS) {
                    return NONE;
                }
                kind = kinds++;
                kindAt[place] = kind;
                keyOfKind[kind] = key;
                start[kind] = 0;
            }
            kindOf[i] = kind;
            start[kind]++;
        }
        return kinds;
    }

    private void byKind(int[] indices, int n, int kinds) {
        for (int kind = 0; kind < kinds; kind++) {
            int at = kind;
            for (; at > 0 && keyOfKind[inOrder[at - 1]] > keyOfKind[kind]; at--) {
                inOrder[at] = inOrder[at - 1];
            }
            inOrder[at] = kind;
        }
        int before = 0;
        for (int at = 0; at < kinds; at++) {
            int count = start[inOrder[at]];
            start[inOrder[at]] = before;
            before += count;
        }
        for (int i = 0; i < n; i++) {
            scratch[start[kindOf[i]]++] = indices[i];
        }
        System.arraycopy(scratch, 0, indices, 0, n);
    }

    private void byDigits(int[] indices, int n, long[] keyOf) {
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
