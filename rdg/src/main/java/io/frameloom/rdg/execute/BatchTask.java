package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.rdg.jfr.RdgEvents;
import io.frameloom.rdg.jfr.SubmissionEvent;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskBody;
import org.jspecify.annotations.Nullable;

/**
 * Submits one batch of a frame, or says what a pass of the host waits for, or does nothing once the frame has failed or was
 * not launched. The last of a frame gives the signals and presents the images that are left, even if the frame has failed,
 * and ties the frame's completion to the queues' timelines. Runs on the submit thread, in plan order over all frames.
 */
final class BatchTask implements TaskBody {
    private final GpuDevice device;
    private final SubmissionChain chain;
    private final Frame frame;
    private final FrameSlot slot;
    private final int batch;
    private final boolean behindGap;
    private final GraphEvent done;
    private final @Nullable GraphEvent reached;

    /**
     * A task.
     *
     * @param batch index of the batch; a plan without batches has one task of index 0 that submits nothing
     * @param behindGap whether the order has frames right before it that were not launched
     * @param done the manual event of the device having done with the frame
     * @param reached of a batch of the host the manual event of the device having done what it waits for, else null
     */
    BatchTask(
            GpuDevice device,
            SubmissionChain chain,
            Frame frame,
            FrameSlot slot,
            int batch,
            boolean behindGap,
            GraphEvent done,
            @Nullable GraphEvent reached) {
        this.device = device;
        this.chain = chain;
        this.frame = frame;
        this.slot = slot;
        this.batch = batch;
        this.behindGap = behindGap;
        this.done = done;
        this.reached = reached;
    }

    @Override
    public void run() throws Exception {
        try {
            runInOrder();
        } finally {
            if (reached != null) {
                reached.trigger();
            }
        }
    }

    private void runInOrder() throws Exception {
        if (!frame.isLaunched()) {
            // The call that was to launch it has thrown: its images are still the application's.
            return;
        }
        int batches = frame.realisation().batchCount();
        if (behindGap) {
            chain.fenceOff();
        }
        if (batch == 0) {
            chain.beginFrame(frame.after());
        }
        if (batch < batches && frame.failure() == null) {
            if (reached == null) {
                submit();
            } else {
                passHost(reached);
            }
        }
        if (batch >= batches - 1) {
            finish();
        }
        Exception failure = frame.failure();
        if (failure != null) {
            throw failure;
        }
    }

    private void submit() {
        long start = System.nanoTime();
        SubmissionEvent event = RdgEvents.submission();
        PlanRealisation.BatchRealisation members = frame.realisation().batch(batch);
        try {
            chain.submit(frame, batch, slot.boundary(), slot.lists);
            if (frame.plan().options().diagnostics().serialise()) {
                chain.awaitLast();
            }
        } catch (Throwable failure) {
            frame.fail(failure);
            if (event != null) {
                event.failed(failure);
            }
        } finally {
            slot.submitNanos += System.nanoTime() - start;
            if (event != null) {
                event.end(
                        frame.number(),
                        frame.plan(),
                        batch,
                        members.queue().name(),
                        members.groups().size());
            }
        }
    }

    private void passHost(GraphEvent behind) {
        try {
            chain.passHost(frame, batch, slot.boundary(), behind);
        } catch (Throwable failure) {
            frame.fail(failure);
        }
    }

    /**
     * The frame ends with what was submitted of it and of those before it, so that frames end in order, also if the rest
     * cannot be brought to an end.
     */
    private void finish() {
        try {
            if (isStopped()) {
                settle();
            }
            if (!frame.isLost()) {
                frame.semaphores().end(frame, chain, device.queues().get(0));
            }
            if (!frame.isLost()) {
                frame.images().present(frame);
            }
            if (frame.failure() != null) {
                chain.fenceOff();
            }
        } finally {
            frame.setPoints(chain.pointsOfFrame());
            for (int queue = 0; queue < chain.queueCount(); queue++) {
                endWith(chain.newest(queue));
            }
            for (GraphEvent task : frame.hostTasks()) {
                endWith(task);
            }
            done.trigger();
        }
    }

    /** Returns whether the device would still take what is missing of the frame. */
    private boolean isStopped() {
        return frame.failure() != null && !frame.isLost();
    }

    private void settle() {
        GpuQueue queue = device.queues().get(0);
        try {
            StateSettlement.submit(frame, slot, chain, device.queues());
        } catch (Throwable failure) {
            frame.fail(failure);
        }
        frame.images().settle(frame, slot, chain, queue);
    }

    private void endWith(@Nullable TimelinePoint last) {
        if (last == null) {
            return;
        }
        try {
            endWith(last.queue().timeline().reached(last.value()));
        } catch (Throwable failure) {
            frame.fail(failure);
        }
    }

    /** One that cannot be waited for keeps no other from it. */
    private void endWith(GraphEvent event) {
        try {
            done.dontCompleteUntil(event);
        } catch (Throwable failure) {
            frame.fail(failure);
        }
    }
}
