package io.frameloom.gpu.command;

/**
 * A semaphore that Frameloom does not own, such as one of an engine that shares its device. Its owner keeps it alive as
 * long as submissions name it.
 *
 * <p>It is binary unless it is an {@link ExternalTimeline}: each signal of it is for one wait, as an engine's own
 * swapchain requires. The signal is submitted before the wait.
 */
public interface ExternalSemaphore {
    /** Returns the debug name. */
    String name();

    /**
     * Returns the driver's handle of the semaphore, or 0 if there is no driver. Two semaphores of one device with one
     * handle other than 0 are the same.
     */
    default long nativeHandle() {
        return 0;
    }
}
