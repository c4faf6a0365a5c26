package io.frameloom.samples.match;

import java.util.Arrays;

/**
 * The brackets that are open at the end of a window, carried to the next one. Each takes two bits, for the kind, since
 * only the place of the lowest one is ever reported. One thread.
 */
final class OpenStack {
    private static final int PER_WORD = 32;

    private long[] words = new long[16];
    private long size;
    private long bottom;

    long size() {
        return size;
    }

    /** Returns where the lowest open bracket is; there must be one. */
    long bottom() {
        return bottom;
    }

    /** Returns the kind of the lowest open bracket; there must be one. */
    int bottomKind() {
        return (int) (words[0] & 3);
    }

    void push(int kind, long offset) {
        if (size == 0) {
            bottom = offset;
        }
        int word = Math.toIntExact(size / PER_WORD);
        if (word == words.length) {
            words = Arrays.copyOf(words, 2 * words.length);
        }
        int shift = (int) (size % PER_WORD) * 2;
        words[word] = (words[word] & ~(3L << shift)) | ((long) kind << shift);
        size++;
    }

    /** Removes the topmost and returns its kind, or -1 if there is none. */
    int pop() {
        if (size == 0) {
            return -1;
        }
        size--;
        return (int) (words[(int) (size / PER_WORD)] >>> (size % PER_WORD * 2) & 3);
    }
}
