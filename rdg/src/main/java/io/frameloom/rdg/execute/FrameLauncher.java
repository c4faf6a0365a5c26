package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.diagnostics.RecordingMode;
import io.frameloom.rdg.execute.touch.BatchPoint;
import io.frameloom.rdg.execute.touch.FrameBoundary;
import io.frameloom.rdg.jfr.FrameEvent;
import io.frameloom.rdg.jfr.RdgEvents;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches the tasks of frames, and records on the RENDER thread what must be recorded there.
 *
 * <p>Tasks of a frame:
 *
 * <ul>
 *   <li>one for each recording group, or for neighbours that were short in former frames, see {@link GroupTimes};
 *   <li>one for each batch, on the submit thread, after its groups and after the batch before it, over all frames;
 *   <li>one for each pass of the host, on a worker, after the points that its batch waits for and after the pass of the
 *       host before it, over all frames;
 *   <li>one that completes the frame, after the timelines of the queues, if something is to be done then.
 * </ul>
 *
 * <p>A frame whose groups are all recorded by the calling thread may be submitted by it, if every former frame is
 * submitted. It has at most the last of these tasks.
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
    private final @Nullable FrameTrace trace;
    private final FrameOrder order;
    private final SubmissionChain chain;
    private final SetupWait setups;
    private @Nullable GraphEvent newestSubmit;
    private @Nullable GraphEvent newestHost;
    /** The task that completes the newest frame that has one: the device may be done with later frames before it runs. */
    private @Nullable GraphEvent newestCompletion;

    /** Whether a frame has its place in the order and was never submitted. */
    private boolean gap;

    /** Complete: stands for the recording and submission of each frame that the calling thread has submitted. */
    private @Nullable GraphEvent passed;
    /** In its place for the next such frame that fails; made before that frame is recorded. */
    private @Nullable GraphEvent failing;

    FrameLauncher(GpuDevice device, TaskGraph tasks, FrameExecutorOptions options, @Nullable FrameTrace trace) {
        this.trace = trace;
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
        boolean here = isForCaller(frame);
        List<GraphEvent> dispatched =
                here ? List.of() : new ArrayList<>(frame.realisation().taskCount());
        frame.setTasks(dispatched);
        GraphEvent launched = null;
        boolean afterGap = gap;
        try {
            order.enter(frame.plan(), frame.realisation(), frame.number(), completed, slot.boundary());
            FrameEvent event = RdgEvents.frame();
            if (event == null && endsAlone(frame)) {
                frame.setEndsAlone();
            }
            GraphEvent done =
                    tasks.event("frame " + frame.number() + (frame.endsAlone() ? " completed" : " on the device"));
            frame.setDone(done);
            FrameMeasurement measurement = new FrameMeasurement(frame, slot, trace);
            frame.setMeasurement(measurement);
            if (here) {
                prepare(frame, event, done);
            } else {
                launched = tasks.event("frame " + frame.number() + " launched");
                dispatch(frame, slot, event, launched, measurement, dispatched);
            }
        } catch (RuntimeException | Error failure) {
            gap = true;
            refuse(frame, launched, dispatched, failure);
            throw failure;
        }
        gap = false;
        if (launched == null) {
            recordAndSubmit(frame, slot, afterGap);
            return;
        }
        launched.trigger();
        for (int group = 0; group < frame.realisation().groupCount(); group++) {
            if (onCaller(frame, group)) {
                recordHere(frame, slot, group, dispatched.get(group));
            }
        }
    }

    /**
     * Returns whether the calling thread submits a frame: it records all of it, every former frame is submitted, and
     * nothing that it submits may block.
     */
    private boolean isForCaller(Frame frame) {
        if (!options.inlineSubmission()
                || !frame.realisation().swapchainUses().isEmpty()
                || (newestSubmit != null && !newestSubmit.isComplete())) {
            return false;
        }
        for (int group = 0; group < frame.realisation().groupCount(); group++) {
            if (!onCaller(frame, group)) {
                return false;
            }
        }
        return true;
    }

    /** Makes what the task graph may refuse, before anything of a frame is recorded that the calling thread submits. */
    private void prepare(Frame frame, @Nullable FrameEvent event, GraphEvent done) {
        GraphEvent whole = passed;
        if (whole == null) {
            whole = tasks.event("recorded and submitted by the calling thread");
            whole.trigger();
            passed = whole;
        }
        if (failing == null) {
            failing = tasks.event("recorded and submitted by the calling thread, failed");
        }
        frame.setEvents(new Frame.Events(whole, whole, completion(frame, event, null, done)));
    }

    /** Returns whether nothing runs at the end of a frame, and no trace shows it: then no worker wakes up for that. */
    private boolean endsAlone(Frame frame) {
        return !frame.hasSinks()
                && trace == null
                && !frame.realisation().hasHost()
                && (newestCompletion == null || newestCompletion.isComplete());
    }

    private void recordAndSubmit(Frame frame, FrameSlot slot, boolean afterGap) {
        for (int group = 0; group < frame.realisation().groupCount(); group++) {
            record(frame, slot, group);
        }
        boolean recorded = frame.failure() == null;
        for (int batch = 0; batch < Math.max(1, frame.realisation().batchCount()); batch++) {
            new BatchTask(device, chain, frame, slot, batch, afterGap && batch == 0, null).runInOrder();
        }
        Exception failure = frame.failure();
        if (failure != null) {
            GraphEvent failed = Objects.requireNonNull(failing);
            failing = null;
            failed.fail(failure);
            frame.setFailed(recorded ? frame.recorded() : failed, failed);
        }
    }

    private void dispatch(
            Frame frame,
            FrameSlot slot,
            @Nullable FrameEvent event,
            GraphEvent launched,
            FrameMeasurement measurement,
            List<GraphEvent> dispatched) {
        PlanRealisation realisation = frame.realisation();
        for (int group = 0; group < realisation.groupCount(); ) {
            int last = lastOfTask(frame, group);
            GraphEvent recording = dispatchGroups(frame, slot, group, last);
            for (; group <= last; group++) {
                dispatched.add(recording);
            }
        }
        GraphEvent recorded = tasks.whenAll("frame " + frame.number() + " recorded", dispatched);
        GraphEvent before = launched;
        for (int batch = 0; batch < Math.max(1, realisation.batchCount()); batch++) {
            boolean host =
                    batch < realisation.batchCount() && realisation.batch(batch).host();
            GraphEvent reached =
                    host ? tasks.event(realisation.batch(batch).names().label(frame.planName()) + " reached") : null;
            before = dispatchBatch(frame, slot, batch, dispatched, before, reached);
            dispatched.add(before);
            measurement.submittedBy(before);
            newestSubmit = before;
            if (reached != null) {
                dispatched.add(dispatchHost(frame, slot, batch, reached));
            }
        }
        GraphEvent submitted = before;
        GraphEvent completed = completion(frame, event, submitted, Objects.requireNonNull(frame.done()));
        frame.setEvents(new Frame.Events(recorded, submitted, completed));
    }

    private GraphEvent completion(
            Frame frame, @Nullable FrameEvent event, @Nullable GraphEvent submitted, GraphEvent done) {
        if (frame.endsAlone()) {
            if (submitted != null) {
                // The device may be done before the task that submits has ended.
                done.dontCompleteUntil(submitted);
            }
            return done;
        }
        GraphEvent completed = tasks.task(
                        "frame " + frame.number() + " completed", new FrameCompletion(frame, done, event))
                .after(submitted, done, newestCompletion)
                .on(WorkerLevel.HIGH)
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .dispatch();
        newestCompletion = completed;
        return completed;
    }

    /** Returns the last of the groups that one task records: those of one batch that were short in former frames. */
    private int lastOfTask(Frame frame, int first) {
        PlanRealisation realisation = frame.realisation();
        GroupTimes times = realisation.times();
        long nanos = mayShareTask(frame, first) ? times.nanos(first) : 0;
        int next = first + 1;
        while (next < realisation.groupCount()
                && times.mayJoin(nanos, next)
                && realisation.group(next).batch() == realisation.group(first).batch()
                && mayShareTask(frame, next)) {
            nanos += times.nanos(next);
            next++;
        }
        return next - 1;
    }

    /** Not with what waits for setup tasks: the rest would wait as well. */
    private boolean mayShareTask(Frame frame, int group) {
        return frame.plan().options().diagnostics().recording() != RecordingMode.STRESS
                && !frame.plan().hasSetups()
                && !frame.realisation().isOnHost(group)
                && !onCaller(frame, group);
    }

    private GraphEvent dispatchGroups(Frame frame, FrameSlot slot, int group, int last) {
        String name = frame.realisation().taskName(group, last);
        if (frame.realisation().isOnHost(group)) {
            GraphEvent nothing = tasks.event(name);
            nothing.trigger();
            return nothing;
        }
        if (onCaller(frame, group)) {
            return tasks.event(name);
        }
        TaskBody body = last == group
                ? slot.groupTask(group)
                : () -> {
                    for (int g = group; g <= last; g++) {
                        slot.groupTask(g).run();
                    }
                };
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
            @Nullable GraphEvent reached) {
        PlanRealisation realisation = frame.realisation();
        boolean empty = realisation.batchCount() == 0;
        String name = empty
                ? "submit nothing of " + frame.planName()
                : realisation.batch(batch).names().task(frame.planName());
        BatchTask body = new BatchTask(device, chain, frame, slot, batch, gap && batch == 0, reached);
        var task = tasks.task(name, body)
                .on(options.submitThread())
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .after(before);
        if (batch == 0) {
            task.after(newestSubmit);
        }
        if (!empty) {
            GraphEvent recorded = null;
            for (int group : realisation.batch(batch).groups()) {
                // Neighbours may share a task.
                if (groups.get(group) != recorded) {
                    recorded = groups.get(group);
                    task.after(recorded);
                }
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
            frame.setRefusal(tasks.task("frame " + frame.number() + " ended", frame::abandon)
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
        Exception failure = record(frame, slot, group);
        if (failure == null) {
            event.trigger();
        } else {
            event.fail(failure);
        }
    }

    /** Records a group on the calling thread. Returns the failure of the frame if that fails, else null. */
    private @Nullable Exception record(Frame frame, FrameSlot slot, int group) {
        try {
            if (frame.failure() == null) {
                setups.await(frame, group);
            }
            slot.groupTask(group).run();
            return null;
        } catch (Throwable failure) {
            return frame.fail(failure);
        }
    }
}
