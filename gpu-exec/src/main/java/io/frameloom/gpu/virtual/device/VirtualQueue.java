package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.device.ImageTurn;
import io.frameloom.gpu.record.CommandLog;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A queue of the virtual device. */
final class VirtualQueue implements GpuQueue {
    private final SimulatedDevice device;
    private final VirtualQueues queues;
    private final String name;
    private final int index;
    private final QueueKind kind;
    private final int family;
    private final VirtualTimeline timeline;
    private long clockNanos = Long.MIN_VALUE;

    VirtualQueue(SimulatedDevice device, VirtualQueues queues, String name, int index, QueueKind kind, int family) {
        this.device = device;
        this.queues = queues;
        this.name = name;
        this.index = index;
        this.kind = kind;
        this.family = family;
        this.timeline = new VirtualTimeline(queues, this);
    }

    boolean belongsTo(SimulatedDevice other) {
        return device == other;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public QueueKind kind() {
        return kind;
    }

    @Override
    public int family() {
        return family;
    }

    @Override
    public int familyCount() {
        return QueueKind.values().length;
    }

    @Override
    public VirtualTimeline timeline() {
        return timeline;
    }

    @Override
    public TimelinePoint submit(Submission submission) {
        synchronized (queues) {
            return submitNext(submission);
        }
    }

    private TimelinePoint submitNext(Submission submission) {
        queues.requireUsable();
        submission.checkSignals(this);
        submission.checkWaits(this);
        submission.externalWaits().forEach(point -> checkExternal(submission, point));
        submission.externalSignals().forEach(point -> checkExternal(submission, point));
        for (Submission.Wait wait : submission.waits()) {
            checkWait(submission, wait);
        }
        List<VirtualCommandList> lists = submittable(submission);
        try {
            lists.forEach(list -> list.events().enter(submission.label(), list.label()));
            claim(submission, lists);
        } catch (RuntimeException | Error failure) {
            lists.forEach(list -> list.events().leave());
            throw failure;
        }
        long value = timeline.submitted() + 1;
        long complete = submission.signalsEarly() ? value + 1 : value;
        lists.forEach(list -> list.submitted(complete));
        PendingSubmission pending = new PendingSubmission(this, submission, value, lists, queues.nanos());
        timeline.work().add(submission, value, complete);
        timeline.submit(complete, () -> queues.executor().submit(pending));
        return new TimelinePoint(this, value);
    }

    private void claim(Submission submission, List<VirtualCommandList> lists) {
        ImageTurn.takeAll(submission, device);
        try {
            queues.observe(() -> record(submission, lists));
        } catch (RuntimeException | Error failure) {
            ImageTurn.giveBackAll(submission);
            throw failure;
        }
    }

    private SubmissionRecord record(Submission submission, List<VirtualCommandList> lists) {
        List<CommandLog> logs =
                lists.stream().flatMap(list -> Stream.ofNullable(list.log())).toList();
        return CommandLog.record(this, submission, timeline.submitted() + 1, logs);
    }

    /** Returns the lists of a submission, each of which may be submitted here. */
    private List<VirtualCommandList> submittable(Submission submission) {
        Set<VirtualCommandList> lists = new LinkedHashSet<>();
        for (CommandList list : submission.lists()) {
            if (!(list instanceof VirtualCommandList own)
                    || !(own.queue() instanceof VirtualQueue of)
                    || of.device != device) {
                throw new IllegalArgumentException("command list '" + list.label() + "' of submission '"
                        + submission.label() + "' belongs to another device");
            }
            if (own.queue() != this) {
                throw new IllegalArgumentException("command list '" + list.label() + "' was recorded for queue '"
                        + own.queue().name() + "' but is submitted to '" + name + "'");
            }
            own.requireSubmittable(submission.label());
            if (!lists.add(own)) {
                throw new IllegalArgumentException("submission '" + submission.label() + "' has command list '"
                        + list.label() + "' twice; record another one");
            }
        }
        return List.copyOf(lists);
    }

    private void checkExternal(Submission submission, ExternalPoint point) {
        if (!device.owns(point.semaphore())) {
            throw new IllegalArgumentException("submission '" + submission.label() + "' names external semaphore '"
                    + point.semaphore().name() + "', which is of another device; the virtual device has those that its"
                    + " createExternalTimeline makes");
        }
    }

    private void checkWait(Submission submission, Submission.Wait wait) {
        if (!(wait.point().queue() instanceof VirtualQueue other) || other.device != device) {
            throw new IllegalArgumentException("submission '" + submission.label() + "' waits for queue '"
                    + wait.point().queue().name() + "' of another device");
        }
        if (wait.point().value() > other.timeline.submitted()) {
            throw new IllegalArgumentException("submission '" + submission.label() + "' waits for value "
                    + wait.point().value() + " of queue '" + other.name + "', which has only submitted "
                    + other.timeline.submitted() + "; submit what it waits for first");
        }
    }

    /** Simulated time until which the queue is busy; thread of the virtual GPU. */
    long clockNanos() {
        return clockNanos;
    }

    void clockNanos(long nanos) {
        clockNanos = nanos;
    }

    @Override
    public String toString() {
        return name;
    }
}
