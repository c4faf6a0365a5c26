package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/**
 * The values that submissions give an engine's timeline semaphore, which must not go backwards. The engine's own
 * signals show in the counter once they are reached; only the engine knows its pending ones.
 *
 * <p>Thread-safe: several queues signal one semaphore. Nothing is allocated unless something is refused.
 */
public final class SignalledValues {
    private final DeviceCore core;
    private final long semaphore;
    private Signal newest = new Signal();
    /** The newest value before, in case that one's submission fails. */
    private Signal before = new Signal();

    private static final class Signal {
        private long value;
        private @Nullable VulkanQueue queue;
        private long complete;
        private String submission = "";

        private boolean isOf(VulkanQueue other, long point) {
            return queue == other && complete == point;
        }

        /** A semaphore without pending signals may be destroyed, and another one get its handle. */
        private boolean isPending() {
            return queue != null && queue.vulkanTimeline().reachedByDevice() < complete;
        }
    }

    SignalledValues(DeviceCore core, long semaphore) {
        this.core = core;
        this.semaphore = semaphore;
    }

    /**
     * Notes a signal of a submission that is about to be made.
     *
     * @param complete value of the queue's timeline when the submission is done
     * @throws IllegalArgumentException if the timeline has that value already, or is going to
     */
    synchronized void take(
            Submission submission, String timeline, long value, VulkanQueue queue, QueueDriver driver, long complete) {
        if (newest.isOf(queue, complete)) {
            throw new IllegalArgumentException("submission '" + submission.label() + "' signals timeline '" + timeline
                    + "' with " + newest.value + " and " + value
                    + ", in no order; signal it once, with the greater value");
        }
        if (value <= newest.value && newest.isPending()) {
            throw refused(
                    submission,
                    timeline,
                    value,
                    "which submission '" + newest.submission + "' signals with " + newest.value + " before");
        }
        long reached = reached(submission, timeline, driver);
        if (value <= reached) {
            throw refused(submission, timeline, value, "which has reached " + reached);
        }
        Signal next = before;
        before = newest;
        newest = next;
        next.value = value;
        next.queue = queue;
        next.complete = complete;
        next.submission = submission.label();
    }

    private static IllegalArgumentException refused(Submission submission, String timeline, long value, String why) {
        return new IllegalArgumentException("submission '" + submission.label() + "' signals value " + value
                + " of timeline '" + timeline + "', " + why + "; values of a timeline only grow, signal a greater one");
    }

    private long reached(Submission submission, String timeline, QueueDriver driver) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long address = stack.nmalloc(Long.BYTES, Long.BYTES);
            int result = driver.counterValue(core.handle(), semaphore, address);
            String what = "ask timeline '" + timeline + "' of submission '" + submission.label() + "' for its value";
            core.check(result, what);
            return MemoryUtil.memGetLong(address);
        }
    }

    synchronized void giveBack(VulkanQueue queue, long complete) {
        if (newest.isOf(queue, complete)) {
            Signal failed = newest;
            newest = before;
            before = failed;
            failed.queue = null;
            failed.value = 0;
        }
    }
}
