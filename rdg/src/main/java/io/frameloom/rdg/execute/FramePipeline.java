package io.frameloom.rdg.execute;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.DeviceLostException;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.SwapchainImage;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TimelinePoint;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PoolStatistics;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RecordingMode;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Launches the tasks of frames and recycles what frames leave behind.
 *
 * <p>Tasks of a frame: one for each recording group; one for each batch on the submit thread, behind its groups and
 * behind the batch before it, over all frames; one at the end, behind the queues' timelines. Submit tasks run whatever
 * became of their prerequisites, since a failed frame has to be brought to an end as well.
 */
public final class FramePipeline {
    private final GpuDevice device;
    private final TaskGraph tasks;
    private final FrameExecutorOptions options;
    private final RetireQueue retired = new RetireQueue();
    private final TransientHeaps heaps;
    private final ResourcePool pool;
    private final PlanRealiser realiser;
    private final FrameOrder order;
    private final SubmissionChain chain;
    private final SubmitThread submitThread;
    private final FrameSlot[] slots;
    private final AtomicReference<@Nullable Thread> caller = new AtomicReference<>();
    private final int keepFrames;
    private @Nullable GraphEvent newestSubmit;
    private long nextFrame;
    private boolean closed;

    /** Takes the extracted resources of a frame before it is launched. */
    @FunctionalInterface
    public interface ExtractionSink {
        /** Takes the resources; an exception stops the frame, and the resources are closed. */
        void accept(Frame frame);
    }

    /** A pipeline without frames. */
    public FramePipeline(GpuDevice device, TaskGraph tasks, FrameExecutorOptions options) {
        this.device = device;
        this.tasks = tasks;
        this.options = options;
        keepFrames = options.framesInFlight() + options.poolFrames();
        heaps = new TransientHeaps(device, retired, keepFrames);
        order = new FrameOrder(device.queues().size());
        pool = new ResourcePool(device, keepFrames);
        realiser = new PlanRealiser(device, heaps, pool, options, keepFrames);
        chain = new SubmissionChain(device);
        submitThread = new SubmitThread(tasks, options.submitThread());
        slots = new FrameSlot[options.framesInFlight()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new FrameSlot(device, tasks, i, options.collectTimestamps(), options.serialRecording());
        }
    }

    /**
     * Waits for a free slot, launches a frame and returns. One thread at a time.
     *
     * @param images acquired images for the plan's swapchain images
     * @param after what the frame waits for of that which the application has submitted; null for everything
     * @param extractions takes extracted resources
     */
    public Frame execute(
            FramePlan plan,
            List<SwapchainImage> images,
            @Nullable List<TimelinePoint> after,
            ExtractionSink extractions) {
        enter();
        try {
            if (closed) {
                throw new IllegalStateException(
                        "frame executor is closed; it cannot execute plan '" + plan.name() + "'");
            }
            requireOwnSetups(plan);
            long number = nextFrame;
            FrameSlot slot = slots[(int) (number % slots.length)];
            slot.awaitFree(submitThread);
            recycle(number);
            PlanRealisation realisation = realiser.realise(plan, number);
            Frame frame;
            try {
                frame = new Frame(
                        number,
                        plan,
                        realisation,
                        FrameImages.bind(plan, realisation.swapchainUses(), images),
                        after,
                        slot.conditions());
                slot.begin(frame);
            } catch (RuntimeException | Error failure) {
                realisation.giveBackExtracted(pool);
                throw failure;
            }
            extractions.accept(frame);
            nextFrame++;
            try {
                launch(frame, slot);
            } catch (RuntimeException failure) {
                frame.fail(failure);
                throw failure;
            }
            try {
                submitThread.check(number, plan);
            } catch (Throwable thrown) {
                // By a listener: the frame is under way, and this is how it fails.
                frame.fail(thrown);
            }
            return frame;
        } finally {
            caller.set(null);
        }
    }

    /** Waits until a frame is complete, as its event does, unless this thread would wait for itself. */
    public void await(Frame frame) {
        submitThread.checkWait(frame);
        frame.completed().await();
    }

