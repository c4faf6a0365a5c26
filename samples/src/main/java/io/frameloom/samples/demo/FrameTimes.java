package io.frameloom.samples.demo;

import io.frameloom.rdg.FrameStatistics;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Collects the times of any number of frames in bounded memory. One thread at a time. */
final class FrameTimes {
    /** A median is off by less than a thousandth. */
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Histogram game = new Histogram(SIGNIFICANT_DIGITS);
    private final Histogram render = new Histogram(SIGNIFICANT_DIGITS);
    private final Histogram record = new Histogram(SIGNIFICANT_DIGITS);
    private final Histogram submit = new Histogram(SIGNIFICANT_DIGITS);
    private final Histogram gpu = new Histogram(SIGNIFICANT_DIGITS);
    private @Nullable FrameStatistics last;

    void completed(long gameNanos, long renderNanos, FrameStatistics statistics) {
        add(game, gameNanos);
        add(render, renderNanos);
        add(record, statistics.recordNanos());
        add(submit, statistics.submitNanos());
        add(gpu, statistics.gpuNanos());
        last = statistics;
    }

    private static void add(Histogram times, long nanos) {
        times.recordValue(Math.max(0, nanos));
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

    private static double median(Histogram times) {
        return times.getValueAtPercentile(50) * 1e-6;
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
