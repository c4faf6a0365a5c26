package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.async.AsyncDecision;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.explain.ReportedWarnings;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraphStoppedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a plan, alone in its frame or with others. Events are set on the RENDER thread before the frame is
 * handed out; the first failure wins and stops what is not submitted. Any thread may read.
 */
public final class Frame implements CompiledPlan.Execution {
    /**
     * The events of a frame.
     *
     * @param completed the device has done, and the slot is free
     */
    record Events(GraphEvent recorded, GraphEvent submitted, GraphEvent completed) {}

    private final long number;
    private final String submitThread;
    private final CompiledPlan plan;
    private final PlanRealisation realisation;
    private final FrameImages images;
    private final @Nullable List<TimelinePoint> after;
    private final FrameSemaphores semaphores;
    private final FrameConditions conditions;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final FrameEnd end = new FrameEnd();
    private @Nullable Events events;
    /** The manual event of the device having done with the frame; its completion if it ends alone. */
    private @Nullable GraphEvent done;
    /** The newest point of each queue when all of the frame is submitted. */
    private List<TimelinePoint> newest = List.of();

    private List<GraphEvent> tasks = List.of();
    private List<GraphEvent> hostTasks = List.of();
    private @Nullable GraphEvent refusal;
    /** Null before the launch, of a frame that has failed, and once it has made the statistics. */
    private @Nullable FrameMeasurement measurement;

    private @Nullable FrameStatistics statistics;
    private @Nullable RuntimeException unreadable;
    private List<Consumer<@Nullable Exception>> sinks = List.of();
    private List<Runnable> afterwards = List.of();
    private @Nullable FrameTrace trace;
    private long begunNanos;
    private long startNanos;
    /** Guarded by itself. */
    private final List<PlanWarning> warnings = new ArrayList<>(0);

    private final ReportedWarnings reported;
    private @Nullable AsyncDecision decision;
    private @Nullable PlanStructure structure;
    private boolean settled;
    /** Whether nothing runs at its end. So nothing but {@link #isReleased} notes that end. */
    private boolean endsAlone;

    private volatile boolean released;
    private volatile @Nullable List<TimelinePoint> points;

    /**
     * A frame that is not launched.
     *
     * @param reported warnings of all frames
     */
    Frame(
            long number,
            String submitThread,
            CompiledPlan plan,
            PlanRealisation realisation,
            FrameImages images,
            FrameSemaphores semaphores,
            @Nullable List<TimelinePoint> after,
            FrameConditions conditions,
            ReportedWarnings reported) {
        this.number = number;
        this.submitThread = submitThread;
        this.plan = plan;
        this.realisation = realisation;
        this.images = images;
        this.semaphores = semaphores;
        this.after = after;
        this.conditions = conditions;
        this.reported = reported;
    }

    /** Returns the number of the frame, the same for all its graphs: the executor's first is 0. */
    @Override
    public long number() {
        return number;
    }

    String submitThread() {
        return submitThread;
    }

    /** Returns the event of all groups being recorded. */
    public GraphEvent recorded() {
        return events().recorded();
    }

    /** Returns the event of all batches being submitted. */
    public GraphEvent submitted() {
        return events().submitted();
    }

    /**
     * Returns the event of the device having done. If nothing runs at the end of the frame, this call ties it, see
     * {@link FrameEnd}: most frames are over before a thread looks at them.
     */
    public GraphEvent completed() {
        if (endsAlone && end.asked()) {
            try {
                tie();
            } catch (TaskGraphStoppedException stopped) {
                // A wait for the event says so.
            }
        }
        return events().completed();
    }

    /** Notes that all of it is submitted, and where the device has done it and all before it. The submit chain. */
    void submittedUntil(List<TimelinePoint> ofFrame, List<TimelinePoint> ofAll) {
        newest = ofAll;
        points = ofFrame;
        if (end.submitted(!endsAlone || failure.get() != null)) {
            tie();
        }
    }

    /** Lets the timelines of the device, and the passes of the host, complete the event. Once. */
    private void tie() {
        GraphEvent until = Objects.requireNonNull(done);
        for (TimelinePoint point : newest) {
            endWith(until, point);
        }
        for (GraphEvent task : hostTasks) {
            endWith(until, task);
        }
        Exception outcome = endsAlone ? failure.get() : null;
        if (outcome == null) {
            until.trigger();
        } else {
            until.fail(outcome);
        }
    }

    private void endWith(GraphEvent until, TimelinePoint point) {
        try {
            if (!point.queue().timeline().await(point.value(), Duration.ZERO)) {
                endWith(until, point.queue().timeline().reached(point.value()));
            }
        } catch (Throwable lost) {
            fail(lost);
        }
    }

