package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.internal.SilentTimeline;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A queue of the fake device with its timeline. */
final class FakeQueue implements GpuQueue, GpuTimeline, SilentTimeline {
    /** A submission as it arrived. */
    record Submitted(String queue, long value, String thread, Submission submission) {
        List<String> operations() {
            List<String> all = new ArrayList<>();
            for (CommandList list : submission.lists()) {
                all.addAll(((FakeCommandList) list).operations());
            }
            return all;
        }

        List<String> waits() {
            return submission.waits().stream()
                    .map(wait ->
                            wait.point().queue().name() + "@" + wait.point().value())
                    .toList();
        }
    }

    private final FakeDevice device;
    private final TaskGraph tasks;
    private final int index;
    private final QueueKind kind;
    private final String name;
    private final Map<Long, GraphEvent> pending = new TreeMap<>();
    private final List<FakeCommandList> running = new ArrayList<>();
    private @Nullable RuntimeException refusal;
    private int accepts;
    private int refusals;
    private long submitted;
    private long completed;
    private long asked;

    FakeQueue(FakeDevice device, TaskGraph tasks, int index, QueueKind kind) {
        this.device = device;
        this.tasks = tasks;
        this.index = index;
        this.kind = kind;
        this.name = index == 0 ? "graphics" : "queue" + index;
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
        return index;
    }

    @Override
    public GpuTimeline timeline() {
        return this;
    }

    @Override
    public TimelinePoint submit(Submission submission) {
        long value;
        synchronized (this) {
            if (device.isLost()) {
                throw new DeviceLostException("the fake device is lost");
            }
            RuntimeException refused = refusal;
            if (refused != null && accepts-- == 0) {
                accepts = 0;
                if (--refusals == 0) {
                    refusal = null;
                }
                throw refused;
            }
            for (Submission.Wait wait : submission.waits()) {
                if (wait.point().value() > wait.point().queue().timeline().submitted()) {
                    throw new IllegalArgumentException(submission.label() + " waits for what nobody has submitted");
                }
            }
            value = ++submitted;
            device.submitted(new Submitted(name, value, Thread.currentThread().getName(), submission));
            for (CommandList list : submission.lists()) {
                FakeCommandList commands = (FakeCommandList) list;
                commands.submit(device);
                running.add(commands);
            }
        }
        if (device.completesAtOnce()) {
            complete();
        }
        return new TimelinePoint(this, value);
    }

    /** Makes the next submission fail without an effect. */
    void refuseNext(RuntimeException cause) {
        refuse(cause, 0);
    }

    /** Makes the next submissions fail without an effect, so many of them. */
    synchronized void refuseNext(RuntimeException cause, int times) {
        refuse(cause, 0);
        refusals = times;
    }

    /** Makes a submission fail without an effect that comes behind so many others. */
    synchronized void refuse(RuntimeException cause, int behind) {
        refusal = cause;
        accepts = behind;
        refusals = 1;
    }

    /** Returns the values whose completion somebody waits for. */
    synchronized Set<Long> awaited() {
        return Set.copyOf(pending.keySet());
    }

    void complete() {
        List<GraphEvent> reached;
        synchronized (this) {
            completed = submitted;
            running.forEach(FakeCommandList::complete);
            running.clear();
            reached = List.copyOf(pending.values());
            pending.clear();
        }
        reached.forEach(GraphEvent::trigger);
    }

    void fail() {
        List<GraphEvent> failed;
        synchronized (this) {
            running.forEach(FakeCommandList::complete);
            running.clear();
            failed = List.copyOf(pending.values());
            pending.clear();
        }
        failed.forEach(event -> event.fail(new DeviceLostException("the fake device is lost")));
    }

    @Override
    public synchronized long submitted() {
        return submitted;
    }

    @Override
    public synchronized long completed() {
        asked++;
        return completed;
    }

    @Override
    public synchronized long reachedByDevice() {
        return completed;
    }

    /** Returns how often the host was told how far the queue is. */
    synchronized long asked() {
        return asked;
    }

    @Override
    public GraphEvent reached(long value) {
        GraphEvent event = tasks.event(name + "@" + value);
        boolean already;
        synchronized (this) {
            if (value > submitted) {
                throw new IllegalArgumentException(name + "@" + value + " was not submitted");
            }
            already = value <= completed;
            if (!already && !device.isLost()) {
                GraphEvent present = pending.putIfAbsent(value, event);
                return present == null ? event : present;
            }
        }
        if (already) {
            event.trigger();
        } else {
            event.fail(new DeviceLostException("the fake device is lost"));
        }
        return event;
    }

    @Override
    public boolean await(long value, Duration timeout) {
        if (!timeout.isZero()) {
            device.hostWaited(name + "@" + value);
        }
        boolean reached = reachedByDevice() >= value;
        if (!reached && device.isLost()) {
            throw new DeviceLostException("the fake device is lost");
        }
        return reached;
    }
}
