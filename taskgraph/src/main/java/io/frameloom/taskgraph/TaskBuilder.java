package io.frameloom.taskgraph;

import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a task needs, then launches it with exactly one of {@link #dispatch()}, {@link #hold()}
 * and {@link #fireAndForget()}.
 *
 * <p>Used by one thread, once. Obtained from {@link TaskGraph#task}.
 */
public final class TaskBuilder {
    private final TaskGraph graph;
    private final String name;
    private final @Nullable TaskBody body;
    private @Nullable ExecutionTarget target = WorkerLevel.NORMAL;
    private @Nullable NamedLane lane;
    private boolean high;
    private FailurePolicy policy = FailurePolicy.SKIP;
    private GraphEvent[] prerequisites = Task.NO_EVENTS;
    private int count;
    private boolean used;

    TaskBuilder(TaskGraph graph, String name, @Nullable TaskBody body) {
        this.graph = graph;
        this.name = name;
        this.body = body;
        if (body == null) {
            target = null;
        }
    }

    /**
     * Adds prerequisites: the body runs after all of them are complete. May be called several times;
     * duplicates are allowed.
     *
     * @param events the prerequisites; null entries are ignored
     * @return this
     * @throws IllegalArgumentException if an event belongs to another graph
     */
    public TaskBuilder after(@Nullable GraphEvent... events) {
        Objects.requireNonNull(events, "events");
        for (GraphEvent event : events) {
            add(event);
        }
        return this;
    }

    /**
     * Adds prerequisites, as {@link #after(GraphEvent...)}.
     *
     * @param events the prerequisites; null entries are ignored
     * @return this
     * @throws IllegalArgumentException if an event belongs to another graph
     */
    public TaskBuilder after(Collection<? extends @Nullable GraphEvent> events) {
        Objects.requireNonNull(events, "events");
        for (GraphEvent event : events) {
            add(event);
        }
        return this;
    }

    /**
     * Sets where the task runs; {@link WorkerLevel#NORMAL} unless set.
     *
     * @param target a worker level, a named thread or its local queue
     * @return this
     */
    public TaskBuilder on(ExecutionTarget target) {
        this.target = Objects.requireNonNull(target, "target");
        this.lane = graph.lanes().of(target);
        return this;
    }

    /**
     * Sets the priority among the tasks of the same target; {@link TaskPriority#NORMAL} unless set.
     *
     * @param priority the priority
     * @return this
     */
    public TaskBuilder priority(TaskPriority priority) {
        this.high = Objects.requireNonNull(priority, "priority") == TaskPriority.HIGH;
        return this;
    }

    /**
     * Sets what happens when a prerequisite fails; {@link FailurePolicy#SKIP} unless set.
     *
     * @param policy the policy
     * @return this
     */
    public TaskBuilder onPrerequisiteFailure(FailurePolicy policy) {
        this.policy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /**
     * Launches the task: it runs as soon as its prerequisites are complete.
     *
     * @return the completion of the task
     * @throws TaskGraphClosedException if the graph was closed
     * @throws IllegalStateException if this builder was used before
     */
    public GraphEvent dispatch() {
        return eventOf(launch(true, false));
    }

    /**
     * Sets the task up without letting it start.
     *
     * @return the held task
     * @throws TaskGraphClosedException if the graph was closed
     * @throws IllegalStateException if this builder was used before
     */
    public HeldTask hold() {
        Task task = launch(true, true);
        HeldTask held = new HeldTask(graph, task, eventOf(task));
        graph.roots().add(held);
        if (graph.isClosing()) {
            // The closing thread may have looked at the roots before this one was among them.
            held.failByClose();
        }
        return held;
    }

    /**
     * Launches the task without an event. Its failure goes to the graph's
     * {@link TaskGraph.Builder#uncaughtHandler uncaught handler}.
     *
     * @throws TaskGraphClosedException if the graph was closed
     * @throws IllegalStateException if this builder was used before
     */
    public void fireAndForget() {
        launch(false, false);
    }

    private void add(@Nullable GraphEvent event) {
        if (event == null) {
            return;
        }
        graph.requireOwn(event, "a prerequisite of task '" + name + "'");
        if (count == prerequisites.length) {
            prerequisites = Arrays.copyOf(prerequisites, Math.max(1, count * 2));
        }
        prerequisites[count++] = event;
    }

    private static GraphEvent eventOf(Task task) {
        return Objects.requireNonNull(task.event, "a tracked task has an event");
    }

    /**
     * Sets the task up. A held task keeps the set-up lock. With exactly one prerequisite the lock is not
     * needed: its registration is the last step, and whoever completes it starts the task.
     */
    private Task launch(boolean tracked, boolean held) {
        if (used) {
            throw new IllegalStateException(
                    "the builder of task '" + name + "' was used already; call TaskGraph.task for another task");
        }
        used = true;
        graph.requireOpen(name);
        graph.reached(SchedulingPoint.DISPATCH, name);
        GraphEvent[] events = count == prerequisites.length ? prerequisites : Arrays.copyOf(prerequisites, count);
        boolean locked = held || count != 1;
        TaskSpec spec = new TaskSpec(graph, name, body, target, lane, high, policy);
        Task task = new Task(spec, events, count + (locked ? 1 : 0), tracked);
        int done = 0;
        for (GraphEvent event : events) {
            if (!event.addSubsequent(task)) {
                task.noteFailure(event);
                done++;
            }
        }
        graph.reached(SchedulingPoint.COUNT, name);
        if (!locked) {
            if (done == 1) {
                graph.launch(task);
            }
        } else if (!held) {
            if (count == 0 || task.complete(done + 1)) {
                graph.launch(task);
            }
        } else if (done > 0) {
            task.complete(done);
        }
        return task;
    }
}
