package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.command.CopyUnit;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.LevelBinding;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.device.ImageTurn;
import io.frameloom.gpu.device.LevelChanges;
import io.frameloom.gpu.device.PassTrail;
import io.frameloom.gpu.device.ResidentLevels;
import io.frameloom.gpu.error.CrashReport;
import io.frameloom.gpu.record.CommandLog;
import io.frameloom.gpu.record.ObserverFeed;
import io.frameloom.gpu.record.SubmissionRules;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.vulkan.command.VulkanCommandList;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.DeviceQueue;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import io.frameloom.gpu.vulkan.driver.QueuePlan;
import io.frameloom.gpu.vulkan.driver.VulkanResults;
import io.frameloom.gpu.vulkan.resource.SparseImage;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBufferSubmitInfo;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSemaphoreSubmitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/**
 * A queue of a Vulkan device. {@link #submit} is serialised by a guard, as the native queue requires: a lock of its
 * own, or that of the engine which shares the queue. Submitting takes no other lock, so a thread that holds the guard
 * may submit. It must not {@link #bind}, which takes the lock of bindings before.
 *
 * <p>With validation on, a submission also waits for the values that the host has seen reached: layers of 1.3.239 do
 * not know that a host wait orders submissions and would report false hazards. Such waits cost nothing, their values
 * being reached.
 */
public final class VulkanQueue implements GpuQueue, AutoCloseable {
    private final QueuePlan.Entry plan;
    private final int index;
    private final DeviceCore core;
    private final QueueDriver driver;
    private final VulkanTimeline timeline;
    private final VkQueue handle;
    private final boolean repeatHostWaits;
    private final ObserverFeed feed;
    private final Lock guard;
    private final List<VulkanCommandList> members = new ArrayList<>();
    private List<VulkanQueue> all = List.of();
    /** Of the first queue held by a binding to any, before the guard: it may wait for memory. */
    private final Object bindings = new Object();
    /** The value of the last binding, which later submissions wait for. */
    private long bound;

    private long collections;
    private VkCommandBufferSubmitInfo.Buffer lists = VkCommandBufferSubmitInfo.calloc(16);
    private VkSemaphoreSubmitInfo.Buffer waits = VkSemaphoreSubmitInfo.calloc(16);
    private VkSemaphoreSubmitInfo.Buffer signals = VkSemaphoreSubmitInfo.calloc(4);
    private final VkSemaphoreSubmitInfo.Buffer last = VkSemaphoreSubmitInfo.calloc(1);
    private final VkSubmitInfo2.Buffer infos = VkSubmitInfo2.calloc(2);

