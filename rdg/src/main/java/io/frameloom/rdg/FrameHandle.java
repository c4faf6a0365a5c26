package io.frameloom.rdg;

import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.rdg.capture.CapturedTexture;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.execute.Frame;
import io.frameloom.taskgraph.GraphEvent;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A frame under way, or one graph of a frame that {@link FrameExecutor#beginFrame} began. Its events are prerequisites
 * like any other. Any thread.
 *
 * <p>If a pass body fails, {@link #recorded} fails with an {@link RdgException} that names the pass. Nothing more of
 * the frame's passes is submitted, and {@link #submitted} and {@link #completed} fail with the same cause. External
 * textures are left in the layouts that the plan promises, with unknown contents where passes are missing; the next
 * frame works. Swapchain images of such a frame are still presented, with unknown contents. Semaphores of an engine are
 * waited for and signalled, unless the device is lost.
 */
public final class FrameHandle {
    private final Frame frame;
    private final List<CompletableFuture<CapturedTexture>> captures;

    FrameHandle(Frame frame, List<CompletableFuture<CapturedTexture>> captures) {
        this.frame = frame;
        this.captures = List.copyOf(captures);
    }

    /** Returns the frame itself. */
    Frame launched() {
        return frame;
    }

    /** Returns the number of the frame, the same for all its graphs; an executor's first frame is 0. */
    public long frame() {
        return frame.number();
    }

    /** Returns the event of all passes being recorded. */
    public GraphEvent recorded() {
        return frame.recorded();
    }

    /** Returns the event of all batches being submitted. */
    public GraphEvent submitted() {
        return frame.submitted();
    }

    /**
     * Returns the event that completes when the device has done the frame and what was read back is there. It fails
     * with the failure of a pass body, or with one whose root cause is {@link
     * io.frameloom.gpu.error.DeviceLostException}.
     *
     * <p>A worker completes it if something runs at the end of the frame, such as a readback. Else the first caller of
     * this does, the thread that submits, or one of the device, which waits only for frames that were asked for.
     * Dependents of its future run there, and so should be short.
     */
    public GraphEvent completed() {
        return frame.completed();
    }

    /**
     * Returns the points at which the device has completed the frame, also if it has failed: one of each queue on which
     * something of it was submitted. The work of an engine that shares the device can wait for these ({@code
     * VulkanHandles.timeline} is the semaphore of a queue). Or the frame signals a semaphore of the engine ({@link
     * FrameSync#signal(ExternalPoint)}).
     *
     * @throws IllegalStateException if {@link #submitted} is not complete
     */
    public List<TimelinePoint> points() {
        List<TimelinePoint> points = frame.points();
        if (points == null) {
            throw new IllegalStateException(
                    "frame " + frame.number() + " is not submitted; wait for submitted() before asking for its points");
        }
        return points;
    }

    /**
     * Returns what the frame took. The first call blocks until the driver has given the times, unless a later frame has
     * taken the frame's place and so has asked: Mesa's software driver gives them only after all that was submitted
     * until then.
     *
     * @throws IllegalStateException if the frame is not completed, or has failed
     * @throws RdgException if the times cannot be read, as when the device was lost since
     */
    public FrameStatistics statistics() {
        FrameStatistics statistics = frame.statistics();
        if (statistics == null) {
            throw new IllegalStateException("frame " + frame.number()
                    + (frame.completed().isFailed()
                            ? " has failed and has no statistics"
                            : " is not completed; wait for completed() before asking for statistics"));
        }
        return statistics;
    }

    /**
     * Returns what the passes beside the graphics queue have gained, by region; found on request. Waits as {@link
     * #statistics} does.
     *
     * @throws IllegalStateException if the frame is not completed, or has failed
     */
    public AsyncGains asyncGains() {
        return AsyncGains.of(frame.plan(), statistics());
    }

    /**
     * Returns a future of each {@linkplain RdgDiagnostics#captures capture} of the plan, in their order. Captures that
     * a system property asks for are among them if the graph has their texture. The completion of the frame fulfils
     * them, on a worker. They fail if the frame fails; its failure then counts as seen. They fail too if the task graph
     * stops or is closed before the frame has completed. A wait for one of them is that of {@link RdgReadback#bytes}.
     */
    public List<CompletableFuture<CapturedTexture>> captures() {
        captures.forEach(capture -> RdgReadback.failWith(frame.completed(), capture));
        return captures;
    }

    /**
     * Returns what looked like a mistake while the frame was recorded, complete when {@link #recorded} is; empty
     * without {@link RdgDiagnostics#validation}. {@link FramePlan#warnings} has what was seen before.
     */
    public List<PlanWarning> warnings() {
        return frame.warnings();
    }

    /**
     * Returns the result of presenting an image of the frame: OK, SUBOPTIMAL, OUT_OF_DATE or SURFACE_LOST.
     *
     * @throws IllegalStateException if the frame has not presented the image: {@link #submitted} is not complete, the
     *     device refused to, or the image is not one of its
     */
    public SwapchainStatus presented(SwapchainImage image) {
        SwapchainStatus status = frame.presented(image);
        if (status == null) {
            throw new IllegalStateException("frame " + frame.number() + " has not presented " + image
                    + (frame.submitted().isFailed()
                            ? "; it has failed, and so has what was to give the image back: recreate the swapchain"
                            : "; wait for submitted() of the frame to which the image was given"));
        }
        return status;
    }

    @Override
    public String toString() {
        return "frame " + frame.number();
    }
}
