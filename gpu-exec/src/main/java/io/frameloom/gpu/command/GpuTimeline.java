package io.frameloom.gpu.command;

import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.taskgraph.GraphEvent;
import java.time.Duration;

/**
 * The monotonic clock of one queue: each submission moves it by one when it completes, one that signals early by two
 * ({@link Submission}). Any thread, at any time: a submission counts from the return of {@link GpuQueue#submit}.
 *
 * <p>After the device is closed it still returns the value reached, which is the last one unless the device was lost.
 */
public interface GpuTimeline {
    /** Returns the value that the newest submission will reach. */
    long submitted();

    /** Returns the value reached; asks the device and does not wait. A lost device is not asked. */
    long completed();

    /**
     * Returns an event that completes when {@code value} is reached, or fails with {@link DeviceLostException}. So GPU
     * work is a prerequisite like any other.
     *
     * @throws IllegalArgumentException if the value was not submitted yet
     */
    GraphEvent reached(long value);

    /**
     * Blocks until {@code value} is reached. The thread does nothing else meanwhile, so a task waits for {@link
     * #reached} instead. An interrupt does not end the wait and stays in the thread's status, as in all waits of a
     * device. A long wait is reported as those of the task graph are, with what the queue waits for; so are waits for a
     * whole device.
     *
     * @return false on time-out
     * @throws IllegalArgumentException if the value was not submitted yet
     * @throws DeviceLostException if the device is lost before
     */
    boolean await(long value, Duration timeout);
}
