package io.frameloom.benchmarks.gpu.compute;

import java.util.Arrays;

/** A compaction of words by a plain loop. */
final class PlainCompaction {
    private PlainCompaction() {}

    /** Returns what stays, in its order; a bit of {@code keep} says so of an element, the lowest bit of a word first. */
    static int[] compact(int[] input, int[] keep) {
        int[] output = new int[input.length];
        int next = 0;
        for (int i = 0; i < input.length; i++) {
            if ((keep[i / Integer.SIZE] >>> (i % Integer.SIZE) & 1) != 0) {
                output[next++] = input[i];
            }
        }
        return Arrays.copyOf(output, next);
    }
}
