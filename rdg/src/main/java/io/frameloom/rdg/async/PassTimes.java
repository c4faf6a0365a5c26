package io.frameloom.rdg.async;

import java.util.Arrays;

/**
 * What passes and the whole frame took in the frames of one window; the median of each, so that no single frame decides
 * anything. One thread at a time.
 */
final class PassTimes {
    private final int frames;
    private final long[] byPass;
    private final long[] spans;
    private final long[] sorted;
    private int count;

    /** No frames, of graphs with {@code passes} declared passes. */
    PassTimes(int passes, int frames) {
        this.frames = frames;
        byPass = new long[passes * frames];
        spans = new long[frames];
        sorted = new long[frames];
    }

    /** Notes what a pass took in the frame that {@link #endFrame} ends. */
    void add(int pass, long nanos) {
        byPass[pass * frames + count] = nanos;
    }

    /** Ends a frame with the time from the start of its first pass to the end of its last one. */
    void endFrame(long span) {
        spans[count++] = span;
    }

    boolean isFull() {
        return count == frames;
    }

    /** Returns the median of what a pass took; 0 in the frames that did not measure it. */
    long median(int pass) {
        System.arraycopy(byPass, pass * frames, sorted, 0, count);
        return medianOfSorted();
    }

    /** Returns the median of what the frames took. */
    long medianSpan() {
        System.arraycopy(spans, 0, sorted, 0, count);
        return medianOfSorted();
    }

    private long medianOfSorted() {
        Arrays.sort(sorted, 0, count);
        return sorted[count / 2];
    }

    /** Forgets all frames. */
    void clear() {
        Arrays.fill(byPass, 0);
        count = 0;
    }
}
