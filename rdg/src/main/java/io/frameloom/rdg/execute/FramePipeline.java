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
import io.frameloom.rdg.PoolStatistics;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Gives frames a slot and resources, lets them be launched, and recycles what they leave behind. */
public final class FramePipeline {
    private final GpuDevice device;
    private final TaskGraph tasks;
    private final RetireQueue retired = new RetireQueue();
    private final TransientHeaps heaps;
    private final ResourcePool pool;
    private final PlanRealiser realiser;
    private final FrameLauncher launcher;
    private final SubmitThread submitThread;
    private final FrameSlot[] slots;
    private final AtomicReference<@Nullable Thread> caller = new AtomicReference<>();
    private final int keepFrames;
    private long nextFrame;
    private boolean closed;

    /** Takes the extracted resources of a frame before it is launched. */
    @FunctionalInterface
    public interface ExtractionSink {
        /**
         * Takes the resources. An exception stops the frame: who has asked to be told of its end is told, and the resources
         * that were made for it are kept for later ones.
         */
        void accept(Frame frame);
    }

    /** A pipeline without frames. */
    public FramePipeline(GpuDevice device, TaskGraph tasks, FrameExecutorOptions options) {
        this.device = device;
        this.tasks = tasks;
        keepFrames = options.framesInFlight() + options.poolFrames();
        heaps = new TransientHeaps(device, retired, keepFrames);
        pool = new ResourcePool(device, keepFrames);
        realiser = new PlanRealiser(device, heaps, pool, options, keepFrames);
        submitThread = new SubmitThread(tasks, options.submitThread());
        launcher = new FrameLauncher(device, tasks, options);
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
            handOut(frame, extractions);
            nextFrame++;
            launcher.launch(frame, slot, frame.number() - slots.length);
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

    private void handOut(Frame frame, ExtractionSink extractions) {
        try {
            extractions.accept(frame);
        } catch (RuntimeException | Error failure) {
            frame.fail(failure);
            frame.settle(null);
            frame.realisation().giveBackExtracted(pool);
            throw failure;
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
