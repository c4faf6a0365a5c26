package io.frameloom.taskgraph;

import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.task.Completer;
import io.frameloom.taskgraph.task.ManualEvent;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.waiting.Awaiting;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A scope whose tasks end with it: none runs after {@link #close()} has returned. Made by {@link TaskGraph#group}.
 *
 * <pre>{@code
 * try (TaskGroup group = graph.group("visible")) {
 *     for (Node child : root.children()) {
 *         group.fork("cull", () -> cull(child, group)); // which may fork into the group, too
 *     }
 * } // waits for all of them, throws if one failed
 * }</pre>
 *
 * <p><b>Threads.</b> The thread that made the group owns it: a worker, a named thread or any other, virtual ones
 * included. Only that thread joins and closes it. The owner forks into it until it joins, the tasks of the group as long
 * as they run. A thread that is neither must have forked before the owner joins. A group inside a task of another group
 * is a group of its own, and ends first.
 *
 * <p><b>Waiting.</b> The owner waits as in {@link GraphEvent#await()}: a worker runs tasks of the group meanwhile, its
 * newest first, and nothing else. An interrupt does not cut the wait short and is kept.
 *
 * <p><b>Failures.</b> A task that fails does not stop the others: all run to their ends. Then {@link #join()} or {@link
 * #close()} throws the first failure, with the others suppressed, whether or not code has seen them before. If the body
 * of the {@code try} statement throws, the tasks are waited for all the same, and their failure is suppressed in what it
 * threw. To stop early, let bodies ask a {@link CancellationToken}.
 *
 * <p>After "Structured Concurrency" (JEP 505) and {@code task_group} of oneTBB.
 */
public final class TaskGroup implements AutoCloseable {
    private final GraphParts graph;
    /** Completes with its children, which are the tasks. */
    private final ManualEvent all;

    private final Thread owner = Thread.currentThread();
    /** What the owner was in when it made the group, or null. A task of the group is another one. */
    private final @Nullable Task maker;

    /** Of the owner. */
    private boolean joined;

    TaskGroup(GraphParts graph, String name) {
        this.graph = graph;
        this.all = new ManualEvent(graph, name, null);
        this.maker = currentTask();
    }

    private @Nullable Task currentTask() {
        Completer context = graph.currentContext();
        return context == null ? null : context.currentTask();
    }

    /**
     * Launches a task of this group, as {@link TaskGraph#fork(String, TaskBody)}. The owner may call until it joins, a
     * task of the group while it runs, and another thread before the owner joins.
     *
     * @param name non-blank name, shown in errors and traces
     * @param body the work
     * @return the completion of the task; the group waits for it in any case
     * @throws IllegalArgumentException if the name is blank
     * @throws IllegalStateException if the group has ended
     * @throws TaskGraphClosedException if the graph was closed
     */
    public GraphEvent fork(String name, TaskBody body) {
        return TaskGraph.launch(TaskGraph.newTask(graph, name, body), all);
    }

    /**
     * Launches a task of this group that computes a value, as {@link TaskGraph#fork(String, Callable)}. A lambda that has
     * a value picks this form, and so does one that only throws. The threads of {@link #fork(String, TaskBody)} may call.
     *
     * @param <T> type of the value
     * @param name non-blank name, shown in errors and traces
     * @param callable the work
     * @return completion and value of the task
     * @throws IllegalArgumentException if the name is blank
     * @throws IllegalStateException if the group has ended
     * @throws TaskGraphClosedException if the graph was closed
     */
    public <T extends @Nullable Object> ResultEvent<T> fork(String name, Callable<? extends T> callable) {
        ResultEvent.Call<T> call = TaskGraph.newCall(graph, name, callable);
        TaskGraph.launch(call.task(), all);
        return call;
    }

    /**
     * Ends the group: waits for all its tasks. The owner only. {@link #close()} has nothing left to do then.
     *
     * @throws TaskFailedException if a task failed: names the first that did; further failures are suppressed
     *     exceptions
     * @throws IllegalStateException if the calling thread is not the owner, or is inside a task of this group; the group
     *     has not ended then
     */
    public void join() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("group '" + all.name() + "' belongs to thread '" + owner.getName()
                    + "', not to '" + Thread.currentThread().getName() + "'; join and close it where it was made");
        }
        if (!all.isTriggered()) {
            if (currentTask() != maker) {
                Awaiting.requireCanEnd(all);
            }
            all.trigger();
        }
        Awaiting.awaitForks(all);
        joined = true;
        Throwable failure = all.failure();
        if (failure != null) {
            throw failed(failure);
        }
    }

    private TaskFailedException failed(Throwable failure) {
        Throwable first = failure.getCause();
        if (!(failure instanceof PrerequisiteFailedException ofTask) || first == null) {
            return new TaskFailedException("group", all.name(), failure);
        }
        TaskFailedException thrown = new TaskFailedException("task", ofTask.origin(), first);
        for (Throwable further : failure.getSuppressed()) {
            thrown.addSuppressed(further);
        }
        return thrown;
    }

    /**
     * Ends the group as {@link #join()}, unless that has returned or thrown.
     *
     * @throws TaskFailedException as {@link #join()}
     * @throws IllegalStateException as {@link #join()}
     */
    @Override
    public void close() {
        if (!joined) {
            join();
        }
    }

    @Override
    public String toString() {
        return "TaskGroup[" + all.name() + (joined ? ", ended]" : "]");
    }
}
