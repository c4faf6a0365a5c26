package io.frameloom.gpu.command;

import io.frameloom.gpu.resource.Resource;

/**
 * Sees every submission in submission order, and the host's accesses to mapped memory. Called on the thread that
 * submits, closes, or says what the host does; must not block.
 *
 * <p>It is called one call at a time, while the device holds locks. So it must not call back into the device: it
 * neither submits, records, creates or closes anything, nor waits for or asks a timeline. It may read its arguments,
 * with names and descriptions of resources. Work that follows from a call is handed to another thread.
 *
 * <p>What an observer throws goes to the uncaught exception handler of that thread; the device executes the
 * submission nonetheless.
 */
public interface SubmissionObserver {
    /** Called when the device has taken the submission, before the submitting call returns; not for one that failed. */
    void submitted(SubmissionRecord record);

    /** Called when the host has seen {@code point} completed and may rely on it for later submissions. */
    void hostWaited(TimelinePoint point);

    /**
     * Called by the thread that has closed a texture or buffer of the device. {@link #hostWaited} was called before for
     * all that the host has seen. Not for the images of a swapchain.
     */
    default void closed(Resource resource) {}

    /**
     * Called by the thread of the host that is about to read or write mapped memory. {@link #hostWaited} was called
     * before for all that the host has seen.
     */
    default void hostBegan(HostAccess access) {}

    /** Called by the thread that has begun an access, when it has finished. */
    default void hostEnded(HostAccess access) {}

    /**
     * Called by the thread that resets or closes a set of events: later submissions do not wait for what was submitted
     * before to set one of them.
     */
    default void takenBack(DeviceEventSet events) {}

    /**
     * Called by the thread of the virtual GPU when a kernel takes a slot of a bindless table, before the host can have
     * seen its submission completed.
     *
     * @param contents table of the dispatch, as in the {@link SubmissionRecord.TableUse} of the submission
     * @param slot number, array and table, in words
     * @param read a read of what the slot has, or had
     * @param freed whether the slot was closed before the submission
     */
    default void taken(SubmissionRecord.TableContents contents, String slot, ResourceUse read, boolean freed) {}
}
