package io.frameloom.rdg;

import io.frameloom.rdg.async.GainsOfFrame;
import io.frameloom.rdg.bind.CompiledPlan;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a frame gains by the passes beside the graphics queue, from the times that were measured. Times are in
 * nanoseconds, all 0 without timestamps but for those of passes of the host. Immutable; any thread.
 *
 * @param frameNanos from the start of the first pass to the end of the last one
 * @param criticalNanos the longest chain of passes that wait for each other, by dependencies and on their queues
 * @param serialNanos the same if all passes were on the graphics queue
 * @param regions the regions, in the order of their first passes; with {@link AsyncCompute#MEASURED} those that were
 *     kept on the graphics queue as well
 */
public record AsyncGains(long frameNanos, long criticalNanos, long serialNanos, List<Region> regions) {
    public AsyncGains {
        regions = List.copyOf(regions);
    }

    /**
     * Passes of one queue that fork after the same graphics pass.
     *
     * @param passes names of the passes in order
     * @param queue name of the queue that they ran on
     * @param beside whether that is another one than the graphics queue
     * @param fork name of the last graphics pass that they depend on, nothing for the start of the frame
     * @param join name of the first graphics pass that depends on them, nothing for the end of the frame
     * @param serialNanos sum of the times of the passes
     * @param overlappedNanos how much of that another queue of the device ran passes of this frame as well
     * @param predictedNanos what the frame saves at most if the region runs beside graphics; passes that slow each
     *     other down when they run at once are not subtracted, and waits count nothing
     * @param measuredNanos what it was measured to save, both forms having run, with {@link AsyncCompute#MEASURED}
     * @param decision in words why it is where it is, with {@link AsyncCompute#MEASURED}; else nothing
     */
    public record Region(
            List<String> passes,
            String queue,
            boolean beside,
            String fork,
            String join,
            long serialNanos,
            long overlappedNanos,
            long predictedNanos,
            OptionalLong measuredNanos,
            String decision) {
        public Region {
            passes = List.copyOf(passes);
        }
    }

    /**
     * Returns the gains of a frame.
     *
     * @param statistics what it took; times of passes that the plan does not have are left out
     */
    public static AsyncGains of(FramePlan plan, FrameStatistics statistics) {
        CompiledPlan compiled = CompiledPlan.of(plan);
        compiled.requireHeld("AsyncGains.of");
        return GainsOfFrame.of(plan, compiled.structure(), compiled.decision(), statistics);
    }
}
