package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.execute.touch.BatchPoint;
import io.frameloom.rdg.execute.touch.FrameBoundary;
import io.frameloom.taskgraph.GraphEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of submissions over all frames. Only the chain of submit tasks, each a prerequisite of the next, touches
 * it, and {@code close} after the last of them. The thread that executes plans touches it while no submit task is
 * pending.
 *
 * <p>A wait names a point that was already submitted, never a promise. So a frame that stops half-way leaves no queue
 * waiting for a value that never comes.
 *
 * <p>The {@link FrameBoundary} of a frame holds among frames of this executor that do not fail. It knows neither what
 * the application has submitted nor what a failed frame has left half done, and no recorded barrier does. So the
 * queues' next submissions wait for whole queues then, their own included.
 */
final class SubmissionChain {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final long[] NOTHING = {};
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final List<GpuQueue> queues;
    private final @Nullable TimelinePoint[] newest;
    /** By queue the value up to which others than this executor have submitted to it. */
    private final long[] foreign;
    /** By queue the value that the next submission to each other queue, and to the queue itself, follows. */
    private final long[] boundary;

    private final long[] ownBoundary;
    /** By queue what all of its stages have waited for of each. */
    private final long[][] waited;
    /** By queue the newest value that passes of the host wait for. */
    private final long[] seenByHost;

    /** By queue what was submitted before the frame. */
    private final long[] before;

    // What is submitted next, and the points of a frame: handed on as copies.
    private final List<CommandList> lists = new ArrayList<>();
    private final List<Submission.Wait> waits = new ArrayList<>();
    private final List<TimelinePoint> points = new ArrayList<>();

    private @Nullable TimelinePoint last;
    private int begun;
    private int submitted;
    private int submittedGroups;

    SubmissionChain(GpuDevice device) {
        queues = device.queues();
        newest = new TimelinePoint[queues.size()];
        foreign = new long[queues.size()];
        boundary = new long[queues.size()];
        ownBoundary = new long[queues.size()];
        waited = new long[queues.size()][queues.size()];
        seenByHost = new long[queues.size()];
        before = new long[queues.size()];
    }

    /**
     * Begins a frame.
     *
     * @param after what it waits for of that which the application has submitted, and later frames with it; null for
     *     everything so far
     */
    void beginFrame(@Nullable List<TimelinePoint> after) {
        for (GpuQueue queue : queues) {
            int index = queue.index();
            long value = queue.timeline().submitted();
            before[index] = ownValue(index);
            if (value > ownValue(index)) {
                foreign[index] = value;
            }
            ownBoundary[index] = Math.max(ownBoundary[index], foreign[index]);
            if (after == null) {
                boundary[index] = Math.max(boundary[index], foreign[index]);
            }
        }
        if (after != null) {
            for (TimelinePoint point : after) {
                int index = point.queue().index();
                boundary[index] = Math.max(boundary[index], point.value());
            }
        }
        begun = 0;
        submitted = 0;
        submittedGroups = 0;
        last = null;
    }

    private long ownValue(int queue) {
        TimelinePoint point = newest[queue];
        return point == null ? 0 : point.value();
    }

    /** Returns how many batches of the frame are submitted; they are the first ones in plan order. */
    int submitted() {
        return submitted;
    }

    /**
     * Submits a batch, the next one of its frame. If groups of it wait for former frames, it is submitted in parts, so
     * that the groups before need not wait.
     *
     * @param former what orders the frame after former ones
     */
    void submit(Frame frame, int index, FrameBoundary former, @Nullable CommandList[] recorded) {
        PlanRealisation.BatchRealisation batch = frame.realisation().batch(index);
        lists.clear();
        waits.clear();
        for (int i = 0; i < batch.waits().size(); i++) {
            FramePlan.BatchWait wait = batch.waits().get(i);
            BatchPoint before = former.point(wait.batch());
            if (frame.realisation().batch(wait.batch()).host()) {
                addSeenByHost(waits, before, batch.queue().index());
            } else {
                addWait(waits, submitted(frame, batch, before, wait), wait.stages());
            }
        }
        addBoundary(waits, batch.queue().index());
        boolean begins = begun == index;
        for (int i = 0; i < batch.groups().size(); i++) {
            int group = batch.groups().get(i);
            if (group < submittedGroups) {
                continue;
            }
            CommandList list = recorded[group];
            if (list == null) {
                throw new IllegalStateException(
                        "group " + group + " of '" + batch.names().label(frame.planName()) + "' is not recorded");
            }
            @Nullable BatchPoint[] needed = former.waits(group);
            if (needed != null) {
                List<Submission.Wait> more = waits;
                if (!lists.isEmpty()) {
                    more = new ArrayList<>(queues.size());
                }
                addFormer(more, needed, batch.queue().index());
                if (more != waits && !more.isEmpty()) {
                    submit(frame, index, former, begins, false);
                    begun = index + 1;
                    begins = false;
                    lists.clear();
                    waits.clear();
                    waits.addAll(more);
                }
            }
            lists.add(list);
        }
        former.point(index).point = submit(frame, index, former, begins, true);
        submitted++;
        begun = submitted;
    }

