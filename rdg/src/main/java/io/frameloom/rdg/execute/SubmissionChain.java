package io.frameloom.rdg.execute;

import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.SwapchainImage;
import io.frameloom.gpu.TimelinePoint;
import io.frameloom.rdg.FramePlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of submissions over all frames. Touched only by the chain of submit tasks, each a prerequisite of the next,
 * and by {@code close} behind the last of them.
 *
 * <p>A wait names a point that was already submitted, never a promise: a frame that stops half-way leaves no queue
 * waiting for a value that nobody will signal.
 */
final class SubmissionChain {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final List<GpuQueue> queues;
    private final @Nullable TimelinePoint[] newest;
    private final @Nullable TimelinePoint[] boundary;
    private final long[][] boundaryWaited;
    private @Nullable TimelinePoint[] batchPoints = new TimelinePoint[0];
    private int submitted;

    SubmissionChain(GpuDevice device) {
        queues = device.queues();
        newest = new TimelinePoint[queues.size()];
        boundary = new TimelinePoint[queues.size()];
        boundaryWaited = new long[queues.size()][queues.size()];
    }

    /**
     * Begins a frame of {@code batches} batches, before whose boundary lie the frames before it, and what the application
     * has submitted.
     *
     * @param after what it waits for of that, and later frames with it; null for everything so far
     */
    void beginFrame(int batches, @Nullable List<TimelinePoint> after) {
        if (after == null) {
            for (GpuQueue queue : queues) {
                lieBefore(queue, queue.timeline().submitted());
            }
        } else {
            for (TimelinePoint point : after) {
                lieBefore(point.queue(), point.value());
            }
        }
        System.arraycopy(newest, 0, boundary, 0, newest.length);
        if (batchPoints.length < batches) {
            batchPoints = new TimelinePoint[batches];
        }
        Arrays.fill(batchPoints, null);
        submitted = 0;
    }

    private void lieBefore(GpuQueue queue, long value) {
        TimelinePoint known = newest[queue.index()];
        if (value > 0 && (known == null || known.value() < value)) {
            newest[queue.index()] = new TimelinePoint(queue, value);
        }
    }

    /** Returns how many batches of the frame are submitted; they are the first ones in plan order. */
    int submitted() {
        return submitted;
    }

    /**
     * Submits the next batch of the frame.
     *
     * @param acquires swapchain images whose acquisition it waits for
     * @param presents swapchain images that may be presented behind it
     */
    void submit(
            PlanRealisation.BatchRealisation batch,
            @Nullable CommandList[] recorded,
            List<Submission.Acquire> acquires,
            List<SwapchainImage> presents) {
        List<CommandList> lists = new ArrayList<>(batch.groups().size());
        for (int group : batch.groups()) {
            CommandList list = recorded[group];
            if (list == null) {
                throw new IllegalStateException("group " + group + " of '" + batch.label() + "' is not recorded");
            }
            lists.add(list);
        }
        int queue = batch.queue().index();
        List<Submission.Wait> waits = new ArrayList<>(batch.waits().size() + (batch.head() ? queues.size() - 1 : 0));
        for (FramePlan.BatchWait wait : batch.waits()) {
            TimelinePoint point = batchPoints[wait.batch()];
            if (point == null) {
                throw new IllegalStateException("'" + batch.label() + "' waits for batch " + wait.batch()
                        + ", which is submitted later; batches of a plan must be in topological order");
            }
            addWait(waits, point, wait.stages());
        }
        if (batch.head()) {
            addBoundary(waits, queue);
        }
        Submission submission = new Submission(batch.label(), lists, waits);
        TimelinePoint point = batch.queue()
                .submit(
                        acquires.isEmpty() && presents.isEmpty()
                                ? submission
                                : submission.presenting(acquires, presents));
        if (batch.head()) {
            boundaryWaited(queue);
        }
        newest[queue] = point;
        batchPoints[submitted] = point;
        submitted++;
    }

    /** Blocks until the device has done the batch that was submitted last. */
    void awaitLast() {
        TimelinePoint point = batchPoints[submitted - 1];
        if (point != null) {
            point.queue().timeline().await(point.value(), FOREVER);
        }
    }

    /** Submits {@code list} to {@code queue} behind everything submitted so far, with swapchain images as {@link #submit}. */
    void submitBehindAll(
            GpuQueue queue,
            String label,
            CommandList list,
            List<Submission.Acquire> acquires,
            List<SwapchainImage> presents) {
        List<Submission.Wait> waits = new ArrayList<>(queues.size());
        for (int other = 0; other < newest.length; other++) {
            TimelinePoint point = newest[other];
            if (other != queue.index() && point != null) {
                waits.add(new Submission.Wait(point, ALL));
            }
        }
        newest[queue.index()] =
                queue.submit(new Submission(label, List.of(list), waits).presenting(acquires, presents));
    }

    /** Returns the newest point of a queue if it belongs to the current frame, else null. */
    @Nullable
    TimelinePoint lastOfFrame(int queue) {
        TimelinePoint point = newest[queue];
        return point == null || point.equals(boundary[queue]) ? null : point;
    }

    int queueCount() {
        return newest.length;
    }

    /** Adds the waits for the other queues' former frames, once for each point and queue. */
    private void addBoundary(List<Submission.Wait> waits, int queue) {
        for (int other = 0; other < boundary.length; other++) {
            TimelinePoint point = boundary[other];
            if (other == queue || point == null || boundaryWaited[queue][other] >= point.value()) {
                continue;
            }
            addWait(waits, point, ALL);
        }
    }

    /** Notes that a queue has waited for the boundary; only a submission that succeeded has. */
    private void boundaryWaited(int queue) {
        for (int other = 0; other < boundary.length; other++) {
            TimelinePoint point = boundary[other];
            if (point != null) {
                boundaryWaited[queue][other] = point.value();
            }
        }
    }

    /** Adds a wait, or widens the one that there is for the same queue. */
    private static void addWait(List<Submission.Wait> waits, TimelinePoint point, int stages) {
        for (int i = 0; i < waits.size(); i++) {
            Submission.Wait present = waits.get(i);
            if (present.point().queue() == point.queue()) {
                TimelinePoint later = present.point().value() >= point.value() ? present.point() : point;
                waits.set(i, new Submission.Wait(later, present.stages() | stages));
                return;
            }
        }
        waits.add(new Submission.Wait(point, stages));
    }
}