    /** Returns the device. */
    public GpuDevice device() {
        return device;
    }

    /** Returns a texture with memory of its own, for {@link #recycle} to take back. One thread at a time. */
    public Texture texture(String name, TextureDescription description) {
        return pool.texture(name, description);
    }

    /** Returns a buffer with memory of its own, for {@link #recycle} to take back. One thread at a time. */
    public Buffer buffer(String name, BufferDescription description) {
        return pool.buffer(name, description);
    }

    /** Takes back a resource that was extracted and that only frames until now use. Any thread. */
    public void recycle(Resource resource) {
        pool.give(resource, 0);
    }

    /** Takes back a resource that came out of a frame which has ended. Any thread. */
    public void recycle(Resource resource, Frame ended) {
        pool.give(resource, ended.number() + slots.length);
    }

    /** Returns what is kept from frame to frame. One thread at a time. */
    public PoolStatistics poolStatistics() {
        enter();
        try {
            return new PoolStatistics(
                    heaps.heapCount(),
                    heaps.heapBytes(),
                    heaps.resourceCount(),
                    pool.idleCount(),
                    heaps.createdCount() + pool.createdCount(),
                    heaps.reusedCount() + pool.reusedCount(),
                    heaps.evictedCount() + pool.evictedCount(),
                    heaps.shrunkCount());
        } finally {
            caller.set(null);
        }
    }

    /**
     * Checks that {@link #close} will not wait for what the calling thread has to do.
     *
     * @throws IllegalStateException if it would
     */
    public void checkClose() {
        for (FrameSlot slot : slots) {
            slot.checkWait(submitThread);
        }
    }

    /** Waits for all frames and frees everything; a second call does nothing. One thread at a time. */
    public void close() {
        enter();
        try {
            if (closed) {
                return;
            }
            closed = true;
            boolean settled = true;
            for (FrameSlot slot : slots) {
                slot.awaitTasks();
                settled &= slot.isSettled();
            }
            if (!settled) {
                awaitDevice();
                for (FrameSlot slot : slots) {
                    slot.abandon();
                }
            }
            realiser.forgetAll();
            heaps.retireAll();
            pool.close();
            retired.release(Long.MAX_VALUE);
            for (FrameSlot slot : slots) {
                slot.close();
            }
        } finally {
            caller.set(null);
        }
    }

    /** Waits for work that a closed task graph left on the device; a lost device has none. */
    private void awaitDevice() {
        try {
            device.waitIdle();
        } catch (DeviceLostException lost) {
            for (FrameSlot slot : slots) {
                slot.noteLost(lost);
            }
        }
    }

    private void recycle(long number) {
        retired.release(number - slots.length);
        pool.beginFrame(number, retired);
        if (number % keepFrames == 0) {
            realiser.forgetUnused(number);
            heaps.retireUnused(number);
        }
    }

    private void launch(Frame frame, FrameSlot slot) {
        PlanRealisation realisation = frame.realisation();
        order.enter(frame.plan(), realisation, frame.number(), frame.number() - slots.length, slot.boundary());
        String name = "frame " + frame.number();
        List<GraphEvent> dispatched = new ArrayList<>(realisation.taskCount());
        GraphEvent done = tasks.event(name + " on the device");
        FrameCompletion completion = new FrameCompletion(frame, slot, done, options.trace());
        frame.setTasks(dispatched);
        for (int group = 0; group < realisation.groupCount(); group++) {
            dispatched.add(launchGroup(frame, slot, group));
        }
        List<GraphEvent> groups = List.copyOf(dispatched);
        GraphEvent recorded = tasks.whenAll(name + " recorded", groups);
        GraphEvent submitted = null;
        for (int batch = 0; batch < Math.max(1, realisation.batchCount()); batch++) {
            submitted = launchBatch(frame, slot, batch, groups, done);
            dispatched.add(submitted);
            newestSubmit = submitted;
        }
        GraphEvent completed = tasks.task(name + " completed", completion)
                .after(submitted, done)
                .on(WorkerLevel.HIGH)
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .dispatch();
        dispatched.add(completed);
        frame.setEvents(new Frame.Events(recorded, Objects.requireNonNull(submitted), completed));
        for (int group = 0; group < realisation.groupCount(); group++) {
            if (onCaller(frame, group)) {
                awaitSetups(frame, group);
                recordHere(slot.groupTask(group), groups.get(group));
            }
        }
    }

