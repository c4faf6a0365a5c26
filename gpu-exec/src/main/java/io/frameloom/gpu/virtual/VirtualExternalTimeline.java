package io.frameloom.gpu.virtual;

import io.frameloom.gpu.command.ExternalTimeline;

/**
 * A timeline of the application's that the virtual GPU waits for and signals. Any thread.
 *
 * <p>A submission that signals a value which the timeline has already loses the device, since values only grow.
 */
public interface VirtualExternalTimeline extends ExternalTimeline {
    /** Returns the value that the virtual GPU knows to be reached. */
    long value();

    /**
     * Signals a value, as an engine's own work does. The virtual GPU sees it after what was submitted so far; a value
     * that is reached by then loses the device.
     *
     * @throws IllegalArgumentException if the value is not above {@link #value}
     * @throws IllegalStateException if the device is closed
     */
    void signal(long newValue);
}
