package io.frameloom.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.frameloom.benchmarks.driver.Row;
import org.jspecify.annotations.Nullable;

/**
 * A target held against what was measured, an element of the file of targets. The first six values are those of our row.
 *
 * @param shape what was run
 * @param workers number of threads that execute tasks
 * @param contender ours
 * @param nsPerTask ours, the median
 * @param bytesPerTask ours
 * @param error ours, half the interquartile range
 * @param what the target in words
 * @param metric what the target is about
 * @param value what was reached
 * @param target what was asked for
 * @param tolerance by how much the value may pass the target and still meet it
 * @param met whether that is enough
 * @param bestRival the rival, or null where none did the same
 * @param bestRivalValue the rival's in the unit of the metric, nanoseconds for a ratio; or null
 * @param ratio ours through the rival's of the same quantity, or null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"shape", "workers", "contender", "nsPerTask", "bytesPerTask", "error"})
public record Verdict(
        String shape,
        int workers,
        String contender,
        double nsPerTask,
        @Nullable Double bytesPerTask,
        double error,
        String what,
        Metric metric,
        double value,
        double target,
        double tolerance,
        boolean met,
        @Nullable String bestRival,
        @Nullable Double bestRivalValue,
        @Nullable Double ratio) {
    static Verdict of(Target target, Row ours, double value, @Nullable Row rival, @Nullable Double rivalValue) {
        return new Verdict(
                ours.shape(),
                ours.workers(),
                ours.contender(),
                ours.nsPerTask(),
                ours.bytesPerTask(),
                ours.error(),
                target.what(),
                target.metric(),
                value,
                target.target(),
                target.metric().tolerance(),
                target.metric().meets(value, target.target()),
                rival == null ? null : rival.contender(),
                rivalValue,
                ratio(target.metric(), value, rivalValue));
    }

    /** Nothing is a multiple of a rival's 0, nor of what cannot be told from 0. */
    private static @Nullable Double ratio(Metric metric, double value, @Nullable Double rivalValue) {
        if (rivalValue == null || rivalValue <= metric.tolerance()) {
            return null;
        }
        return metric == Metric.RATIO ? value : value / rivalValue;
    }
}