    /** One that cannot be waited for keeps no other from it. */
    private void endWith(GraphEvent until, GraphEvent event) {
        try {
            until.dontCompleteUntil(event);
        } catch (Throwable refused) {
            fail(refused);
        }
    }

    /**
     * Returns what was measured, or null before {@link #completed}, and of a frame that has failed. The first call asks
     * the driver, unless the slot was taken again, and so may take long.
     *
     * @throws RdgException if the driver did not say
     */
    public synchronized @Nullable FrameStatistics statistics() {
        read(true);
        if (unreadable != null) {
            throw new RdgException(
                    "the times of frame " + number + " of plan '" + planName() + "' cannot be read", unreadable);
        }
        return statistics;
    }

    /** Measures a frame that has ended, once; before what it was recorded with is recycled. */
    @Override
    public synchronized void measure() {
        read(false);
    }

    private void read(boolean asked) {
        FrameMeasurement pending = measurement;
        if (pending == null || !isReleased()) {
            return;
        }
        boolean failed = failure.get() != null;
        try {
            if (!failed) {
                pending.read();
                statistics = asked || pending.isAwaited() ? pending.statistics() : null;
            }
        } catch (RuntimeException e) {
            unreadable = e;
        }
        if (failed || statistics != null || unreadable != null) {
            measurement = null;
        }
    }

    public List<PlanWarning> warnings() {
        synchronized (warnings) {
            return List.copyOf(warnings);
        }
    }

    /** Lets the times of the frame count for the decision that its plan was compiled by. Before it is launched. */
    public void countFor(AsyncDecision by, PlanStructure compiled) {
        decision = by;
        structure = compiled;
    }

    boolean isCounted() {
        return decision != null;
    }

    /** Hands out the times of the frame, two for each pass, if they were asked for; null if none are collected. */
    void count(long @Nullable [] nanos) {
        AsyncDecision by = decision;
        PlanStructure compiled = structure;
        if (by == null || compiled == null) {
            return;
        }
        if (nanos == null) {
            by.profile().unmeasured("the executor collects no timestamps");
        } else {
            by.profile().measured(compiled, by, nanos);
        }
    }

    /** Adds a warning, and reports it once for all frames. */
    void warn(PlanWarning warning) {
        synchronized (warnings) {
            warnings.add(warning);
        }
        reported.report(plan, warning);
    }

    /** Returns what became of presenting an image, or null if the frame has not presented it. */
    public @Nullable SwapchainStatus presented(SwapchainImage image) {
        return images.status(image);
    }

    /** Returns the native resource at an index of the plan, or null if no surviving pass uses it. */
    public @Nullable Resource resource(int index) {
        return realisation.resource(index);
    }

    /**
     * Returns whether a pass that runs writes a resource: one without a condition, or one whose condition holds. RENDER
     * thread, before the next frame is executed.
     */
    public boolean writes(int resource) {
        return conditions.isWritten(plan, resource);
    }

    /** Returns the failure of the frame, or null. */
    @Nullable
    Exception failure() {
        return failure.get();
    }

    boolean isLost() {
        return failure.get() instanceof DeviceLostException;
    }

    /**
     * Notes a failure and returns the first one, which is that of the frame. Later ones are suppressed in it; one that
     * has a root in common with one that was noted says nothing new.
     */
    Exception fail(Throwable cause) {
        Exception exception = cause instanceof Exception checked
                ? checked
                : new RdgException("frame " + number + " of plan '" + planName() + "' failed", cause);
        Exception first = failure.compareAndExchange(null, exception);
        if (first == null) {
            return exception;
        }
        Failures.suppress(first, exception);
        return first;
    }

    String planName() {
        return plan.name();
    }

    /** Returns the plan, whose bodies and extractions are the frame's own; its realisation may be another plan's. */
    public CompiledPlan plan() {
        return plan;
    }

    PlanRealisation realisation() {
        return realisation;
    }

    FrameImages images() {
        return images;
    }

    FrameSemaphores semaphores() {
        return semaphores;
    }

    /** Returns where the device has done the frame, or null before all of it is submitted. */
    public @Nullable List<TimelinePoint> points() {
        return points;
    }

    /** Returns what the frame waits for of that which the application has submitted; null for everything. */
    @Nullable
    List<TimelinePoint> after() {
        return after;
    }

    void setEvents(Events events) {
        this.events = events;
    }

    /** Says that recording and submission have failed, of a frame that the calling thread has submitted. */
    void setFailed(GraphEvent recorded, GraphEvent submitted) {
        events = new Events(recorded, submitted, events().completed());
    }

