package io.frameloom.gpu.command;

/**
 * A point on a queue's timeline.
 *
 * @param value value, 0 at the start
 */
public record TimelinePoint(GpuQueue queue, long value) {
    /** Checks the value: a driver would take a negative one as never reached. */
    public TimelinePoint {
        if (value < 0) {
            throw new IllegalArgumentException(
                    "values of queue '" + queue.name() + "' begin at 0, got " + value + "; take what submit returns");
        }
    }
}
