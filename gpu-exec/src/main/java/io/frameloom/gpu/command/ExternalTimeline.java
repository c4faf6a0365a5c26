package io.frameloom.gpu.command;

/** An external semaphore whose value grows: each value that it reaches is for any number of waits. */
public interface ExternalTimeline extends ExternalSemaphore {}
