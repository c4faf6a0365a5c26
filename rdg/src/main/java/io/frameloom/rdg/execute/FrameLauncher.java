package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.diagnostics.RecordingMode;
import io.frameloom.rdg.execute.touch.BatchPoint;
import io.frameloom.rdg.execute.touch.FrameBoundary;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches the tasks of frames, and records on the RENDER thread what must be recorded there.
 *
 * <p>Tasks of a frame:
 *
 * <ul>
 *   <li>one for each recording group;
 *   <li>one for each batch, on the submit thread, after its groups and after the batch before it, over all frames;
 *   <li>one for each pass of the host, on a worker, after the points that its batch waits for and after the pass of the
 *       host before it, over all frames;
 *   <li>one that completes the frame, after the timelines of the queues.
 * </ul>
 *
 * <p>Submit tasks run even if a prerequisite failed, since a failed frame has to end as well. Frames complete in order.
 *
 * <p>A frame is launched whole or not at all: its first batch waits until everything is dispatched. If that does not
 * succeed, the dispatched tasks end without a submission, and the frame ends with them. After it every error fails the
 * frame, which ends with its tasks.
 */
final class FrameLauncher {
    private final GpuDevice device;
    private final TaskGraph tasks;
    private final FrameExecutorOptions options;
    private final FrameOrder order;
    private final SubmissionChain chain;
    private final SetupWait setups;
    private @Nullable GraphEvent newestSubmit;
    private @Nullable GraphEvent newestHost;
    /** Completion of the newest frame that has passes of the host: later frames may be done earlier. */
    private @Nullable GraphEvent newestWithHost;

    /** Whether a frame has its place in the order and was never submitted. */
    private boolean gap;

    FrameLauncher(GpuDevice device, TaskGraph tasks, FrameExecutorOptions options) {
        this.device = device;
        this.tasks = tasks;
        this.options = options;
        order = new FrameOrder(device.queues().size());
        chain = new SubmissionChain(device);
        setups = new SetupWait(tasks);
    }

    /**
     * Launches a frame.
     *
     * @param completed number of a frame up to which the host has seen all end
     */
    void launch(Frame frame, FrameSlot slot, long completed) {
        List<GraphEvent> dispatched = new ArrayList<>(frame.realisation().taskCount());
        frame.setTasks(dispatched);
        GraphEvent launched = null;
        try {
            order.enter(frame.plan(), frame.realisation(), frame.number(), completed, slot.boundary());
            launched = tasks.event("frame " + frame.number() + " launched");
            dispatch(frame, slot, launched, dispatched);
        } catch (RuntimeException | Error failure) {
            gap = true;
            refuse(frame, launched, dispatched, failure);
            throw failure;
        }
        gap = false;
        launched.trigger();
        for (int group = 0; group < frame.realisation().groupCount(); group++) {
            if (onCaller(frame, group)) {
                recordHere(frame, slot, group, dispatched.get(group));
            }
        }
    }

    private void dispatch(Frame frame, FrameSlot slot, GraphEvent launched, List<GraphEvent> dispatched) {
        PlanRealisation realisation = frame.realisation();
        String name = "frame " + frame.number();
        GraphEvent done = tasks.event(name + " on the device");
        frame.setMeasurement(new FrameMeasurement(frame, slot, options.trace()));
        FrameCompletion completion = new FrameCompletion(frame, done);
        for (int group = 0; group < realisation.groupCount(); group++) {
            dispatched.add(dispatchGroup(frame, slot, group));
        }
        List<GraphEvent> groups = List.copyOf(dispatched);
        GraphEvent recorded = tasks.whenAll(name + " recorded", groups);
        GraphEvent before = launched;
        for (int batch = 0; batch < Math.max(1, realisation.batchCount()); batch++) {
            boolean host =
                    batch < realisation.batchCount() && realisation.batch(batch).host();
            GraphEvent reached =
                    host ? tasks.event(realisation.batch(batch).names().label(frame.planName()) + " reached") : null;
            before = dispatchBatch(frame, slot, batch, groups, before, done, reached);
            dispatched.add(before);
            newestSubmit = before;
            if (reached != null) {
                dispatched.add(dispatchHost(frame, slot, batch, reached));
            }
        }
        GraphEvent submitted = before;
        GraphEvent completed = tasks.task(name + " completed", completion)
                .after(submitted, done, newestWithHost)
                .on(WorkerLevel.HIGH)
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .dispatch();
        if (!frame.hostTasks().isEmpty()) {
            newestWithHost = completed;
        }
        dispatched.add(completed);
        frame.setEvents(new Frame.Events(recorded, submitted, completed));
    }

    private GraphEvent dispatchGroup(Frame frame, FrameSlot slot, int group) {
        String name = frame.realisation().group(group).taskName();
        if (frame.realisation().isOnHost(group)) {
            GraphEvent nothing = tasks.event(name);
            nothing.trigger();
            return nothing;
        }
        GroupTask body = slot.groupTask(group);
        if (onCaller(frame, group)) {
            return tasks.event(name);
        }
        var task = tasks.task(name, body).on(WorkerLevel.HIGH);
        for (PassRealisation pass : frame.realisation().group(group).passes()) {
            for (RdgSetupTask setup : frame.plan().setups(pass.plan().index())) {
                task.after(FailurePolicy.RUN_ANYWAY, setup.event());
            }
        }
        return task.dispatch();
    }

