package io.frameloom.rdg;

import io.frameloom.gpu.command.PipelineStatistic;
import io.frameloom.gpu.command.QueryResults;
import java.util.List;

/**
 * What one frame took. Times are in nanoseconds.
 *
 * @param frame number of the frame
 * @param recordNanos sum over the recording tasks of the time each of them ran
 * @param submitNanos sum over the submissions of the time each of them took on the submit thread
 * @param gpuNanos from the start of the first pass to the end of the last one on the device; 0 without timestamps
 * @param tasks recording groups, batches and the completion, whether tasks did them or the calling thread
 * @param passes passes that ran
 * @param culledPasses passes that the compiler removed
 * @param barriers barriers of the plan
 * @param waits waits between queues of the plan, without those at the frame boundary
 * @param heapBytes bytes of transient memory that the plan takes
 * @param passTimes passes with their time, in order of submission: those of the device with timestamps only, and those
 *     of the host
 * @param passCounts what the pipeline did for raster passes, in order of submission; empty unless {@link
 *     FrameExecutorOptions#collectStatistics}
 * @param scopeTimes scopes with passes that ran and their time on the device; empty without timestamps
 */
public record FrameStatistics(
        long frame,
        long recordNanos,
        long submitNanos,
        long gpuNanos,
        int tasks,
        int passes,
        int culledPasses,
        int barriers,
        int waits,
        long heapBytes,
        List<PassTime> passTimes,
        List<PassCounts> passCounts,
        List<ScopeTime> scopeTimes) {
    public FrameStatistics {
        passTimes = List.copyOf(passTimes);
        passCounts = List.copyOf(passCounts);
        scopeTimes = List.copyOf(scopeTimes);
    }

    /**
     * The time of a pass on the device, or of its body on the host.
     *
     * @param pass name of the pass
     * @param queue name of the queue in the plan, which for passes of the host is "host"
     * @param startNanos start on the clock of {@link System#nanoTime}
     * @param nanos duration
     */
    public record PassTime(String pass, String queue, long startNanos, long nanos) {}

    /**
     * What the pipeline did for a raster pass. Not counted are passes that are recorded in parts, count statistics by
     * {@link PassBuilder#counts}, or have native commands, multiview or render passes of their own. Other bodies begin no
     * query of statistics themselves.
     *
     * @param pass name of the pass
     * @param index its position in the plan
     * @param results the results of one query of statistics
     */
    public record PassCounts(String pass, int index, QueryResults results) {
        /** Returns one of the statistics. */
        public long of(PipelineStatistic which) {
            return results.statistic(0, which);
        }
    }

    /**
     * The time of a scope on the device, measured by the timestamps of its passes and those of the scopes in it.
     *
     * @param path names of the scopes around it and its own, joined by a slash
     * @param depth number of scopes around it
     * @param passes passes that ran in it
     * @param startNanos start of its first pass on the clock of {@link System#nanoTime}
     * @param nanos from there to the end of its last pass, on whatever queues they ran
     * @param busyNanos sum of the times of its passes
     */
    public record ScopeTime(String path, int depth, int passes, long startNanos, long nanos, long busyNanos) {}
}
