package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.PoolStatistics;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.explain.ReportedWarnings;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskGraphStoppedException;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Gives frames a slot and resources, launches them, and recycles their memory. A {@link Frame} is an execution of a
 * plan. Those between {@link #beginFrame} and {@link #endFrame} have one number, are one frame in flight, and are
 * recycled together.
 */
public final class FramePipeline {
    private final GpuDevice device;
    private final TaskGraph tasks;
    private final RetireQueue retired = new RetireQueue();
    private final TransientHeaps heaps;
    private final ResourcePool pool;
    private final PlanRealiser realiser;
    private final @Nullable FrameTrace trace;
    private final FrameLauncher launcher;
    private final HeapSearches searches;
    private final SubmitThread submitThread;
    private final FrameSlots[] slots;
    private final AtomicReference<@Nullable Thread> caller = new AtomicReference<>();
    private final ReportedWarnings reported = new ReportedWarnings();

    private final int keepFrames;
    private long nextFrame;
    /** Whether the frame {@link #nextFrame} was begun for several graphs and not ended. */
    private boolean open;

    private boolean closed;

    /** Takes the extracted resources of a frame before it is launched. */
    @FunctionalInterface
    public interface ExtractionSink {
        /**
         * Takes the resources. An exception stops the frame. Its end is reported to each listener, and the resources
         * that were made for it are kept for later ones.
         */
        void accept(Frame frame);
    }

    public FramePipeline(GpuDevice device, TaskGraph tasks, FrameExecutorOptions options) {
        this.device = device;
        this.tasks = tasks;
        keepFrames = options.framesInFlight() + options.poolFrames();
        heaps = new TransientHeaps(device, retired, keepFrames);
        pool = new ResourcePool(device, keepFrames);
        realiser = new PlanRealiser(device, heaps, pool, options, keepFrames);
        submitThread = new SubmitThread(tasks, options.submitThread());
        TraceRecorder recorder = options.trace();
        trace = recorder == null ? null : new FrameTrace(recorder, device, options.submitThread());
        launcher = new FrameLauncher(device, tasks, options, trace);
        searches = new HeapSearches(tasks);
        slots = new FrameSlots[options.framesInFlight()];
        for (int i = 0; i < slots.length; i++) {
            int first = i;
            slots[i] = new FrameSlots(graph -> slot(first, graph, options), keepFrames);
        }
    }

    private FrameSlot slot(int frame, int graph, FrameExecutorOptions options) {
        return new FrameSlot(
                device,
                tasks,
                "FrameExecutor frame slot " + frame + (graph == 0 ? "" : " graph " + graph),
                frame + graph * options.framesInFlight(),
                options.collectTimestamps(),
                options.collectStatistics(),
                options.serialRecording());
    }

    /**
     * Begins a frame of several graphs, after the one {@code framesInFlight} before. One thread at a time.
     *
     * @return its number
     */
    public long beginFrame() {
        enter();
        try {
            if (closed) {
                throw new IllegalStateException("frame executor is closed; it cannot begin frame " + nextFrame);
            }
            if (open) {
                throw new IllegalStateException(
                        "frame " + nextFrame + " is begun already; call endFrame before the next beginFrame");
            }
            if (trace != null) {
                trace.enter(nextFrame);
            }
            begin(nextFrame);
            open = true;
            return nextFrame;
        } finally {
            caller.set(null);
        }
    }

    /**
     * Ends the frame that was begun. One thread at a time.
     *
     * @return an event of all its graphs having completed
     */
    public GraphEvent endFrame() {
        enter();
        try {
            if (!open) {
                throw new IllegalStateException(
                        closed
                                ? "frame executor is closed, which has ended its frame"
                                : "no frame is begun; call beginFrame before endFrame");
            }
            long number = nextFrame;
            open = false;
            nextFrame++;
            return tasks.whenAll(
                    "frame " + number + " completed with all graphs",
                    slotsOf(number).completed());
        } finally {
            caller.set(null);
        }
    }

    private FrameSlots slotsOf(long number) {
        return slots[(int) (number % slots.length)];
    }

    private void begin(long number) {
        FrameSlots current = slotsOf(number);
        current.awaitFree(submitThread);
        recycle(number);
        current.begin();
    }

    /**
     * Launches a frame and returns; waits for a free slot first unless {@link #beginFrame} has. One thread at a time.
     *
     * @param sync what the frame waits for and signals besides earlier frames
     * @param extractions takes extracted resources
     */
    public Frame execute(CompiledPlan plan, FrameSync sync, ExtractionSink extractions) {
        enter();
        try {
            if (closed) {
                throw new IllegalStateException(
                        "frame executor is closed; it cannot execute plan '" + plan.name() + "'");
            }
            requireOwnSetups(plan);
            requireVulkan(plan);
            long number = nextFrame;
            long start = trace == null ? 0 : System.nanoTime();
            FrameSlots current = slotsOf(number);
            if (!open) {
                begin(number);
            }
            FrameSlot slot = current.next();
            PlanRealisation realisation = realiser.realise(plan, number, slot.index());
            Frame frame;
            try {
                frame = new Frame(
                        number,
                        submitThread.name(),
                        plan,
                        realisation,
                        FrameImages.bind(plan, realisation.swapchainUses(), sync.images()),
                        FrameSemaphores.bind(device, plan, realisation, sync),
                        sync.after(),
                        slot.conditions(),
                        reported);
                slot.begin(frame);
            } catch (RuntimeException | Error failure) {
                realisation.giveBackExtracted(pool);
                throw failure;
            }
            handOut(frame, plan, extractions);
            current.take();
            if (!open) {
                nextFrame++;
            }
            if (trace != null) {
                frame.setTrace(trace, trace.begins(frame, start), start);
            }
            launcher.launch(frame, slot, frame.number() - slots.length);
            if (trace != null) {
                trace.launched(frame, start, heaps.heapBytes());
            }
            return frame;
        } finally {
            caller.set(null);
        }
    }

    private void handOut(Frame frame, CompiledPlan plan, ExtractionSink extractions) {
        try {
            searches.begin(plan);
            extractions.accept(frame);
        } catch (RuntimeException | Error failure) {
            frame.fail(failure);
            frame.abandon();
            frame.realisation().giveBackExtracted(pool);
            throw failure;
        }
    }

    /**
     * Waits until a frame is complete, as its event does, unless this thread would wait for itself. The next graph may
     * take its slot then. RENDER thread.
     */
    public void await(Frame frame) {
        submitThread.checkWait(frame);
        try {
            frame.completed().await();
        } finally {
            slotsOf(frame.number()).giveBack(frame);
        }
    }

    /**
     * Returns whether neither the device nor the host touches what a frame that was launched uses. One thread at a time.
     */
    public boolean isOver(long frame) {
        // A frame begins when the one that had its slots is over.
        long begun = open ? nextFrame : nextFrame - 1;
        return closed || frame + slots.length <= begun || slotsOf(frame).isReleased();
    }

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
     * Waits for the tasks of all frames, as {@link #close} does, and changes nothing. One thread at a time.
     *
     * @throws IllegalStateException if the calling thread would wait for itself
     */
    public void awaitFrames() {
        enter();
        try {
            for (FrameSlots each : slots) {
                each.forEach(slot -> slot.checkWait(submitThread));
            }
            awaitTasks();
        } finally {
            caller.set(null);
        }
    }

    /**
     * Waits for all frames and frees everything; a frame that was begun has ended with it. A second call does nothing.
     * One thread at a time.
     *
     * @throws IllegalStateException when everything is freed, if a frame was begun and not ended
     * @throws TaskGraphStoppedException when everything is freed, if the task graph has stopped
     */
    public void close() {
        enter();
        try {
            if (closed) {
                return;
            }
            closed = true;
            boolean left = open;
            open = false;
            TaskGraphStoppedException stopped = awaitTasks();
            boolean released = true;
            for (FrameSlots each : slots) {
                released &= each.isReleased();
            }
            if (!released) {
                awaitDevice();
                for (FrameSlots each : slots) {
                    each.forEach(slot -> slot.abandon(launcher::endSemaphores));
                }
            }
            realiser.forgetAll();
            heaps.retireAll();
            pool.close();
            retired.release(Long.MAX_VALUE);
            for (FrameSlots each : slots) {
                each.forEach(FrameSlot::close);
            }
            if (stopped != null) {
                throw stopped;
            }
            if (left) {
                throw new IllegalStateException(
                        "frame " + nextFrame
                                + " was begun and not ended; call endFrame before the frame executor is closed, which it is now");
            }
        } finally {
            caller.set(null);
        }
    }

    /** Waits until no task of a frame, and no search, runs or will run. Returns why there is nothing to wait for, or null. */
    private @Nullable TaskGraphStoppedException awaitTasks() {
        try {
            for (FrameSlots each : slots) {
                each.forEach(FrameSlot::awaitTasks);
            }
            searches.await();
            return null;
        } catch (TaskGraphStoppedException stopped) {
            return awaitThreads(stopped);
        }
    }

    /** When the close of a task graph that has stopped throws, its threads run nothing any more. */
    private TaskGraphStoppedException awaitThreads(TaskGraphStoppedException stopped) {
        try {
            tasks.close();
            return stopped;
        } catch (TaskGraphStoppedException ended) {
            return ended;
        }
    }

    /** Waits for work that a closed task graph left on the device; a lost device has none. */
    private void awaitDevice() {
        try {
            device.waitIdle();
        } catch (DeviceLostException lost) {
            for (FrameSlots each : slots) {
                each.forEach(slot -> slot.noteLost(lost));
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

    private void requireOwnSetups(CompiledPlan plan) {
        if (!plan.hasSetups()) {
            return;
        }
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

    /** Refuses native commands for a device that has no VkCommandBuffer. */
    private void requireVulkan(CompiledPlan plan) {
        FramePlan.PassPlan pass = device instanceof VulkanDevice ? null : plan.firstNative();
        if (pass != null) {
            throw new RdgException("pass '" + pass.name() + "'" + plan.siteOf(pass) + " of plan '" + plan.name()
                    + "' records native commands, and device '"
                    + device.capabilities().name()
                    + "' is no Vulkan device; declare the pass only for a VulkanDevice, or record its commands with"
                    + " record");
        }
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
