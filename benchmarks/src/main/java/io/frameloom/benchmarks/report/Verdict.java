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
 * @param met whether that is enough
 * @param bestRival the rival, or null where none did the same
 * @param bestRivalNsPerTask its median, or null
 * @param ratio ours through the rival's, or null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"shape", "workers", "contender", "nsPerTask", "bytesPerTask", "error"})
public record Verdict(
        String shape,
        int workers,
        String contender,
        double nsPerTask,
        double bytesPerTask,
        double error,
        String what,
        Metric metric,
        double value,
        double target,
        boolean met,
        @Nullable String bestRival,
        @Nullable Double bestRivalNsPerTask,
        @Nullable Double ratio) {
    static Verdict of(Target target, Row ours, double value, @Nullable Row rival) {
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
                target.metric().meets(value, target.target()),
                rival == null ? null : rival.contender(),
                rival == null ? null : rival.nsPerTask(),
                rival == null ? null : ours.nsPerTask() / rival.nsPerTask());
    }
}
