package io.frameloom.rdg.execute;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.rdg.execute.touch.FrameBoundary;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.TaskGraphStoppedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one graph of a frame in flight writes into and a graph of the next frame of the same slot recycles.
 *
 * <p>Begun on the RENDER thread when the former frame has completed. Then each recording task writes its own entry of
 * {@link #lists} and {@link #recordNanos} only. The submit chain reads them after the recording events. Each pass of
 * the host writes its own of {@link #hostSpans}, before the frame completes.
 */
final class FrameSlot {
    private final GpuDevice device;
    private final int index;
    private final String name;
    private final TaskGraph tasks;
    private final boolean collectTimestamps;
    private final boolean collectStatistics;
    private final boolean serialRecording;
    private final FrameContext context;
    private final List<GroupTask> groupTasks = new ArrayList<>();
    private final FrameUniforms uniforms = new FrameUniforms();
    private final FrameQueries queries;
    private final FrameConditions conditions = new FrameConditions();
    private final FrameBoundary boundary = new FrameBoundary();

    private final SlotEvents events;
    private @Nullable TimestampSet timestamps;
    private @Nullable QuerySet statistics;
    private @Nullable Frame frame;

    /** Finished command lists by recording group. */
    @Nullable
    CommandList[] lists = new CommandList[0];

    /** Time spent recording by recording group. */
    long[] recordNanos = new long[0];

    /**
     * By recording group of a pass of the host when that began and ended, or {@link Long#MIN_VALUE} if it did not run.
     */
    long[] hostSpans = new long[0];

    /** Time spent submitting; the submit chain only. */
    long submitNanos;

    /**
     * A slot without a frame.
     *
     * @param index which of all slots of the executor it is
     */
    FrameSlot(
            GpuDevice device,
            TaskGraph tasks,
            String name,
            int index,
            boolean collectTimestamps,
            boolean collectStatistics,
            boolean serialRecording) {
        this.device = device;
        this.tasks = tasks;
        this.name = name;
        this.index = index;
        this.collectTimestamps = collectTimestamps;
        // They would be of vertices, and with them open no mesh tasks are drawn.
        this.collectStatistics = collectStatistics
                && !device.capabilities().has(Capability.MESH_SHADERS)
                && device.capabilities().limits().drawing().queries().contains(QueryKind.STATISTICS);
        this.serialRecording = serialRecording;
        this.context = device.createFrameContext(name);
        this.events = new SlotEvents(device, name);
        this.queries = new FrameQueries(device);
    }

    /** Returns which of all slots of the executor it is: no two frames under way have the same. */
    int index() {
        return index;
    }

    FrameContext context() {
        return context;
    }

    TaskGraph tasks() {
        return tasks;
    }

    /** Returns whether one thread records everything. */
    boolean isSerial() {
        return serialRecording;
    }

    /** Returns memory of the slot for what {@code user} records, not shared with any other. */
    UploadArena uploads(String user) {
        return new UploadArena(device, name + " " + user);
    }

    FrameUniforms uniforms() {
        return uniforms;
    }

    FrameQueries queries() {
        return queries;
    }

    FrameConditions conditions() {
        return conditions;
    }

    /** Returns what orders the slot's frame after former ones. */
    FrameBoundary boundary() {
        return boundary;
    }

    /** Returns the events of the split barriers of the slot's frame, which has some. */
    DeviceEventSet events() {
        return events.get();
    }

    /** Returns the timestamps of the slot's frame, two for each pass, or null if none are collected. */
    @Nullable
    TimestampSet timestamps() {
        return timestamps;
    }

    /** Returns the statistics of the slot's frame, one query for each pass, or null if none are collected. */
    @Nullable
    QuerySet statistics() {
        return statistics;
    }

    Frame frame() {
        Frame current = frame;
        if (current == null) {
            throw new IllegalStateException(name + " has no frame");
        }
        return current;
    }

    boolean holds(Frame candidate) {
        return frame == candidate;
    }

    /**
     * Returns the task that records group {@code group} of the slot's frame; the same object for every frame. RENDER
     * thread; those of a frame that has begun any thread.
     */
    GroupTask groupTask(int group) {
        while (groupTasks.size() <= group) {
            groupTasks.add(new GroupTask(this, groupTasks.size()));
        }
        return groupTasks.get(group);
    }

    /**
     * Waits until the device and the host have done with the slot's frame, whether it failed or not.
     *
     * @throws IllegalStateException if the task graph was closed before the frame was through, or the calling thread
     *     would have to submit the frame
     * @throws TaskGraphStoppedException if the task graph has stopped
     */
    void awaitFree(SubmitThread submitThread) {
        Frame current = frame;
        if (current == null || current.isReleased()) {
            return;
        }
        GraphEvent end = current.isLaunched() ? current.completed() : current.refusal();
        if (end == null) {
            throw unsettled(current, current.failure());
        }
        submitThread.checkWait(current);
        // The failure belongs to the waiters of that frame; only one that left the slot in use matters here.
        end.awaitCompletion();
        Throwable failure = current.isReleased() ? null : end.failure();
        if (failure != null) {
            throw unsettled(current, Failures.original(failure));
        }
    }

    /** Returns why a frame cannot end, in which case the task graph was closed or has stopped. */
    private IllegalStateException unsettled(Frame frame, @Nullable Throwable cause) {
        try {
            tasks.event("end of frame " + frame.number());
        } catch (TaskGraphClosedException refusal) {
            if (refusal instanceof TaskGraphStoppedException) {
                return refusal;
            }
        }
        return new IllegalStateException(
                "frame " + frame.number() + " of plan '" + frame.planName()
                        + "' cannot end because the task graph was closed; close the frame executor before the task"
                        + " graph and make a new one of each",
                cause);
    }

    void checkWait(SubmitThread submitThread) {
        if (frame != null) {
            submitThread.checkWait(frame);
        }
    }

    /**
     * Waits until no task of the slot's frame runs or will run.
     *
     * @throws TaskGraphStoppedException if the task graph has stopped
     */
    void awaitTasks() {
        Frame current = frame;
        if (current == null) {
            return;
        }
        for (GraphEvent event : current.tasks()) {
            event.awaitCompletion();
        }
        if (current.isLaunched()) {
            current.completed().awaitCompletion();
        }
    }

    /** Returns whether neither the device nor the host touches the slot; true without a frame. */
    boolean isReleased() {
        return frame == null || frame.isReleased();
    }

    /** Notes that the device was lost before the slot's frame settled. */
    void noteLost(DeviceLostException lost) {
        if (frame != null && !frame.isReleased()) {
            frame.fail(lost);
        }
    }

    /**
     * Settles a frame that the device has done with but whose tasks never ran.
     *
     * @param semaphores ends those of a frame that was launched and whose last submit task has not run
     */
    void abandon(Consumer<Frame> semaphores) {
        Frame current = frame;
        if (current != null && !current.isReleased()) {
            current.fail(unsettled(current, current.failure()));
            if (current.isLaunched() && current.points() == null) {
                semaphores.accept(current);
            }
            current.abandon();
        }
    }

    void begin(Frame next) {
        measure();
        learn();
        context.reset();
        for (int i = 0; i < groupTasks.size(); i++) {
            groupTasks.get(i).resetUploads();
        }
        uniforms.place(context, next.plan());
        queries.place(next.plan());
        int groups = next.realisation().groupCount();
        if (lists.length < groups) {
            lists = new CommandList[groups];
            recordNanos = new long[groups];
            hostSpans = new long[2 * groups];
        }
        if (groups > 0) {
            groupTask(groups - 1);
        }
        Arrays.fill(lists, null);
        Arrays.fill(recordNanos, 0);
        Arrays.fill(hostSpans, Long.MIN_VALUE);
        submitNanos = 0;
        if (collectTimestamps) {
            beginTimestamps(2 * next.realisation().passCount());
        }
        if (collectStatistics) {
            beginStatistics(next.realisation().passCount());
        }
        events.begin(next.realisation().eventCount());
        endFormer();
        next.plan().begin(next);
        frame = next;
        conditions.ask(next.plan());
    }

    /** The slot's frame reads its plan no more. */
    private void endFormer() {
        if (frame != null) {
            frame.plan().end(frame);
        }
    }

    /** The times of a frame are the slot's until another one takes it. */
    private void measure() {
        if (frame != null) {
            frame.measure();
        }
    }

    /** Only a whole frame says how long its groups take. */
    private void learn() {
        if (frame != null && frame.isLaunched() && frame.failure() == null) {
            frame.realisation().times().learn(recordNanos);
        }
    }

    private void beginTimestamps(int count) {
        TimestampSet current = timestamps;
        if (current == null || current.count() < count) {
            if (current != null) {
                timestamps = null;
                current.close();
            }
            timestamps = device.createTimestampSet(name, Math.max(count, 2));
        } else {
            current.reset();
        }
    }

    private void beginStatistics(int count) {
        QuerySet current = statistics;
        if (current == null || current.count() < count) {
            if (current != null) {
                statistics = null;
                current.close();
            }
            statistics = device.createQuerySet(name + " statistics", QueryKind.STATISTICS, Math.max(count, 1));
        } else {
            current.reset();
        }
    }

    void close() {
        measure();
        if (statistics != null) {
            statistics.close();
        }
        TimestampSet current = timestamps;
        if (current != null) {
            current.close();
        }
        events.close();
        queries.close();
        context.close();
        groupTasks.forEach(GroupTask::closeUploads);
        endFormer();
        // It keeps its plan and bodies, and what outlives the slot may keep the slot.
        frame = null;
    }
}
