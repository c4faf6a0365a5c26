package io.frameloom.benchmarks.driver;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One measured line. Every time is in nanoseconds per {@code unit}.
 *
 * @param shape what was run
 * @param workers number of threads that execute tasks
 * @param contender who ran it
 * @param nsPerTask median over the samples
 * @param bytesPerTask heap bytes allocated by all threads, per unit; null where a program cannot count them
 * @param error half the interquartile range of the samples, never null
 * @param minNsPerTask the fastest sample
 * @param p99 the 99th percentile where single latencies were taken, else null
 * @param cpuNsPerTask processor time of the whole process, all threads together, over all samples: other
 *     processes on the machine disturb it much less than the elapsed time
 * @param body kind of work of each task, in lower case
 * @param reruns true when the graph was built once before the measurement
 * @param unit what the times are divided by, in the singular: {@code task} for graphs
 * @param parameter a further quantity that was varied, such as the grain; null where there is none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"shape", "workers", "contender", "nsPerTask", "bytesPerTask", "error"})
public record Row(
        String shape,
        int workers,
        String contender,
        double nsPerTask,
        @Nullable Double bytesPerTask,
        double error,
        double minNsPerTask,
        @Nullable Double p99,
        double cpuNsPerTask,
        String body,
        boolean reruns,
        String unit,
        @Nullable Integer parameter) {
    /** What the names of the project's own contenders begin with. */
    static final String OURS = "frameloom-";

    /** The name of the contender that schedules nothing. */
    public static final String SEQUENTIAL = "sequential";

    /** The name of the row that shows what the idle JVM costs by itself. */
    public static final String NOTHING = "nothing";

    /** True for the project's own contenders. */
    public boolean ours() {
        return contender.startsWith(OURS);
    }

    /** True for a rival that schedules: a sequential loop is a floor, not a rival. */
    public boolean rival() {
        return !ours() && !contender.equals(SEQUENTIAL) && !contender.equals(NOTHING);
    }

    /** True when both rows answer the same question, so that their ratio means something. */
    public boolean comparesWith(Row other) {
        return shape.equals(other.shape)
                && workers == other.workers
                && body.equals(other.body)
                && reruns == other.reruns
                && Objects.equals(parameter, other.parameter);
    }
}
