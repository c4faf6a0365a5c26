package io.frameloom.rdg.async;

import java.util.List;
import java.util.Locale;

/**
 * What was decided about a region, and by which times. Immutable.
 *
 * @param passes positions of its passes in the declared graph, in order
 * @param queue queue that it runs on if it runs beside the graphics queue
 * @param beside whether it does
 * @param stage how far the decision is
 * @param predictedNanos what the frame saves by that at most, as the model says, or {@link #UNKNOWN}
 * @param measuredNanos what the frame was measured to save by that, or {@link #UNKNOWN}
 * @param neededPercent percent of the serial frame that it had to save to be beside the graphics queue
 * @param frameNanos the frame with the region on the graphics queue: measured if the gain is, else predicted
 */
public record RegionDecision(
        List<Integer> passes,
        int queue,
        boolean beside,
        Stage stage,
        long predictedNanos,
        long measuredNanos,
        int neededPercent,
        long frameNanos) {
    /** What stands for a time that is not known. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    private static final double PERCENT = 100;

    /** How far a decision is. */
    public enum Stage {
        /** The region is beside graphics as tagged, and was not tried on the graphics queue. */
        UNMEASURED,
        /** It has the other form for some frames. */
        TRIAL,
        /** Both forms were measured. */
        DECIDED
    }

    /** Copies the list. */
    public RegionDecision {
        passes = List.copyOf(passes);
    }

    /** Returns in words why the region is where it is. */
    public String reason() {
        return switch (stage) {
            case UNMEASURED ->
                predictedNanos == UNKNOWN
                        ? "beside graphics as tagged: too few frames have been measured"
                        : "beside graphics as tagged: predicted to save " + share(predictedNanos)
                                + ", not tried on the graphics queue yet";
            case TRIAL ->
                (beside ? "beside graphics" : "on the graphics queue")
                        + " for some frames, to measure what running beside graphics saves: at most "
                        + share(predictedNanos) + " as predicted";
            case DECIDED ->
                (beside ? "beside graphics: that was" : "on the graphics queue: running beside graphics was")
                        + (measuredNanos == UNKNOWN
                                ? " not measured"
                                : " measured to save " + share(measuredNanos) + " of the serial frame")
                        + (predictedNanos == UNKNOWN ? "" : ", predicted " + share(predictedNanos))
                        + "; it took " + neededPercent + " % to be beside graphics, and takes "
                        + RegionState.CLEAR_PERCENT + " % to come back to it";
        };
    }

    private String share(long nanos) {
        return String.format(Locale.ROOT, "%.3f ms (%.1f %%)", nanos * 1e-6, PERCENT * nanos / Math.max(1, frameNanos));
    }
}
