package io.frameloom.gpu.command;

/**
 * A semaphore that somebody else than Frameloom owns, such as one of an engine that shares its device. Its owner keeps it
 * alive as long as submissions name it.
 *
 * <p>It is binary unless it is an {@link ExternalTimeline}: each signal of it is for one wait, as an engine's own swapchain
 * asks. What signals it is submitted before what waits for it.
 */
public interface ExternalSemaphore {
    /** Returns the debug name. */
    String name();

    /**
     * Returns what the driver knows the semaphore by, or 0 if there is no driver. Two semaphores of one device with one handle
     * other than 0 are the same.
     */
    default long nativeHandle() {
        return 0;
    }
}