    private static TimelinePoint submitted(
            Frame frame, PlanRealisation.BatchRealisation batch, BatchPoint before, FramePlan.BatchWait wait) {
        TimelinePoint point = before.point;
        if (point == null) {
            throw new IllegalStateException("'" + batch.names().label(frame.planName()) + "' waits for batch "
                    + wait.batch() + ", which is submitted later; batches of a plan must be in topological order");
        }
        return point;
    }

    /**
     * Passes over a batch of the host, the next one of its frame; nothing of it is submitted.
     *
     * @param reached must not complete before the device has done what the pass of the host waits for
     */
    void passHost(Frame frame, int index, FrameBoundary former, GraphEvent reached) {
        PlanRealisation.BatchRealisation batch = frame.realisation().batch(index);
        BatchPoint own = former.point(index);
        if (own.seenByHost.length == 0) {
            own.seenByHost = new long[seenByHost.length];
        }
        for (FramePlan.BatchWait wait : batch.waits()) {
            see(submitted(frame, batch, former.point(wait.batch()), wait));
        }
        for (int queue = 0; queue < boundary.length; queue++) {
            seenByHost[queue] = Math.max(seenByHost[queue], boundary[queue]);
        }
        for (int group : batch.groups()) {
            @Nullable BatchPoint[] needed = former.waits(group);
            for (int i = 0; needed != null && i < needed.length; i++) {
                BatchPoint before = needed[i];
                if (before != null && before.point != null) {
                    see(before.point);
                }
            }
        }
        for (GpuQueue queue : queues) {
            long value = seenByHost[queue.index()];
            own.seenByHost[queue.index()] = value;
            // Also what a former pass of the host waits for, since its wait may fail.
            if (value > 0) {
                reached.dontCompleteUntil(queue.timeline().reached(value));
            }
        }
        submitted = index + 1;
        begun = submitted;
        submittedGroups += batch.groups().size();
    }

    private void see(TimelinePoint point) {
        int queue = point.queue().index();
        seenByHost[queue] = Math.max(seenByHost[queue], point.value());
    }

    /**
     * Submits a part of a batch: the lists and waits that were gathered. The first part waits for external points, the
     * last one signals them.
     */
    private TimelinePoint submit(Frame frame, int index, FrameBoundary former, boolean first, boolean last) {
        PlanRealisation.BatchRealisation batch = frame.realisation().batch(index);
        FrameSemaphores semaphores = frame.semaphores();
        List<ExternalPoint> awaited = first ? semaphores.waits(index, batch.queue(), waits) : List.of();
        // A failed frame gives its signals at its end, one by one: the failure may be that the device refuses one of
        // them.
        boolean signals = last && frame.failure() == null;
        List<ExternalPoint> signalled = signals ? semaphores.signals(index, former) : List.of();
        List<Submission.Acquire> acquires = first ? frame.images().acquires(index) : List.of();
        List<SwapchainImage> presents = last ? frame.images().presents(index) : List.of();
        Submission submission = new Submission(batch.names().label(frame.planName()), lists, waits);
        if (!acquires.isEmpty() || !presents.isEmpty()) {
            submission = submission.presenting(acquires, presents);
        }
        if (!awaited.isEmpty() || !signalled.isEmpty()) {
            submission = submission.with(awaited, signalled);
        }
        TimelinePoint point = submit(batch.queue(), submission);
        if (first) {
            semaphores.waited(index, point);
        }
        if (signals) {
            semaphores.signalled(index, former);
        }
        submittedGroups += lists.size();
        return point;
    }

