package io.frameloom.overlay;

/** The times of the last frames, for a graph. One thread. */
final class FrameHistory {
    /** How many frames are kept. */
    static final int FRAMES = 120;

    private final long[] frame = new long[FRAMES];
    private final long[] device = new long[FRAMES];
    private int next;
    private int count;

    /** Notes a frame: from the one before to it, and what the device took for the last that has completed. */
    void add(long frameNanos, long deviceNanos) {
        frame[next] = frameNanos;
        device[next] = deviceNanos;
        next = (next + 1) % FRAMES;
        count = Math.min(FRAMES, count + 1);
    }

    int count() {
        return count;
    }

    /** Returns the time of a frame, 0 being the oldest that is kept. */
    long frame(int age) {
        return frame[index(age)];
    }

    long device(int age) {
        return device[index(age)];
    }

    /** Returns the longest time that is kept. */
    long longest() {
        long longest = 1;
        for (int age = 0; age < count; age++) {
            longest = Math.max(longest, Math.max(frame(age), device(age)));
        }
        return longest;
    }

    /** Returns the mean of the times of frames. */
    double mean() {
        double sum = 0;
        for (int age = 0; age < count; age++) {
            sum += frame(age);
        }
        return count == 0 ? 0 : sum / count;
    }

    private int index(int age) {
        return (next - count + age + FRAMES) % FRAMES;
    }
}
