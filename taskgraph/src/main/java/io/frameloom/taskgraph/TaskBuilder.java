package io.frameloom.taskgraph;

import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.named.NamedLane;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.task.Admission;
import io.frameloom.taskgraph.task.BoundTokens;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.HeldStart;
import io.frameloom.taskgraph.task.InheritedBindings;
import io.frameloom.taskgraph.task.PolicyEdge;
import io.frameloom.taskgraph.task.PriorityInheritance;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.TaskThread;
import io.frameloom.taskgraph.waiting.DelayTimer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a task needs, then launches it with exactly one of {@link #dispatch()}, {@link #hold()}
 * and {@link #fireAndForget()}.
 *
 * <p>Used by one thread, once. Obtained from {@link TaskGraph#task}.
 */
public final class TaskBuilder {
    private static final int USED = -1;

    private final Task task;
    /** Of the prerequisites; {@link #USED} from the launch on. */
    private int count;
    /** The first prerequisite until there is a second one. */
    private @Nullable CoreEvent first;

    private CoreEvent @Nullable [] several;

    /** Null for most tasks. */
    private @Nullable Rarities rare;

    /** What few tasks are given. */
    private static final class Rarities {
        @Nullable
        Admission admission;
        /** By prerequisite, where one has a policy of its own; shorter or null otherwise. */
        @Nullable
        FailurePolicy @Nullable [] policies;

        @Nullable
        BoundTokens tokens;

        long delayNanos;
    }

    TaskBuilder(Task task) {
        this.task = task;
    }

    /** A task that needs to be let in, too; that is also its body. */
    TaskBuilder(Task task, Admission admission) {
        this.task = task;
        rare().admission = admission;
    }

    private Rarities rare() {
        Rarities known = rare;
        if (known == null) {
            known = new Rarities();
            rare = known;
        }
        return known;
    }

    private @Nullable Admission admission() {
        return rare == null ? null : rare.admission;
    }

    /**
     * Adds a prerequisite: the body runs after it is complete. May be called several times; duplicates are allowed.
     *
     * @param event the prerequisite; null is ignored
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
     * @throws IllegalArgumentException if an event belongs to another graph
     */
    public TaskBuilder after(@Nullable GraphEvent... events) {
        required(events, "events");
        makeRoom(events.length);
        for (GraphEvent event : events) {
            add(event);
        }
        return this;
    }

    /**
     * Adds prerequisites, as {@link #after(GraphEvent...)}.
     *
     * @param events the prerequisites; null entries are ignored
     * @throws IllegalArgumentException if an event belongs to another graph
     */
    public TaskBuilder after(Collection<? extends @Nullable GraphEvent> events) {
        required(events, "events");
        makeRoom(events.size());
        for (GraphEvent event : events) {
            add(event);
        }
        return this;
    }

    /**
     * Adds prerequisites with a policy of their own. The policy is that of the edge: the same event may have another
     * one for another task.
     *
     * @param policy what their outcome means
     * @param events the prerequisites; null entries are ignored
     * @throws IllegalArgumentException if an event belongs to another graph
     */
    public TaskBuilder after(FailurePolicy policy, @Nullable GraphEvent... events) {
        required(policy, "policy");
        required(events, "events");
        makeRoom(events.length);
        for (GraphEvent event : events) {
            if (event != null) {
                add(event);
                setPolicy(count - 1, policy);
            }
        }
        return this;
    }

    private void setPolicy(int index, FailurePolicy policy) {
        Rarities given = rare();
        @Nullable FailurePolicy[] known = given.policies;
        if (known == null) {
            known = new FailurePolicy[index + 4];
        } else if (index >= known.length) {
            known = Arrays.copyOf(known, 2 * index);
        }
        known[index] = policy;
        given.policies = known;
    }

    private FailurePolicy policyOf(int index) {
        @Nullable FailurePolicy[] known = rare == null ? null : rare.policies;
        FailurePolicy own = known == null || index >= known.length ? null : known[index];
        return own == null ? task.policy() : own;
    }

    /**
     * Sets where the task runs; {@link WorkerLevel#NORMAL} unless set.
     *
     * @param target a worker level, a named thread or its local queue
     */
    public TaskBuilder on(ExecutionTarget target) {
        requireUnused();
        required(target, "target");
        NamedLane lane = target instanceof WorkerLevel
                ? null
                : GraphParts.of(task).lanes().of(target);
        task.setPlace(target, lane, task.isHigh());
        return this;
    }

    /** Sets the priority among the tasks of the same target; {@link TaskPriority#NORMAL} unless set. */
    public TaskBuilder priority(TaskPriority priority) {
        requireUnused();
        boolean high = required(priority, "priority") == TaskPriority.HIGH;
        task.setPlace(task.target, task.lane, high);
        return this;
    }

    /** Sets the policy for prerequisites that have none of their own; {@link FailurePolicy#SKIP} unless set. */
    public TaskBuilder onPrerequisiteFailure(FailurePolicy policy) {
        requireUnused();
        task.setPolicy(required(policy, "policy"));
        return this;
    }

    /**
     * Lets a token decide whether the task runs. If the token is cancelled before the start, the task fails with {@link
     * TaskCancelledException} when it would have started. It does not wait for the end of a {@link #delay} then. May be
     * called several times; any of the tokens is enough.
     */
    public TaskBuilder cancelledBy(CancellationToken token) {
        requireUnused();
        Rarities given = rare();
        given.tokens = new BoundTokens(required(token, "token").state, given.tokens);
        return this;
    }

    /**
     * Sets the shortest time from the launch of the task to its start; none unless set. The time runs while the task
     * waits for its prerequisites or its release. It ends early if a token of the task is cancelled. Closing the graph
     * meanwhile fails the task.
     *
     * @param delay the time, not negative
     * @throws IllegalArgumentException if the delay is negative
     */
    public TaskBuilder delay(Duration delay) {
        requireUnused();
        rare().delayNanos = DelayTimer.nanosOf(delay, task.kind(), task.name());
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
     * @throws TaskGraphClosedException if the graph was closed
     * @throws IllegalStateException if this builder was used before
     */
    public HeldTask hold() {
        launch(true);
        GraphCore graph = task.graph();
        HeldStart held = new HeldStart(graph, task, admission());
        try {
            graph.roots().add(held);
            if (graph.isClosing()) {
                // The closing thread may have looked at the roots before this one was among them.
                held.failByClose();
            }
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
        return held;
    }

    /**
     * Launches the task without an event. Its failure goes to the graph's
     * {@link TaskGraphBuilder#uncaughtHandler uncaught handler}.
     *
     * @throws TaskGraphClosedException if the graph was closed
     * @throws IllegalStateException if this builder was used before
     */
    public void fireAndForget() {
        requireUnused();
        Admission admission = admission();
        if (admission == null) {
            task.setUntracked();
        } else {
            admission.reportFailure();
        }
        launch(false);
    }

    private void add(@Nullable GraphEvent given) {
        if (given == null) {
            return;
        }
        requireUnused();
        CoreEvent event = (CoreEvent) given;
        if (event.graph() != task.graph()) {
            task.graph().requireOwn(event, "a prerequisite of", task);
        }
        if (count == 0) {
            first = event;
        } else {
            addFurther(event);
        }
        count++;
    }

    private void addFurther(CoreEvent event) {
        CoreEvent[] events = several;
        if (events == null || count == events.length) {
            events = grow(count + Math.max(count, 3));
        }
        if (count == 1) {
            events[0] = first;
        }
        events[count] = event;
    }

    /**
     * For so many further prerequisites. At first no more: the task keeps the array until it starts. An array that is
     * there grows by half at least, so that many calls copy each prerequisite a few times only.
     */
    private void makeRoom(int further) {
        int needed = count + further;
        if (several == null) {
            if (needed > 1) {
                grow(needed);
            }
        } else if (needed > several.length) {
            grow(Math.max(needed, several.length + several.length / 2));
        }
    }

    private CoreEvent[] grow(int capacity) {
        CoreEvent[] events = several == null ? new CoreEvent[capacity] : Arrays.copyOf(several, capacity);
        several = events;
        return events;
    }

    private <T> T required(@Nullable T value, String parameter) {
        return Arguments.required(value, parameter, task.kind(), task.name());
    }

    private void requireUnused() {
        if (count == USED) {
            throw new IllegalStateException(
                    "the builder of task '" + task.name() + "' was used already; call TaskGraph.task for another task");
        }
    }

    /**
     * Sets the task up. A held task keeps the set-up lock. With exactly one prerequisite the lock is not
     * needed: its registration is the last step, and the thread that completes it starts the task.
     */
    private void launch(boolean held) {
        requireUnused();
        GraphCore graph = task.graph();
        graph.requireOpen(task.name());
        try {
            setUp(graph, held);
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
    }

    private void setUp(GraphCore graph, boolean held) {
        graph.callBegins(SchedulingPoint.DISPATCH, task.name());
        Rarities given = rare;
        if (given != null && given.delayNanos > 0) {
            add(GraphParts.of(task).timer().after(task.name() + " delay", given.delayNanos, given.tokens));
        }
        int needed = count;
        count = USED;
        InheritedBindings bindings = TaskThread.inherited();
        if (given != null && given.tokens != null) {
            task.cancelledBy(given.tokens);
        }
        if (bindings != null) {
            task.inherit(bindings);
        }
        if ((given != null && (given.admission != null || given.policies != null))
                || task.policy() == FailurePolicy.RUN_ON_FAILURE) {
            launchGuarded(needed, held);
            return;
        }
        CoreEvent[] events = several;
        if (events != null && needed > 1) {
            launchAfter(events, needed, held);
        } else if (first != null) {
            launchAfter(first, held);
        } else if (!held) {
            task.setOutstanding(0);
            graph.launch(task);
        }
    }

    private void launchAfter(CoreEvent event, boolean held) {
        task.setPrerequisites(event);
        if (held) {
            task.setOutstanding(2);
        }
        if (!event.addSubsequent(task)) {
            task.noteFailure(event);
            if (task.releaseLock()) {
                task.graph().launch(task);
            }
        } else {
            task.graph().inheritance().inherit(event, task.urgency());
        }
    }

    /**
     * Sets up a task with an admission or with policies of its prerequisites. One count is kept to the end:
     * that of the set-up, which the admission takes over.
     */
    private void launchGuarded(int needed, boolean held) {
        CoreEvent[] events = prerequisites(needed);
        task.setPrerequisites(events);
        task.setOutstanding(needed + (held ? 2 : 1));
        for (int i = 0; i < needed; i++) {
            FailurePolicy policy = policyOf(i);
            boolean plain = policy == task.policy() && policy != FailurePolicy.RUN_ON_FAILURE;
            if (!events[i].addSubsequent(plain ? task : new PolicyEdge(task, policy))) {
                task.prerequisiteMet(events[i], policy);
            }
        }
        Admission guard = admission();
        if (guard != null) {
            guard.takeCharge(task, events, held, task.graph().completer());
        } else if (task.releaseLock()) {
            task.graph().launch(task);
        }
        task.graph().inheritance().inheritAll(task);
    }

    private CoreEvent[] prerequisites(int needed) {
        CoreEvent[] events = several;
        if (events != null && needed > 1) {
            return Arrays.copyOf(events, needed);
        }
        return first == null ? CoreEvent.NO_EVENTS : new CoreEvent[] {first};
    }

    /** Guards race 4, completion against set-up: the count of the set-up is the last to go. */
    private void launchAfter(CoreEvent[] events, int needed, boolean held) {
        task.setPrerequisites(events);
        task.setOutstanding(needed + 1);
        int done = held ? 0 : 1;
        for (int i = 0; i < needed; i++) {
            CoreEvent event = events[i];
            if (!event.addSubsequent(task)) {
                task.noteFailure(event);
                done++;
            }
        }
        task.graph().reached(SchedulingPoint.COUNT, task.name());
        if (done > 0 && task.release(done)) {
            task.graph().launch(task);
            return;
        }
        PriorityInheritance inheritance = task.graph().inheritance();
        for (int i = 0; i < needed; i++) {
            inheritance.inherit(events[i], task.urgency());
        }
    }
}
