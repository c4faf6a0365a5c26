package io.frameloom.taskgraph.jfr;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.RunObserver;
import io.frameloom.taskgraph.RunProfile;
import io.frameloom.taskgraph.StallExplanation;
import io.frameloom.taskgraph.StallListener;
import io.frameloom.taskgraph.TaskObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a graph does into the recordings of the JDK Flight Recorder.
 *
 * <pre>{@code
 * JfrObserver jfr = new JfrObserver();
 * TaskGraph graph = TaskGraph.builder()
 *         .observer(jfr)
 *         .stallWatchdog(Duration.ofSeconds(2), jfr)
 *         .build();
 * }</pre>
 *
 * <table>
 *   <caption>Events</caption>
 *   <tr><th>name</th><th>what</th><th>unless the recording says otherwise</th></tr>
 *   <tr><td>{@code frameloom.GraphRun}</td><td>a run of a compiled graph, with its critical path</td><td>on</td></tr>
 *   <tr><td>{@code frameloom.Stall}</td><td>a wait beyond the limit of the stall watchdog</td><td>on</td></tr>
 *   <tr><td>{@code frameloom.WorkerPark}</td><td>a worker or named thread was parked</td><td>from 1 ms</td></tr>
 *   <tr><td>{@code frameloom.TaskRun}</td><td>the body of a task or node ran</td><td>off</td></tr>
 * </table>
 *
 * <p>An event that no recording has enabled costs a branch. With {@code frameloom.GraphRun} on, every node of a
 * compiled graph is timed; {@code frameloom.TaskRun} costs about a tenth of a microsecond per task. One observer may
 * serve several graphs. All methods may be called from any thread. The times of tasks that run while their event is
 * switched on or off are not reliable.
 */
public final class JfrObserver implements TaskObserver, StallListener {
    private final ThreadLocal<Open> open = ThreadLocal.withInitial(Open::new);

    /** Events of one thread that have begun. */
    private static final class Open {
        final Deque<TaskRunEvent> tasks = new ArrayDeque<>();

        @Nullable
        WorkerParkEvent park;
    }

    /** An observer for any number of graphs. */
    public JfrObserver() {}

    @Override
    public void taskStarted(String task, ExecutionTarget target, int threadOrdinal) {
        TaskRunEvent event = new TaskRunEvent();
        if (event.isEnabled()) {
            begin(event, task, target);
        }
    }

    private void begin(TaskRunEvent event, String task, ExecutionTarget target) {
        event.name = task;
        event.target = target.toString();
        Deque<TaskRunEvent> tasks = open.get().tasks;
        TaskRunEvent outer = tasks.peek();
        event.inside = outer == null ? "" : outer.name;
        tasks.push(event);
        event.begin();
    }

    @Override
    public void taskFinished(String task, ExecutionTarget target, int threadOrdinal, @Nullable Throwable failure) {
        if (new TaskRunEvent().isEnabled()) {
            end(task, failure);
        }
    }

    /** Tasks of one thread nest; those above the given one ended while the event was off. */
    private void end(String task, @Nullable Throwable failure) {
        Deque<TaskRunEvent> tasks = open.get().tasks;
        TaskRunEvent event = tasks.poll();
        while (event != null && !event.name.equals(task)) {
            event = tasks.poll();
        }
        if (event == null) {
            return;
        }
        event.end();
        if (event.shouldCommit()) {
            event.failure = failure == null ? "" : failure.toString();
            event.commit();
        }
    }

    @Override
    public void threadParked(int threadOrdinal, @Nullable String waitingFor) {
        WorkerParkEvent event = new WorkerParkEvent();
        if (event.isEnabled()) {
            event.waitingFor = waitingFor == null ? "" : waitingFor;
            open.get().park = event;
            event.begin();
        }
    }

    @Override
    public void threadUnparked(int threadOrdinal) {
        if (new WorkerParkEvent().isEnabled()) {
            Open own = open.get();
            WorkerParkEvent event = own.park;
            own.park = null;
            if (event != null) {
                event.commit();
            }
        }
    }

    @Override
    public @Nullable RunObserver runStarted(String graph, int nodes) {
        GraphRunEvent event = new GraphRunEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return run -> commit(event, run);
    }

    private static void commit(GraphRunEvent event, RunProfile run) {
        event.end();
        if (!event.shouldCommit()) {
            return;
        }
        event.name = run.graph();
        event.nodes = run.nodes();
        event.nodesRun = run.nodesRun();
        event.threads = run.threads();
        event.runTime = run.durationNanos();
        event.busyTime = run.busyNanos();
        event.criticalPathLength = run.criticalPathNanos();
        event.criticalPath = String.join(" > ", run.criticalPath());
        event.failure = run.failure() == null ? "" : String.valueOf(run.failure());
        event.commit();
    }

    @Override
    public void stalled(Thread waiting, Duration waited, StallExplanation explanation) {
        StallEvent event = new StallEvent();
        if (event.shouldCommit()) {
            event.name = explanation.event();
            event.waiting = waiting;
            event.waited = waited.toNanos();
            event.cycle = explanation.isCycle();
            event.explanation = explanation.toString();
            event.commit();
        }
    }
}
