package io.frameloom.samples.demo;

import io.frameloom.rdg.FrameStatistics;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Collects the times of frames. Frame numbers below the count; one thread writes a frame at a time. */
final class FrameTimes {
    private final long[] game;
    private final long[] render;
    private final long[] record;
    private final long[] submit;
    private final long[] gpu;
    private int completed;
    private @Nullable FrameStatistics last;

    FrameTimes(int frames) {
        game = new long[frames];
        render = new long[frames];
        record = new long[frames];
        submit = new long[frames];
        gpu = new long[frames];
    }

    void completed(int frame, long gameNanos, long renderNanos, FrameStatistics statistics) {
        game[frame] = gameNanos;
        render[frame] = renderNanos;
        record[frame] = statistics.recordNanos();
        submit[frame] = statistics.submitNanos();
        gpu[frame] = statistics.gpuNanos();
        completed = frame + 1;
        last = statistics;
    }

    /** Returns the statistics of the last frame. */
    FrameStatistics last() {
        FrameStatistics statistics = last;
        if (statistics == null) {
            throw new IllegalStateException("no frame was completed");
        }
        return statistics;
    }

    Medians medians() {
        return new Medians(median(game), median(render), median(record), median(submit), median(gpu));
    }

    private double median(long[] nanos) {
        long[] sorted = Arrays.copyOf(nanos, completed);
        Arrays.sort(sorted);
        int middle = completed / 2;
        long sum = completed % 2 == 1 ? 2 * sorted[middle] : sorted[middle - 1] + sorted[middle];
        return sum * 0.5e-6;
    }

    /**
     * Medians over the frames in milliseconds.
     *
     * @param game simulation on GAME
     * @param render declaration, compilation and launch on RENDER
     * @param record sum over the recording tasks
     * @param submit submission on RHI
     * @param gpu from the first pass to the end of the last on the device
     */
    record Medians(double game, double render, double record, double submit, double gpu) {}
}
