package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.GpuTimeline;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.SubmissionRecord;
import io.frameloom.gpu.TimelinePoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBufferSubmitInfo;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSemaphoreSubmitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/**
 * A queue of a Vulkan device. {@link #submit} is serialised by a lock, as the native queue asks.
 *
 * <p>With validation on, a submission also waits for the values that the host has seen reached: layers of 1.3.239 do not
 * know that a host wait orders submissions and would report hazards that are none. Such waits cost nothing, their
 * values being reached.
 */
final class VulkanQueue implements GpuQueue, AutoCloseable {
    private final QueuePlan.Entry plan;
    private final int index;
    private final DeviceCore core;
    private final QueueDriver driver;
    private final VulkanTimeline timeline;
    private final VkQueue handle;
    private final boolean repeatHostWaits;
    private final ObserverFeed feed;
    private final ReentrantLock lock = new ReentrantLock();
    private List<VulkanQueue> all = List.of();
    private VkCommandBufferSubmitInfo.Buffer lists = VkCommandBufferSubmitInfo.calloc(16);
    private VkSemaphoreSubmitInfo.Buffer waits = VkSemaphoreSubmitInfo.calloc(16);
    private final VkSemaphoreSubmitInfo.Buffer signal = VkSemaphoreSubmitInfo.calloc(1);
    private final VkSubmitInfo2.Buffer info = VkSubmitInfo2.calloc(1);

    VulkanQueue(
            QueuePlan.Entry plan,
            int index,
            DeviceCore core,
            QueueDriver driver,
            VulkanTimeline timeline,
            boolean repeatHostWaits,
            ObserverFeed feed) {
        this.plan = plan;
        this.index = index;
        this.core = core;
        this.driver = driver;
        this.timeline = timeline;
        this.repeatHostWaits = repeatHostWaits;
        this.feed = feed;
        handle = driver.queue(core.handle(), plan.family().index(), plan.index());
        core.names().name(VK13.VK_OBJECT_TYPE_QUEUE, handle.address(), plan.name());
    }

    /** Makes the queues of the device known to each other, before any submission. */
    void connect(List<VulkanQueue> queues) {
        all = queues;
    }

    @Override
    public String name() {
        return plan.name();
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public QueueKind kind() {
        return plan.kind();
    }

    @Override
    public int family() {
        return plan.family().index();
    }

    /** Returns the meaningful bits of timestamps, 0 if the queue cannot write any. */
    int timestampBits() {
        return plan.family().timestampBits();
    }

    @Override
    public GpuTimeline timeline() {
        return timeline;
    }

    VulkanTimeline vulkanTimeline() {
        return timeline;
    }

    boolean belongsTo(DeviceCore device) {
        return core == device;
    }

    @Override
    public TimelinePoint submit(Submission submission) {
        lock.lock();
        try {
            core.loss().check();
            long value = timeline.submitted() + 1;
            List<VulkanCommandList> commands = lists(submission);
            requireWaits(submission);
            SubmissionRecord record = feed.submitting(this, submission, value, commands);
            fill(submission, commands, value);
            int result = driver.submit(handle, info, VK13.VK_NULL_HANDLE);
            if (result == VK13.VK_ERROR_DEVICE_LOST) {
                throw core.loss().lose("submitting '" + submission.label() + "' to queue '" + name() + "'", result);
            }
            VulkanResults.check(result, "submit '" + submission.label() + "' to queue '" + name() + "'");
            for (VulkanCommandList list : commands) {
                list.submitted(value);
            }
            timeline.submitted(value);
            feed.submitted(record);
            return new TimelinePoint(this, value);
        } finally {
            lock.unlock();
        }
    }

    /** Does something while nothing is submitted to this queue. */
    void exclusively(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    private List<VulkanCommandList> lists(Submission submission) {
        List<VulkanCommandList> commands = new ArrayList<>(submission.lists().size());
        for (CommandList list : submission.lists()) {
            if (!(list instanceof VulkanCommandList ours) || ours.queue() != this) {
                throw new IllegalArgumentException("submission '" + submission.label() + "' to queue '" + name()
                        + "' has command list '" + list.label() + "', which was begun for queue '"
                        + list.queue().name() + "'");
            }
            ours.requireSubmittable(submission.label());
            if (commands.contains(ours)) {
                throw new IllegalArgumentException(
                        "submission '" + submission.label() + "' has command list '" + list.label() + "' twice");
            }
            commands.add(ours);
        }
        return commands;
    }

    private void requireWaits(Submission submission) {
        for (Submission.Wait wait : submission.waits()) {
            if (!(wait.point().queue() instanceof VulkanQueue queue) || !queue.belongsTo(core)) {
                throw new IllegalArgumentException(
                        "submission '" + submission.label() + "' waits for a queue of another device, '"
                                + wait.point().queue().name() + "'");
            }
            if (wait.point().value() > queue.timeline.submitted()) {
                throw new IllegalArgumentException("submission '" + submission.label() + "' waits for value "
                        + wait.point().value() + " of queue '" + queue.name() + "', which has submitted up to "
                        + queue.timeline.submitted() + "; submit in the order of the waits");
            }
        }
    }

    private void fill(Submission submission, List<VulkanCommandList> commands, long value) {
        reserve(commands.size(), submission.waits().size() + all.size());
        lists.clear();
        for (VulkanCommandList list : commands) {
            lists.get().sType$Default().commandBuffer(list.handle());
        }
        lists.flip();
        waits.clear();
        for (Submission.Wait wait : submission.waits()) {
            VulkanQueue queue = (VulkanQueue) wait.point().queue();
            point(waits.get(), queue.timeline, wait.point().value(), VulkanMasks.stages(wait.stages()));
        }
        if (repeatHostWaits) {
            for (VulkanQueue queue : all) {
                long seen = queue.timeline.seen();
                if (seen > 0) {
                    point(waits.get(), queue.timeline, seen, VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
                }
            }
        }
        waits.flip();
        point(signal.get(0), timeline, value, VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
        info.get(0)
                .sType$Default()
                .pWaitSemaphoreInfos(waits)
                .pCommandBufferInfos(lists)
                .pSignalSemaphoreInfos(signal);
    }

    private static void point(VkSemaphoreSubmitInfo target, VulkanTimeline timeline, long value, long stages) {
        target.sType$Default().semaphore(timeline.semaphore()).value(value).stageMask(stages);
    }

    private void reserve(int listCount, int waitCount) {
        if (lists.capacity() < listCount) {
            lists.free();
            lists = VkCommandBufferSubmitInfo.calloc(listCount * 2);
        }
        if (waits.capacity() < waitCount) {
            waits.free();
            waits = VkSemaphoreSubmitInfo.calloc(waitCount * 2);
        }
    }

    /** Frees what submissions are put together in; the timeline is closed by itself. */
    @Override
    public void close() {
        lists.free();
        waits.free();
        signal.free();
        info.free();
    }
}
