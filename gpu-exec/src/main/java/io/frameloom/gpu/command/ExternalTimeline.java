package io.frameloom.gpu.command;

/** A semaphore of somebody else's whose value grows: each value that it reaches is for any number of waits. */
public interface ExternalTimeline extends ExternalSemaphore {}
