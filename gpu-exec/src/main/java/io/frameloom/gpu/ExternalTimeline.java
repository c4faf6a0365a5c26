package io.frameloom.gpu;

/**
 * A timeline that somebody else than Frameloom owns, such as a timeline semaphore of an engine that shares its device.
 * Its owner keeps it alive as long as submissions name it.
 */
public interface ExternalTimeline {
    /** Returns the debug name. */
    String name();
}
