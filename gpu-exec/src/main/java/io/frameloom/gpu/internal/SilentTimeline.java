package io.frameloom.gpu.internal;

/**
 * A timeline that answers without an observation: {@code GpuTimeline.completed} tells hazard checkers that the host
 * waited, and lets the virtual GPU work. What only shows progress must do neither.
 */
public interface SilentTimeline {
    /** Returns the value that the device has reached, if it answers, else one that was seen before. Any thread. */
    long reachedByDevice();
}
