package io.frameloom.gpu.check;

/**
 * A defect of synchronisation found in the submissions.
 *
 * @param kind what is wrong
 * @param resource name of the resource
 * @param firstPass pass of the earlier access, empty if there is none
 * @param secondPass pass of the later access
 * @param explanation one sentence: both accesses, what is missing, and how to fix it
 */
public record Hazard(Kind kind, String resource, String firstPass, String secondPass, String explanation) {
    /** What is wrong. */
    public enum Kind {
        /** A read is not ordered after, or does not see, an earlier write. */
        READ_AFTER_WRITE,
        /** A write is not ordered after an earlier read. */
        WRITE_AFTER_READ,
        /** A write is not ordered after an earlier write. */
        WRITE_AFTER_WRITE,
        /** A texture is not in the layout that the use needs. */
        WRONG_LAYOUT,
        /** A resource is used on a queue family that does not own it. */
        WRONG_OWNER,
        /** Commands use a resource that their pass does not declare, or are in no pass: they are not judged. */
        UNDECLARED_ACCESS,
        /** Contents are read that nothing has written, or that a render pass did not store. */
        UNDEFINED_CONTENTS,
        /** A resource is used after its close, or an imported one was closed while work that uses it was pending. */
        USE_AFTER_FREE,
        /** A swapchain's image is used before the wait for its acquisition, or after its handover to presentation. */
        NOT_ACQUIRED,
        /** A shader takes a number of a bindless table whose slot was closed before the submission. */
        FREED_SLOT,
        /** A level of a sparse texture is used that has no memory. */
        NOT_RESIDENT
    }
}
