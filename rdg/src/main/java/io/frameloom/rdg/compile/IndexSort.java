package io.frameloom.rdg.compile;

import java.util.Arrays;

/** Sorts indices by keys without objects: a merge sort from the bottom up, stable, on runs sorted by insertion. */
final class IndexSort {
    private static final int RUN = 12;

    private int[] scratch;

    IndexSort(int capacity) {
        scratch = new int[capacity];
    }

    /** Sorts {@code indices} by {@code keyOf} of each, ascending; equal keys keep their order. */
    void sort(int[] indices, long[] keyOf) {
        int n = indices.length;
        if (scratch.length < n) {
            scratch = new int[n];
        }
        for (int start = 0; start < n; start += RUN) {
            insertionSort(indices, keyOf, start, Math.min(n, start + RUN));
        }
        int[] from = indices;
        int[] to = scratch;
        for (int width = RUN; width < n; width *= 2) {
            for (int start = 0; start < n; start += 2 * width) {
                merge(from, to, keyOf, start, Math.min(n, start + width), Math.min(n, start + 2 * width));
            }
            int[] swap = from;
            from = to;
            to = swap;
        }
        if (from != indices) {
            System.arraycopy(from, 0, indices, 0, n);
        }
    }

    private static void insertionSort(int[] indices, long[] keyOf, int start, int end) {
        for (int i = start + 1; i < end; i++) {
            int index = indices[i];
            long key = keyOf[index];
            int at = i;
            while (at > start && keyOf[indices[at - 1]] > key) {
                indices[at] = indices[at - 1];
                at--;
            }
            indices[at] = index;
        }
    }

    private static void merge(int[] from, int[] to, long[] keyOf, int start, int middle, int end) {
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++) {
            boolean takesLeft = right >= end || (left < middle && keyOf[from[left]] <= keyOf[from[right]]);
            to[i] = from[takesLeft ? left++ : right++];
        }
    }

    /** Returns 0, 1, 2 and so on. */
    static int[] identity(int length) {
        int[] indices = new int[length];
        Arrays.setAll(indices, i -> i);
        return indices;
    }
}
