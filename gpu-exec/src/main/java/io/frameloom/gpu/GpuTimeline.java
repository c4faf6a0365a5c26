package io.frameloom.gpu;

import io.frameloom.taskgraph.GraphEvent;
import java.time.Duration;

/** The monotonic clock of one queue: each submission moves it by one when it completes. Any thread. */
public interface GpuTimeline {
    /** Returns the value that the newest submission will reach. */
    long submitted();

    /** Returns the value reached. */
    long completed();

    /**
     * Returns an event that completes when {@code value} is reached, or fails with {@link DeviceLostException}. GPU work
     * is so a prerequisite like any other.
     *
     * @throws IllegalArgumentException if the value was not submitted yet
     */
    GraphEvent reached(long value);

    /** Blocks until {@code value} is reached; returns false on time-out. */
    boolean await(long value, Duration timeout);
}
