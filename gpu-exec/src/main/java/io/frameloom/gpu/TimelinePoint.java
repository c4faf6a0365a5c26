package io.frameloom.gpu;

/**
 * A point on a queue's timeline.
 *
 * @param queue queue
 * @param value value
 */
public record TimelinePoint(GpuQueue queue, long value) {}