    VulkanQueue(
            DeviceQueue queue,
            int index,
            DeviceCore core,
            QueueDriver driver,
            VulkanTimeline timeline,
            boolean repeatHostWaits) {
        this.plan = queue.plan();
        this.guard = queue.guard();
        this.handle = queue.handle();
        this.index = index;
        this.core = core;
        this.driver = driver;
        this.timeline = timeline;
        this.repeatHostWaits = repeatHostWaits;
        this.feed = core.feed();
        if (core.owned()) {
            core.names().name(VK13.VK_OBJECT_TYPE_QUEUE, handle.address(), plan.name());
        }
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

    @Override
    public int familyCount() {
        return core.adapter().families().size();
    }

    @Override
    public CopyUnit copyUnit() {
        return plan.family().copyUnit();
    }

    @Override
    public GpuTimeline timeline() {
        return timeline;
    }

    public VulkanTimeline vulkanTimeline() {
        return timeline;
    }

    public VkQueue handle() {
        return handle;
    }

    public Lock guard() {
        return guard;
    }

    public boolean belongsTo(DeviceCore device) {
        return core == device;
    }

    /** Small enough to be inlined: a caller that takes only the value then gets no object. */
    @Override
    public TimelinePoint submit(Submission submission) {
        return new TimelinePoint(this, enqueue(submission));
    }

    private long enqueue(Submission submission) {
        guard.lock();
        boolean claimed = false;
        boolean valued = false;
        boolean entered = false;
        long value = timeline.submitted() + 1;
        long complete = submission.signalsEarly() ? value + 1 : value;
        try {
            if (core.isClosed()) {
                core.requireOpen("submission '" + submission.label() + "' to queue '" + name() + "'");
            }
            core.loss().check();
            submission.checkSignals(this);
            submission.checkWaits(this);
            SubmissionRules.requireWaits(submission, all);
            timeline.claim(complete);
            requireOurs(submission, submission.externalWaits());
            requireOurs(submission, submission.externalSignals());
            SubmissionRules.collect(submission, this, ++collections, members);
            entered = true;
            for (int i = 0; i < members.size(); i++) {
                members.get(i).events().enter(submission.label(), members.get(i).label());
            }
            ImageTurn.takeAll(submission, core);
            claimed = true;
            ExternalValues.take(submission, this, driver, complete);
            valued = true;
            SubmissionRecord record = feed.observes() ? feed.submitting(this, submission, value, logs()) : null;
            fill(submission, value, complete);
            int result = driver.submit(handle, infos, VK13.VK_NULL_HANDLE);
            if (result == VK13.VK_ERROR_DEVICE_LOST) {
                throw core.loss().lose("submitting '" + submission.label() + "' to queue '" + name() + "'", result);
            }
            if (result != VK13.VK_SUCCESS) {
                VulkanResults.check(result, "submit '" + submission.label() + "' to queue '" + name() + "'");
            }
            entered = false;
            for (int i = 0; i < members.size(); i++) {
                members.get(i).submitted(complete);
            }
            for (int i = 0; i < submission.acquires().size(); i++) {
                turn(submission.acquires().get(i)).waitedBy(new TimelinePoint(this, complete));
            }
            timeline.work().add(submission, value, complete, members);
            claimed = false;
            valued = false;
            try {
                feed.submitted(record, complete);
            } finally {
                timeline.submitted(complete);
            }
            return value;
        } finally {
            for (int i = 0; entered && i < members.size(); i++) {
                members.get(i).events().leave();
            }
            if (claimed) {
                ImageTurn.giveBackAll(submission);
            }
            if (valued) {
                ExternalValues.giveBack(submission, this, complete);
            }
            timeline.settle();
            members.clear();
            guard.unlock();
        }
    }

    @Override
    public boolean bindsLevels() {
        return (plan.family().flags() & VK13.VK_QUEUE_SPARSE_BINDING_BIT) != 0
                && core.capabilities().has(Capability.SPARSE_RESIDENCY);
    }

    @Override
    public TimelinePoint bind(LevelBinding binding) {
        if (!bindsLevels()) {
            return GpuQueue.super.bind(binding);
        }
        return core.gate().inside(() -> {
            synchronized (all.get(0).bindings) {
                LevelChanges<Long> changes = LevelChanges.take(binding, this::levels);
                return new TimelinePoint(this, bind(binding, changes));
            }
        });
    }

    private @Nullable ResidentLevels<Long> levels(Texture texture) {
        SparseImage pages = texture instanceof VulkanTexture ours && ours.belongsTo(core) ? ours.pages() : null;
        return pages == null ? null : pages.levels();
    }

    private long bind(LevelBinding binding, LevelChanges<Long> changes) {
        Submission submission = new Submission(binding.label(), List.of(), binding.waits());
        boolean taken = false;
        boolean committed = false;
        guard.lock();
        long value = timeline.submitted() + 1;
        try {
            core.loss().check();
            submission.checkWaits(this);
            SubmissionRules.requireWaits(submission, all);
            timeline.claim(value);
            changes.commit();
            committed = true;
            SubmissionRecord record =
                    feed.observes() ? feed.submitting(this, submission, value, List.of(CommandLog.of(binding))) : null;
            int result =
                    SparseBinding.bind(driver, handle, timeline, value - 1, value, binding.waits(), changes.steps());
            if (result == VK13.VK_ERROR_DEVICE_LOST) {
                throw core.loss().lose("submitting '" + binding.label() + "' to queue '" + name() + "'", result);
            }
            VulkanResults.check(result, "submit '" + binding.label() + "' to queue '" + name() + "'");
            taken = true;
            bound = value;
            timeline.work().add(submission, value, value, List.<VulkanCommandList>of());
            try {
                feed.submitted(record, value);
            } finally {
                timeline.submitted(value);
            }
        } finally {
            if (committed && !taken) {
                changes.undo();
            }
            if (!taken) {
                changes.giveBack();
            }
            timeline.settle();
            guard.unlock();
        }
        core.retired().add(changes::release);
        return value;
    }

    private List<CommandLog> logs() {
        List<CommandLog> logs = new ArrayList<>(members.size());
        for (VulkanCommandList list : members) {
            CommandLog log = list.log();
            if (log != null) {
                logs.add(log);
            }
        }
        return logs;
    }

    private static VulkanSwapchainImage turn(Submission.Acquire acquire) {
        return (VulkanSwapchainImage) acquire.image();
    }

    /**
     * Returns how far the queue has come, when the device is lost.
     *
     * @param asks whether the driver may be asked for checkpoints
     */
    CrashReport.QueueState state(boolean asks) {
        boolean checkpoints = core.evidence().marking() == CrashReport.Marking.CHECKPOINT;
        return timeline.state(lists -> checkpoints
                ? asks ? Checkpoints.read(core.evidence().calls(), handle, lists) : Checkpoints.UNKNOWN
                : PassTrail.Reader.of(lists));
    }

    /** Does something while nothing is submitted to this queue. */
    void exclusively(Runnable action) {
        guard.lock();
        try {
            action.run();
        } finally {
            guard.unlock();
        }
    }

    private void requireOurs(Submission submission, List<ExternalPoint> points) {
        for (int i = 0; i < points.size(); i++) {
            VulkanExternalSemaphore.of(core, submission.label(), points.get(i));
        }
    }

    /** Writes the structures by their addresses: views of single elements would be garbage of every submission. */
    private void fill(Submission submission, long value, long complete) {
        reserve(submission);
        for (int i = 0; i < members.size(); i++) {
            long at = lists.address(i);
            VkCommandBufferSubmitInfo.nsType(at, VK13.VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO);
            VkCommandBufferSubmitInfo.ncommandBuffer(at, members.get(i).handle());
        }
        lists.limit(members.size());
        int waited = 0;
        for (int i = 0; i < submission.waits().size(); i++) {
            Submission.Wait wait = submission.waits().get(i);
            VulkanQueue queue = (VulkanQueue) wait.point().queue();
            long stages = core.masks().destinationStages(wait.stages());
            point(
                    waits.address(waited++),
                    queue.timeline.semaphore(),
                    wait.point().value(),
                    stages);
        }
        waited = external(submission, submission.externalWaits(), waits, waited, true);
        for (int i = 0; i < submission.acquires().size(); i++) {
            Submission.Acquire acquire = submission.acquires().get(i);
            point(
                    waits.address(waited++),
                    turn(acquire).acquired(),
                    0,
                    core.masks().destinationStages(acquire.stages()));
        }
        if (bound > timeline.seen()) {
            point(waits.address(waited++), timeline.semaphore(), bound, VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
        }
        for (int i = 0; repeatHostWaits && i < all.size(); i++) {
            VulkanTimeline other = all.get(i).timeline;
            long seen = other.seen();
            if (seen > 0) {
                point(waits.address(waited++), other.semaphore(), seen, VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
            }
        }
        waits.limit(waited);
        point(signals.address(0), timeline.semaphore(), value, core.masks().sourceStages(submission.signalStages()));
        int signalled = external(submission, submission.externalSignals(), signals, 1, false);
        for (int i = 0; i < submission.presents().size(); i++) {
            VulkanSwapchainImage image =
                    (VulkanSwapchainImage) submission.presents().get(i);
            point(signals.address(signalled++), image.presentable(), 0, VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
        }
        signals.limit(signalled);
        long info = infos.address(0);
        VkSubmitInfo2.nsType(info, VK13.VK_STRUCTURE_TYPE_SUBMIT_INFO_2);
        VkSubmitInfo2.npWaitSemaphoreInfos(info, waits);
        VkSubmitInfo2.npCommandBufferInfos(info, lists);
        VkSubmitInfo2.npSignalSemaphoreInfos(info, signals);
        infos.limit(1);
        if (complete != value) {
            infos.limit(2);
            point(last.address(0), timeline.semaphore(), complete, VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
            VkSubmitInfo2.nsType(infos.address(1), VK13.VK_STRUCTURE_TYPE_SUBMIT_INFO_2);
            VkSubmitInfo2.npSignalSemaphoreInfos(infos.address(1), last);
        }
    }

    /** Writes points from {@code index} on and returns the index after them. */
    private int external(
            Submission submission,
            List<ExternalPoint> points,
            VkSemaphoreSubmitInfo.Buffer target,
            int index,
            boolean waited) {
        for (int i = 0; i < points.size(); i++) {
            ExternalPoint point = points.get(i);
            long semaphore = VulkanExternalSemaphore.of(core, submission.label(), point);
            long stages = waited
                    ? core.masks().destinationStages(point.stages())
                    : core.masks().sourceStages(point.stages());
            point(target.address(index + i), semaphore, point.value(), stages);
        }
        return index + points.size();
    }

    private static void point(long at, long semaphore, long value, long stages) {
        VkSemaphoreSubmitInfo.nsType(at, VK13.VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO);
        VkSemaphoreSubmitInfo.nsemaphore(at, semaphore);
        VkSemaphoreSubmitInfo.nvalue(at, value);
        VkSemaphoreSubmitInfo.nstageMask(at, stages);
    }

    private void reserve(Submission submission) {
        int waitCount = submission.waits().size()
                + submission.externalWaits().size()
                + submission.acquires().size()
                + all.size()
                + 1;
        int signalCount =
                1 + submission.externalSignals().size() + submission.presents().size();
        // The old memory goes when the new exists: a failure in between leaves it.
        if (lists.capacity() < members.size()) {
            VkCommandBufferSubmitInfo.Buffer old = lists;
            lists = VkCommandBufferSubmitInfo.calloc(members.size() * 2);
            old.free();
        }
        if (waits.capacity() < waitCount) {
            VkSemaphoreSubmitInfo.Buffer old = waits;
            waits = VkSemaphoreSubmitInfo.calloc(waitCount * 2);
            old.free();
        }
        if (signals.capacity() < signalCount) {
            VkSemaphoreSubmitInfo.Buffer old = signals;
            signals = VkSemaphoreSubmitInfo.calloc(signalCount * 2);
            old.free();
        }
    }

    /** Frees the memory for submissions; the timeline is closed by itself. */
    @Override
    public void close() {
        lists.free();
        waits.free();
        signals.free();
        last.free();
        infos.free();
    }
}
