package io.frameloom.rdg.tools.live;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The longest frames and their traces, compressed: a fixed number of each, of a fixed size at most. Any thread. */
final class WorstFrames {
    static final int MOST = 10;

    private final List<Frame> frames = new ArrayList<>();

    /**
     * A frame.
     *
     * @param millis how long it took
     * @param trace its trace, compressed with gzip, or null if it was too large to keep
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody writes into it, and nobody compares frames.
    record Frame(long number, double millis, byte @Nullable [] trace) {}

    /** Returns whether a frame that took so long is one of them. */
    synchronized boolean admits(double millis) {
        return frames.size() < MOST || millis > frames.get(frames.size() - 1).millis;
    }

    synchronized void add(Frame frame) {
        frames.add(frame);
        frames.sort(Comparator.comparingDouble(Frame::millis).reversed());
        if (frames.size() > MOST) {
            frames.remove(MOST);
        }
    }

    /** Returns them, the longest first. */
    synchronized List<Frame> frames() {
        return List.copyOf(frames);
    }
}