    private GraphEvent launchGroup(Frame frame, FrameSlot slot, int group) {
        String name = frame.realisation().group(group).taskName();
        GroupTask body = slot.groupTask(group);
        if (onCaller(frame, group)) {
            return tasks.event(name);
        }
        var task = tasks.task(name, body).on(WorkerLevel.HIGH);
        for (PassRealisation pass : frame.realisation().group(group).passes()) {
            for (RdgSetupTask setup : frame.plan().setups(pass.plan().index())) {
                task.after(FailurePolicy.RUN_ANYWAY, setup.event());
            }
        }
        return task.dispatch();
    }

    /** A task waits for tasks of its own task graph. */
    private void requireOwnSetups(FramePlan plan) {
        for (FramePlan.PassPlan pass : plan.passes()) {
            for (RdgSetupTask setup : plan.setups(pass.index())) {
                if (setup.tasks() != tasks) {
                    throw new RdgException("pass '" + pass.name() + "' of plan '" + plan.name()
                            + "' waits for setup task " + setup
                            + " of another task graph than the executor's; start it on"
                            + " that of the executor");
                }
            }
        }
    }

    private GraphEvent launchBatch(Frame frame, FrameSlot slot, int batch, List<GraphEvent> groups, GraphEvent done) {
        PlanRealisation realisation = frame.realisation();
        boolean empty = realisation.batchCount() == 0;
        String name = empty
                ? "submit nothing of " + frame.planName()
                : realisation.batch(batch).taskName();
        var task = tasks.task(name, new BatchTask(device, chain, frame, slot, batch, done))
                .on(submitThread.name())
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .after(newestSubmit);
        if (!empty) {
            for (int group : realisation.batch(batch).groups()) {
                task.after(groups.get(group));
            }
        }
        return task.dispatch();
    }

    private boolean onCaller(Frame frame, int group) {
        return options.serialRecording()
                || frame.plan().options().diagnostics().recording() == RecordingMode.SERIAL
                || (frame.realisation().group(group).onCaller() && !waitsElsewhere(frame, group));
    }

    /** The caller does not wait for setup tasks, unless it is the one to record what they set up. */
    private static boolean waitsElsewhere(Frame frame, int group) {
        boolean waits = false;
        for (PassRealisation pass : frame.realisation().group(group).passes()) {
            if (pass.plan().flags().contains(PassFlag.NEVER_PARALLEL)) {
                return false;
            }
            waits |= !frame.plan().setups(pass.plan().index()).isEmpty();
        }
        return waits;
    }

    /** Whether they failed the group asks itself. */
    private void awaitSetups(Frame frame, int group) {
        List<GraphEvent> setups = new ArrayList<>(0);
        for (PassRealisation pass : frame.realisation().group(group).passes()) {
            for (RdgSetupTask setup : frame.plan().setups(pass.plan().index())) {
                setups.add(setup.event());
            }
        }
        if (!setups.isEmpty()) {
            tasks.task("setup tasks of frame " + frame.number(), () -> {})
                    .after(setups)
                    .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                    .dispatch()
                    .await();
        }
    }

    private static void recordHere(GroupTask body, GraphEvent event) {
        try {
            body.run();
        } catch (RuntimeException failure) {
            event.fail(failure);
            return;
        }
        event.trigger();
    }

    private void enter() {
        Thread current = Thread.currentThread();
        Thread other = caller.compareAndExchange(null, current);
        if (other != null) {
            throw new IllegalStateException("frame executor is in use by thread '" + other.getName()
                    + "'; execute and close must be called by one thread at a time, '" + current.getName()
                    + "' must wait");
        }
    }
}
