package io.frameloom.gpu.virtual;

import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.CommandLog;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.TimelinePoint;
import io.frameloom.gpu.internal.ImageClaims;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A queue of the virtual device. */
final class VirtualQueue implements GpuQueue {
    private final VirtualDevice device;
    private final String name;
    private final int index;
    private final QueueKind kind;
    private final int family;
    private final VirtualTimeline timeline;
    private long clockNanos = Long.MIN_VALUE;

    VirtualQueue(VirtualDevice device, String name, int index, QueueKind kind, int family) {
        this.device = device;
        this.name = name;
        this.index = index;
        this.kind = kind;
        this.family = family;
        this.timeline = new VirtualTimeline(device, this);
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
    public VirtualTimeline timeline() {
        return timeline;
    }

    @Override
    public TimelinePoint submit(Submission submission) {
        // The observer and the virtual GPU see the submissions of all queues in one order.
        synchronized (device) {
            return submitNext(submission);
        }
    }

    private TimelinePoint submitNext(Submission submission) {
        device.checkUsable();
        submission.checkSignals(this);
        if (!submission.externalWaits().isEmpty()
                || !submission.externalSignals().isEmpty()) {
            throw new IllegalArgumentException(
                    "submission '" + submission.label() + "' names an external timeline; the virtual device has none");
        }
        List<VirtualCommandList> lists = new ArrayList<>(submission.lists().size());
        List<CommandLog> logs = new ArrayList<>(submission.lists().size());
        for (CommandList list : submission.lists()) {
            if (!(list instanceof VirtualCommandList own) || own.queue().device != device) {
                throw new IllegalArgumentException("command list '" + list.label() + "' of submission '"
                        + submission.label() + "' belongs to another device");
            }
            if (own.queue() != this) {
                throw new IllegalArgumentException("command list '" + list.label() + "' was recorded for queue '"
                        + own.queue().name + "' but is submitted to '" + name + "'");
            }
            lists.add(own);
        }
        for (Submission.Wait wait : submission.waits()) {
            checkWait(submission, wait);
        }
        Set<VirtualCommandList> once = new HashSet<>();
        for (VirtualCommandList list : lists) {
            list.requireSubmittable(submission.label());
            if (!once.add(list)) {
                throw new IllegalArgumentException("submission '" + submission.label() + "' has command list '"
                        + list.label() + "' twice; record another one");
            }
            logs.add(list.log());
        }
        ImageClaims.take(submission, device);
        try {
            device.observe(() -> CommandLog.record(this, submission, timeline.submitted() + 1, logs));
        } catch (RuntimeException | Error failure) {
            ImageClaims.giveBack(submission);
            throw failure;
        }
        lists.forEach(VirtualCommandList::submitted);
        long value = timeline.advance();
        if (submission.signalsEarly()) {
            timeline.advance();
        }
        device.executor().submit(new PendingSubmission(this, submission, value, lists, System.nanoTime()));
        return new TimelinePoint(this, value);
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
