package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.rdg.jfr.RdgEvents;
import io.frameloom.rdg.jfr.SubmissionEvent;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskBody;
import org.jspecify.annotations.Nullable;

/**
 * Submits one batch of a frame, or says what a pass of the host waits for. Once the frame has failed it submits
 * barriers alone, and nothing for a frame that was not launched. The last of a frame gives the signals and presents the
 * images that are left, even if the frame has failed. It ties the frame's completion to the queues' timelines. Runs on
 * the submit thread, or on the one that has recorded the frame, in plan order over all frames.
 *
 * @param batch index of the batch; a plan without batches has one task of index 0 that submits nothing
 * @param afterGap whether the order has frames right before it that were not launched
 * @param reached of a batch of the host the manual event of the device having done what it waits for, else null
 */
record BatchTask(
        GpuDevice device,
        SubmissionChain chain,
        Frame frame,
        FrameSlot slot,
        int batch,
        boolean afterGap,
        @Nullable GraphEvent reached)
        implements TaskBody {
    @Override
    public void run() throws Exception {
        try {
            runInOrder();
        } finally {
            if (reached != null) {
                reached.trigger();
            }
        }
        Exception failure = frame.failure();
        if (failure != null && frame.isLaunched()) {
            throw failure;
        }
    }

    /** Does the same; does not throw the failure of the frame. */
    void runInOrder() {
        if (!frame.isLaunched()) {
            // The call that was to launch it has thrown: its images are still the application's.
            return;
        }
        frame.enter();
        int batches = frame.realisation().batchCount();
        if (afterGap) {
            chain.fenceOff();
        }
        if (batch == 0) {
            chain.beginFrame(frame.after());
        }
        if (batch < batches && batch == chain.submitted() && !frame.isLost()) {
            if (reached == null) {
                submit();
            } else {
                passHost(reached);
            }
        }
        if (batch >= batches - 1) {
            finish();
        }
    }

    private void submit() {
        long start = System.nanoTime();
        SubmissionEvent event = RdgEvents.submission();
        PlanRealisation.BatchRealisation members = frame.realisation().batch(batch);
        try {
            if (frame.failure() == null) {
                submitWhole(event);
            }
            if (frame.failure() != null && batch == chain.submitted() && !frame.isLost()) {
                submitBarriers();
            }
        } finally {
            slot.submitNanos += System.nanoTime() - start;
            if (event != null) {
                event.end(
                        frame.number(),
                        frame.submitThread(),
                        frame.plan(),
                        batch,
                        members.queue().name(),
                        members.groups().size());
            }
        }
    }

    private void submitWhole(@Nullable SubmissionEvent event) {
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
        }
    }

    /**
     * Submits the barriers of a batch, without its passes. So what outlives a failed frame gets the layouts and queue
     * families that the plan promises. Semaphores are signalled, and images can be presented. Contents are what the
     * passes before the failure left. If the device refuses this too, the rest of the frame is not submitted.
     */
    private void submitBarriers() {
        try {
            for (int group : frame.realisation().batch(batch).groups()) {
                slot.lists[group] = slot.groupTask(group).recordBarriers();
            }
            chain.submit(frame, batch, slot.boundary(), slot.lists);
        } catch (Throwable failure) {
            frame.fail(failure);
        }
    }

    private void passHost(GraphEvent before) {
        try {
            chain.passHost(frame, batch, slot.boundary(), before);
        } catch (Throwable failure) {
            frame.fail(failure);
        }
    }

    /**
     * The frame ends with what was submitted of it and of those before it. So frames end in order, also if the rest
     * cannot be submitted.
     */
    private void finish() {
        try {
            if (!frame.isLost()) {
                frame.semaphores().end(frame, chain, device.queues().get(0));
            }
            if (!frame.isLost()) {
                frame.images().present(frame, chain.submitted());
            }
            if (frame.failure() != null) {
                chain.fenceOff();
            }
        } finally {
            frame.submittedUntil(chain.pointsOfFrame(), chain.newest());
        }
    }
}