    /** Returns the event of the device having done with it, or null before the launch. */
    @Nullable
    GraphEvent done() {
        return done;
    }

    /** Gives the frame the event of the device having done with it. Before its tasks run. */
    void setDone(GraphEvent event) {
        done = event;
    }

    /** Says where the frame is shown, since when, and when its execution began. Before it is launched. */
    void setTrace(FrameTrace shown, long sinceNanos, long executedNanos) {
        trace = shown;
        begunNanos = sinceNanos;
        startNanos = executedNanos;
    }

    /** Says that the task which runs on the calling thread is for this frame. */
    void enter() {
        FrameTrace shown = trace;
        if (shown != null) {
            shown.enter(number);
        }
    }

    /** Says that the frame has ended, whether it failed or not. */
    void traceEnd() {
        FrameTrace shown = trace;
        if (shown != null) {
            shown.completed(this, begunNanos, startNanos);
        }
    }

    /** Says how to measure the frame. Before its tasks run. */
    synchronized void setMeasurement(FrameMeasurement how) {
        measurement = how;
    }

    /** Returns whether every task of the frame was dispatched. */
    boolean isLaunched() {
        return events != null;
    }

    /** Returns the event of a frame having settled that could not be launched, or null. RENDER thread only. */
    @Nullable
    GraphEvent refusal() {
        return refusal;
    }

    void setRefusal(GraphEvent event) {
        refusal = event;
    }

    /** Returns the events of everything dispatched so far for this frame. RENDER thread only. */
    List<GraphEvent> tasks() {
        return tasks;
    }

    void setTasks(List<GraphEvent> tasks) {
        this.tasks = tasks;
    }

    /** Adds the task of a pass of the host. RENDER thread, before the launch. */
    void addHostTask(GraphEvent task) {
        if (hostTasks.isEmpty()) {
            hostTasks = new ArrayList<>(1);
        }
        hostTasks.add(task);
    }

    /** Lets the end of the device's work be that of the frame, which has no sinks. Before its tasks run. */
    void setEndsAlone() {
        endsAlone = true;
    }

    boolean endsAlone() {
        return endsAlone;
    }

    /** Returns whether neither the device nor the host touches the frame's slot any more. */
    @Override
    public boolean isReleased() {
        if (!released && endsAlone && isOver()) {
            released = true;
        }
        return released;
    }

    /** Asks the timelines, since closing the task graph completes events as well. */
    private boolean isOver() {
        List<TimelinePoint> last = points;
        if (last == null) {
            return false;
        }
        try {
            for (int i = 0; i < last.size(); i++) {
                TimelinePoint point = last.get(i);
                if (!point.queue().timeline().await(point.value(), Duration.ZERO)) {
                    return false;
                }
            }
        } catch (DeviceLostException lost) {
            fail(lost);
        }
        return true;
    }

    /**
     * Adds a sink that is called when neither device nor host touch the frame's resources any more, with the failure of
     * the frame or null. Each sink is called once, whatever others throw; what they throw fails the frame. RENDER
     * thread, before the launch.
     */
    public void whenSettled(Consumer<@Nullable Exception> sink) {
        if (sinks.isEmpty()) {
            sinks = new ArrayList<>(1);
        }
        sinks.add(sink);
    }

    /**
     * Asks to run something slow, such as writing a file, after every sink was called. RENDER thread, before the
     * launch.
     */
    public void afterSettled(Runnable action) {
        if (afterwards.isEmpty()) {
            afterwards = new ArrayList<>(1);
        }
        afterwards.add(action);
    }

    /** Returns whether something runs at the end of the frame. RENDER thread, at the launch. */
    boolean hasSinks() {
        return !sinks.isEmpty() || !afterwards.isEmpty();
    }

    /** Runs the sinks and the actions that wait for the end of the frame. Called once, by what ends it. */
    void settle() {
        settled = true;
        Exception outcome = failure.get();
        for (Consumer<@Nullable Exception> sink : sinks) {
            guarded(() -> sink.accept(outcome));
        }
        for (Runnable action : afterwards) {
            guarded(action);
        }
    }

    void release() {
        released = true;
    }

    /** Ends a frame, with its failure, if its tasks do not. */
    void abandon() {
        if (!settled) {
            settle();
        }
        release();
    }

    /** One that throws keeps none from its turn. */
    private void guarded(Runnable action) {
        try {
            action.run();
        } catch (Throwable thrown) {
            fail(thrown);
        }
    }

    private Events events() {
        Events current = events;
        if (current == null) {
            throw new IllegalStateException("frame " + number + " was not launched");
        }
        return current;
    }
}
