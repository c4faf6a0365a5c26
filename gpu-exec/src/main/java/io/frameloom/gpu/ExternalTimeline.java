package io.frameloom.gpu;

/**
 * A timeline that somebody else than Frameloom owns, such as a timeline semaphore of an engine that shares its device.
 * Its owner keeps it alive as long as submissions name it.
 */
public interface ExternalTimeline {
    /** Returns the debug name. */
    String name();

    /**
     * Returns what the driver knows the timeline by, or 0 if there is no driver. Two timelines of one device with one handle
     * other than 0 are the same.
     */
    default long nativeHandle() {
        return 0;
    }
}
