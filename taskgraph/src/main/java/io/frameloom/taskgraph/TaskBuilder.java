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
    private final Task task;
    private int count;
    /** The first prerequisite until there is a second one. */
    private @Nullable GraphEvent first;

    private GraphEvent @Nullable [] several;
    private boolean used;

    TaskBuilder(Task task) {
        this.task = task;
    }

    /**
     * Adds a prerequisite: the body runs after it is complete. May be called several times; duplicates
     * are allowed.
     *
     * @param event the prerequisite; null is ignored
     * @return this
     * @throws IllegalArgumentException if the event belongs to another graph
     */
    public TaskBuilder after(@Nullable GraphEvent event) {
        add(event);
        return this;
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
        requireUnused();
        task.target = Objects.requireNonNull(target, "target");
        task.lane = target instanceof WorkerLevel ? null : task.graph().lanes().of(target);
        return this;
    }

    /**
     * Sets the priority among the tasks of the same target; {@link TaskPriority#NORMAL} unless set.
     *
     * @param priority the priority
     * @return this
     */
    public TaskBuilder priority(TaskPriority priority) {
        requireUnused();
        task.high = Objects.requireNonNull(priority, "priority") == TaskPriority.HIGH;
        return this;
    }

    /**
     * Sets what happens when a prerequisite fails; {@link FailurePolicy#SKIP} unless set.
     *
     * @param policy the policy
     * @return this
     */
    public TaskBuilder onPrerequisiteFailure(FailurePolicy policy) {
        requireUnused();
        task.policy = Objects.requireNonNull(policy, "policy");
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
        launch(false);
        return task;
    }

    /**
     * Sets the task up without letting it start.
     *
     * @return the held task
     * @throws TaskGraphClosedException if the graph was closed
     * @throws IllegalStateException if this builder was used before
     */
    public HeldTask hold() {
        launch(true);
        TaskGraph graph = task.graph();
        HeldTask held = new HeldTask(graph, task);
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
        requireUnused();
        task.tracked = false;
        launch(false);
    }

    private void add(@Nullable GraphEvent event) {
        if (event == null) {
            return;
        }
        requireUnused();
        if (event.graph() != task.graph()) {
            task.graph().requireOwn(event, "a prerequisite of task '" + task.name() + "'");
        }
        if (count == 0) {
            first = event;
        } else {
            addFurther(event);
        }
        count++;
    }

    private void addFurther(GraphEvent event) {
        GraphEvent[] events = several;
        if (events == null) {
            events = new GraphEvent[4];
            events[0] = first;
            several = events;
        } else if (count == events.length) {
            events = Arrays.copyOf(events, count * 2);
            several = events;
        }
        events[count] = event;
    }

    private void requireUnused() {
        if (used) {
            throw new IllegalStateException(
                    "the builder of task '" + task.name() + "' was used already; call TaskGraph.task for another task");
        }
    }

    /**
     * Sets the task up. A held task keeps the set-up lock. With exactly one prerequisite the lock is not
     * needed: its registration is the last step, and whoever completes it starts the task.
     */
    private void launch(boolean held) {
        requireUnused();
        used = true;
        TaskGraph graph = task.graph();
        graph.requireOpen(task.name());
        graph.reached(SchedulingPoint.DISPATCH, task.name());
        GraphEvent[] events = several;
        if (events != null) {
            launchBehind(events, held);
        } else if (first != null) {
            launchBehind(first, held);
        } else if (!held) {
            task.setOutstanding(0);
            graph.launch(task);
        }
    }

    private void launchBehind(GraphEvent event, boolean held) {
        task.setPrerequisites(event);
        if (held) {
            task.setOutstanding(2);
        }
        if (!event.addFirst(task)) {
            task.noteFailure(event);
            if (task.releaseLock()) {
                task.graph().launch(task);
            }
        }
    }

    /** Guards race 4, completion against set-up: the count of the set-up is the last to go. */
    private void launchBehind(GraphEvent[] events, boolean held) {
        task.setPrerequisites(events);
        task.setOutstanding(count + 1);
        int done = held ? 0 : 1;
        for (int i = 0; i < count; i++) {
            GraphEvent event = events[i];
            if (!(i == 0 ? event.addFirst(task) : event.addSubsequent(task))) {
                task.noteFailure(event);
                done++;
            }
        }
        task.graph().reached(SchedulingPoint.COUNT, task.name());
        if (done > 0 && task.release(done)) {
            task.graph().launch(task);
        }
    }
}
