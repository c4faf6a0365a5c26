package io.frameloom.gpu;

/**
 * A value of an external timeline that a submission waits for or signals.
 *
 * @param timeline timeline
 * @param value value, at least 1
 * @param stages mask of the {@link PipelineStage}s of the submission that wait, or that must be done before the signal
 */
public record ExternalPoint(ExternalTimeline timeline, long value, int stages) {
    /** Checks the value. */
    public ExternalPoint {
        if (value < 1) {
            throw new IllegalArgumentException(
                    "values of timeline '" + timeline.name() + "' begin at 1 after its start, got " + value);
        }
    }

    /** Returns the point at which all stages wait, or that is reached when everything is done. */
    public static ExternalPoint of(ExternalTimeline timeline, long value) {
        return new ExternalPoint(timeline, value, PipelineStage.ALL_COMMANDS.bit());
    }
}