    private TimelinePoint submit(GpuQueue queue, Submission submission) {
        int index = queue.index();
        long former = ownValue(index);
        TimelinePoint point = queue.submit(submission);
        if (point.value() > former + 1) {
            foreign[index] = point.value() - 1;
        }
        for (int i = 0; i < submission.waits().size(); i++) {
            Submission.Wait wait = submission.waits().get(i);
            int other = wait.point().queue().index();
            // A wait of some stages does not order the others after it.
            if (wait.stages() == ALL) {
                waited[index][other] =
                        Math.max(waited[index][other], wait.point().value());
            }
        }
        newest[index] = point;
        last = point;
        return point;
    }

    /** Blocks until the device has done the batch that was submitted last. */
    void awaitLast() {
        TimelinePoint point = last;
        if (point != null) {
            point.queue().timeline().await(point.value(), FOREVER);
        }
    }

    /**
     * Submits to {@code queue} after everything submitted so far, and after the application's submissions that the
     * frame waits for.
     *
     * @param work a submission without waits for queues
     */
    void submitAfterAll(GpuQueue queue, Submission work) {
        List<Submission.Wait> waits = new ArrayList<>(queues.size());
        for (GpuQueue other : queues) {
            int index = other.index();
            long value = Math.max(ownValue(index), boundary[index]);
            if (index != queue.index() && value > 0) {
                waits.add(new Submission.Wait(new TimelinePoint(other, value), ALL));
            }
        }
        submit(
                queue,
                new Submission(work.label(), work.lists(), waits)
                        .presenting(work.acquires(), work.presents())
                        .with(work.externalWaits(), work.externalSignals()));
    }

    /**
     * Lets every queue's next submission follow everything submitted so far, since the planned order of a frame is
     * missing.
     */
    void fenceOff() {
        for (int queue = 0; queue < newest.length; queue++) {
            boundary[queue] = Math.max(boundary[queue], ownValue(queue));
            ownBoundary[queue] = Math.max(ownBoundary[queue], ownValue(queue));
        }
    }

    /** Returns the newest point of each queue on which something of the frame was submitted. */
    List<TimelinePoint> pointsOfFrame() {
        return pointsAfter(before);
    }

    /** Returns the newest point of each queue on which something was submitted. */
    List<TimelinePoint> newest() {
        return pointsAfter(NOTHING);
    }

    private List<TimelinePoint> pointsAfter(long[] values) {
        points.clear();
        for (int queue = 0; queue < newest.length; queue++) {
            TimelinePoint point = newest[queue];
            if (point != null && point.value() > (values.length == 0 ? 0 : values[queue])) {
                points.add(point);
            }
        }
        return List.copyOf(points);
    }

    private void addBoundary(List<Submission.Wait> waits, int queue) {
        for (int other = 0; other < boundary.length; other++) {
            long value = other == queue ? ownBoundary[queue] : boundary[other];
            if (value > waited[queue][other]) {
                addWait(waits, new TimelinePoint(queues.get(other), value), ALL);
            }
        }
    }

    /** Adds waits for batches of former frames; those that were never submitted are fenced off. */
    private void addFormer(List<Submission.Wait> waits, @Nullable BatchPoint[] former, int queue) {
        for (BatchPoint batch : former) {
            if (batch != null) {
                addSeenByHost(waits, batch, queue);
            }
            TimelinePoint point = batch == null ? null : batch.point;
            if (point != null && point.value() > waited[queue][point.queue().index()]) {
                addWait(waits, point, ALL);
            }
        }
    }

    /**
     * Lets a queue follow what a pass of the host has waited for. The host's wait makes writes available to the host
     * alone.
     */
    private void addSeenByHost(List<Submission.Wait> waits, BatchPoint batch, int queue) {
        for (int other = 0; other < batch.seenByHost.length; other++) {
            long value = batch.seenByHost[other];
            if (other != queue && value > waited[queue][other]) {
                addWait(waits, new TimelinePoint(queues.get(other), value), ALL);
            }
        }
    }

    /** Adds a wait, or widens the one that there is for the same queue. */
    static void addWait(List<Submission.Wait> waits, TimelinePoint point, int stages) {
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
