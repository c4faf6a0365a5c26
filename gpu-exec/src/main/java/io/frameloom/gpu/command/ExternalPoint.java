package io.frameloom.gpu.command;

/**
 * A wait for, or signal of, a semaphore that Frameloom does not own: a value of a timeline, or a binary semaphore.
 *
 * @param value value of a timeline, at least 1; 0 for a binary semaphore
 * @param stages mask of the {@link PipelineStage}s of the submission that wait, or that must be done before the signal
 */
public record ExternalPoint(ExternalSemaphore semaphore, long value, int stages) {
    private static final int ALL_STAGES = PipelineStage.mask(PipelineStage.values());

    public ExternalPoint {
        if (stages == PipelineStage.NONE || (stages & ~ALL_STAGES) != 0) {
            throw new IllegalArgumentException("a point of semaphore '" + semaphore.name()
                    + "' names the stages of the submission by bits of PipelineStage, at least one, got " + stages);
        }
        if (semaphore instanceof ExternalTimeline) {
            if (value < 1) {
                throw new IllegalArgumentException(
                        "values of timeline '" + semaphore.name() + "' begin at 1 after its start, got " + value);
            }
        } else if (value != 0) {
            throw new IllegalArgumentException(
                    "semaphore '" + semaphore.name() + "' is binary and has no values, got " + value + "; give 0");
        }
    }

    /** Returns the point at which all stages wait, or that is reached when everything is done. */
    public static ExternalPoint of(ExternalTimeline timeline, long value) {
        return new ExternalPoint(timeline, value, PipelineStage.ALL_COMMANDS.bit());
    }

    /** Returns the wait of all stages for a binary semaphore, or its signal when everything is done. */
    public static ExternalPoint of(ExternalSemaphore binary) {
        return new ExternalPoint(binary, 0, PipelineStage.ALL_COMMANDS.bit());
    }

    /** As this, with the stages that wait, or that must be done before the signal. */
    public ExternalPoint at(int someStages) {
        return new ExternalPoint(semaphore, value, someStages);
    }

    /** Returns whether the semaphore is a timeline. */
    public boolean isOfTimeline() {
        return semaphore instanceof ExternalTimeline;
    }
}
