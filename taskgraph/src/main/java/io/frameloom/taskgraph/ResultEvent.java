package io.frameloom.taskgraph;

import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.waiting.FutureAdapter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A launched task that computes a value; made by {@link TaskGraph#call} and {@link TaskGraph#fork(String, Callable)}.
 * Any thread may call any method.
 *
 * @param <T> type of the value
 */
public abstract sealed class ResultEvent<T extends @Nullable Object> {
    private final Task task;
    private @Nullable Callable<? extends T> callable;
    private @Nullable T value;

    /** The body, in the same object: keeps the value, and lets go of what computed it. The completion publishes both. */
    static final class Call<T extends @Nullable Object> extends ResultEvent<T> implements TaskBody {
        Call(GraphParts graph, String name, Callable<? extends T> callable) {
            super(graph, name, callable);
        }

        @Override
        public void run() throws Exception {
            compute();
        }
    }

    private ResultEvent(GraphParts graph, String name, Callable<? extends T> callable) {
        this.callable = callable;
        this.task = new Task(graph, name, (Call<T>) this);
    }

    final void compute() throws Exception {
        Callable<? extends T> work = callable;
        if (work != null) {
            callable = null;
            value = work.call();
        }
    }

    /** The task, to be launched. */
    final Task task() {
        return task;
    }

    /** The completion of the task, to be used as a prerequisite. */
    public GraphEvent event() {
        return task;
    }

    /**
     * The value of the completed task.
     *
     * @return what the callable returned
     * @throws IllegalStateException if the task is not complete
     * @throws TaskFailedException if the task failed
     */
    @SuppressWarnings("NullAway") // null only if the callable returned it, and then T admits it
    public T result() {
        if (!task.isComplete()) {
            throw new IllegalStateException("task '" + task.name()
                    + "' has no result yet; make the task that needs it depend on event(), or await() it");
        }
        task.throwIfFailed();
        return value;
    }

    /**
     * Launches a task on a worker that computes another value from this one, once it is there. If this task fails, the
     * other one fails without a call of the function, as after any failed prerequisite. {@link TaskGraph#call} has more
     * options.
     *
     * @param <R> type of the other value
     * @param name non-blank name of the task
     * @param function computes the value; what it throws becomes the failure of the task
     * @return completion and value of the task
     * @throws IllegalArgumentException if the name is blank
     * @throws TaskGraphClosedException if the graph was closed
     */
    public <R extends @Nullable Object> ResultEvent<R> thenApply(
            String name, Function<? super T, ? extends R> function) {
        return thenApply(name, WorkerLevel.NORMAL, function);
    }

    /** As {@link #thenApply(String, Function)}, on a worker level or named thread of choice. */
    public <R extends @Nullable Object> ResultEvent<R> thenApply(
            String name, ExecutionTarget target, Function<? super T, ? extends R> function) {
        Arguments.requiredName(name, "a task");
        Arguments.required(function, "function", "task", name);
        return new CallBuilder<R>(TaskGraph.newCall(GraphParts.of(task), name, () -> function.apply(result())))
                .on(target)
                .after(task)
                .dispatch();
    }

    /**
     * Waits for the value, in the way of {@link GraphEvent#await()}.
     *
     * @return what the callable returned
     * @throws TaskFailedException if the task failed
     */
    public T await() {
        task.await();
        return result();
    }

    /**
     * Waits at most the given time, as {@link #await()}.
     *
     * @return false if it passed first
     * @throws TaskFailedException if the task failed
     */
    public boolean await(Duration timeout) {
        return task.await(timeout);
    }

    /**
     * The value as a future, as {@link GraphEvent#toCompletableFuture()}.
     *
     * @return a new future
     */
    public CompletableFuture<T> toCompletableFuture() {
        return FutureAdapter.toFuture(task, this::result);
    }

    @Override
    public String toString() {
        return "ResultEvent[" + task + "]";
    }
}
