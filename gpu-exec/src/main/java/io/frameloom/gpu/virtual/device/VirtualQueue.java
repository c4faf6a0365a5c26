package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LevelBinding;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.device.ImageTurn;
import io.frameloom.gpu.device.LevelChanges;
import io.frameloom.gpu.device.ResidentLevels;
import io.frameloom.gpu.record.CommandLog;
import io.frameloom.gpu.record.SubmissionRules;
import io.frameloom.gpu.resource.SparseLevels;
import io.frameloom.gpu.resource.Texture;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
    /** How many submissions had their lists collected; with the lock of the queues. */
    private long collections;

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
        SubmissionRules.requireWaits(submission, queues.all());
        List<VirtualCommandList> lists = new ArrayList<>();
        SubmissionRules.collect(submission, this, ++collections, lists);
        long value = timeline.submitted() + 1;
        long complete = submission.signalsEarly() ? value + 1 : value;
        boolean taken = false;
        SubmissionRecord record;
        VirtualExecutor.Submitted pending;
        try {
            lists.forEach(list -> list.events().enter(submission.label(), list.label()));
            ImageTurn.takeAll(submission, device);
            taken = true;
            record = record(submission, value, lists);
            pending = new VirtualExecutor.Submitted(this, submission, value, lists, queues.nanos(), null);
        } catch (RuntimeException | Error failure) {
            lists.forEach(list -> list.events().leave());
            if (taken) {
                ImageTurn.giveBackAll(submission);
            }
            throw failure;
        }
        queues.feed().submitted(record, complete);
        lists.forEach(list -> list.submitted(complete));
        timeline.work().add(submission, value, complete, lists);
        timeline.submit(complete, () -> queues.executor().submit(pending));
        return new TimelinePoint(this, value);
    }

    @Override
    public boolean bindsLevels() {
        return device.capabilities().has(Capability.SPARSE_RESIDENCY);
    }

    @Override
    public TimelinePoint bind(LevelBinding binding) {
        if (!bindsLevels()) {
            return GpuQueue.super.bind(binding);
        }
        synchronized (queues.binding()) {
            queues.requireUsable();
            LevelChanges<Object> changes = LevelChanges.take(binding, this::levels);
            TimelinePoint point;
            synchronized (queues) {
                point = bind(binding, changes);
            }
            queues.retired().add(changes::release);
            return point;
        }
    }

    private @Nullable ResidentLevels<Object> levels(Texture texture) {
        return texture instanceof VirtualTexture ours && ours.belongsTo(device) ? ours.resident() : null;
    }

    private TimelinePoint bind(LevelBinding binding, LevelChanges<Object> changes) {
        Submission submission = new Submission(binding.label(), List.of(), binding.waits());
        long value = timeline.submitted() + 1;
        SubmissionRecord record = null;
        try {
            queues.requireUsable();
            submission.checkWaits(this);
            SubmissionRules.requireWaits(submission, queues.all());
            if (queues.feed().observes()) {
                record = queues.feed().submitting(this, submission, value, List.of(CommandLog.of(binding)));
            }
            changes.commit();
        } catch (RuntimeException | Error failure) {
            changes.giveBack();
            throw failure;
        }
        queues.feed().submitted(record, value);
        timeline.work().add(submission, value, value, List.<VirtualCommandList>of());
        VirtualExecutor.Submitted pending = new VirtualExecutor.Submitted(
                this, submission, value, List.of(), queues.nanos(), () -> clobber(binding));
        timeline.submit(value, () -> queues.executor().submit(pending));
        return new TimelinePoint(this, value);
    }

    /** Leaves nothing of what was in the levels, whether they get memory or lose it. */
    private static void clobber(LevelBinding binding) {
        for (LevelBinding.Change change : binding.changes()) {
            VirtualTexture texture = (VirtualTexture) change.texture();
            SparseLevels levels = Objects.requireNonNull(texture.sparse());
            Contents.clobber(texture, levels.range(texture.description(), change.level()));
        }
    }

    /** Returns what the observer is told, or null if there is none. */
    private @Nullable SubmissionRecord record(Submission submission, long value, List<VirtualCommandList> lists) {
        if (!queues.feed().observes()) {
            return null;
        }
        List<CommandLog> logs =
                lists.stream().flatMap(list -> Stream.ofNullable(list.log())).toList();
        return queues.feed().submitting(this, submission, value, logs);
    }

    private void checkExternal(Submission submission, ExternalPoint point) {
        if (!device.owns(point.semaphore())) {
            throw new IllegalArgumentException("submission '" + submission.label() + "' names external semaphore '"
                    + point.semaphore().name() + "', which is of another device; the virtual device has those that its"
                    + " createExternalTimeline makes");
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