    private GraphEvent dispatchBatch(
            Frame frame,
            FrameSlot slot,
            int batch,
            List<GraphEvent> groups,
            GraphEvent before,
            GraphEvent done,
            @Nullable GraphEvent reached) {
        PlanRealisation realisation = frame.realisation();
        boolean empty = realisation.batchCount() == 0;
        String name = empty
                ? "submit nothing of " + frame.planName()
                : realisation.batch(batch).names().task(frame.planName());
        BatchTask body = new BatchTask(device, chain, frame, slot, batch, gap && batch == 0, done, reached);
        var task = tasks.task(name, body)
                .on(options.submitThread())
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .after(before);
        if (batch == 0) {
            task.after(newestSubmit);
        }
        if (!empty) {
            for (int group : realisation.batch(batch).groups()) {
                task.after(groups.get(group));
            }
            if (reached == null) {
                for (GraphEvent host : hostTasksBefore(realisation, batch, slot.boundary())) {
                    task.after(host);
                }
            }
        }
        return task.dispatch();
    }

    /** Returns the passes of the host, of this frame and of former ones, that a batch is submitted after. */
    private static List<GraphEvent> hostTasksBefore(PlanRealisation realisation, int batch, FrameBoundary boundary) {
        List<GraphEvent> before = List.of();
        for (FramePlan.BatchWait wait : realisation.batch(batch).waits()) {
            before = with(before, boundary.point(wait.batch()));
        }
        for (int group : realisation.batch(batch).groups()) {
            @Nullable BatchPoint[] former = boundary.waits(group);
            for (int i = 0; former != null && i < former.length; i++) {
                BatchPoint point = former[i];
                before = point == null ? before : with(before, point);
            }
        }
        return before;
    }

    private static List<GraphEvent> with(List<GraphEvent> events, BatchPoint point) {
        GraphEvent task = point.hostTask;
        if (task == null) {
            return events;
        }
        List<GraphEvent> more = events.isEmpty() ? new ArrayList<>(1) : events;
        more.add(task);
        return more;
    }

    /**
     * The pass runs also if those before it failed, since what waits for it has to end as well.
     */
    private GraphEvent dispatchHost(Frame frame, FrameSlot slot, int batch, GraphEvent reached) {
        PlanRealisation realisation = frame.realisation();
        var task = tasks.task(
                        realisation.batch(batch).names().label(frame.planName()),
                        new HostTask(device, frame, slot, batch, reached))
                .on(WorkerLevel.HIGH)
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .after(reached);
        if (newestHost != null) {
            task.after(newestHost);
        }
        for (int group : realisation.batch(batch).groups()) {
            for (PassRealisation pass : realisation.group(group).passes()) {
                for (RdgSetupTask setup : frame.plan().setups(pass.plan().index())) {
                    task.after(setup.event());
                }
            }
        }
        GraphEvent host = task.dispatch();
        slot.boundary().point(batch).hostTask = host;
        frame.addHostTask(host);
        newestHost = host;
        return host;
    }

    /** Waits for and signals the semaphores of a frame whose submit tasks will not run. The last to touch the order. */
    void endSemaphores(Frame frame) {
        if (!frame.isLost()) {
            frame.semaphores().end(frame, chain, device.queues().get(0));
        }
    }

    /** Ends a frame of which not everything could be dispatched. No caller has its events. */
    private void refuse(Frame frame, @Nullable GraphEvent launched, List<GraphEvent> dispatched, Throwable failure) {
        frame.fail(failure);
        int groups = Math.min(dispatched.size(), frame.realisation().groupCount());
        List<GraphEvent> elsewhere = new ArrayList<>(groups);
        for (int group = 0; group < groups; group++) {
            if (onCaller(frame, group)) {
                dispatched.get(group).trigger();
            } else {
                elsewhere.add(dispatched.get(group));
            }
        }
        if (launched != null) {
            launched.trigger();
        }
        // Its submit tasks touch nothing, so nothing waits for them: the waiting thread might be the one to run them.
        frame.setTasks(elsewhere);
        if (elsewhere.isEmpty()) {
            frame.abandon();
            return;
        }
        try {
            frame.setEnd(tasks.task("frame " + frame.number() + " ended", frame::abandon)
                    .after(elsewhere)
                    .on(WorkerLevel.HIGH)
                    .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                    .dispatch());
        } catch (RuntimeException | Error second) {
            // Closing the executor waits for what records, and then ends the frame.
            failure.addSuppressed(second);
        }
    }

    private boolean onCaller(Frame frame, int group) {
        if (frame.realisation().isOnHost(group)) {
            return false;
        }
        return options.serialRecording()
                || frame.plan().options().diagnostics().recording() == RecordingMode.SERIAL
                || (frame.realisation().group(group).onCaller() && !waitsElsewhere(frame, group));
    }

    /** The caller does not wait for setup tasks, unless it is the one to record what they set up. */
    private static boolean waitsElsewhere(Frame frame, int group) {
        boolean waits = false;
        for (PassRealisation pass : frame.realisation().group(group).passes()) {
            if (pass.plan().flags().contains(PassFlag.NEVER_PARALLEL)) {
                return false;
            }
            waits |= !frame.plan().setups(pass.plan().index()).isEmpty();
        }
        return waits;
    }

    private void recordHere(Frame frame, FrameSlot slot, int group, GraphEvent event) {
        try {
            if (frame.failure() == null) {
                setups.await(frame, group);
            }
            slot.groupTask(group).run();
        } catch (Throwable failure) {
            event.fail(frame.fail(failure));
            return;
        }
        event.trigger();
    }
}
