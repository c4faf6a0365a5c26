package io.frameloom.taskgraph;

import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.task.PipedTask;
import io.frameloom.taskgraph.task.Task;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A serial lane without a thread: its tasks never overlap and run in the order of their launch, each on its own target.
 * It replaces a lock around a resource, or a named thread that would only keep an order. No worker ever blocks for it.
 * Obtained from {@link TaskGraph#pipe}.
 *
 * <pre>{@code
 * Pipe uploads = graph.pipe("uploads");
 * uploads.task("mesh", this::uploadMesh).after(meshLoaded).dispatch();
 * uploads.task("texture", this::uploadTexture).dispatch();    // runs after "mesh"
 * }</pre>
 *
 * <p><b>Order.</b> That of the calls of {@link TaskBuilder#dispatch()}, {@link TaskBuilder#hold()} and {@link
 * TaskBuilder#fireAndForget()}. A task that is held, or whose prerequisites are not complete, keeps its place, and
 * later tasks wait for it: the order never depends on timing. The priority of a task matters once its turn has come.
 * What a task did is visible to the next.
 *
 * <p><b>End of a turn.</b> The next task may start when the {@link GraphEvent} of the one before is complete, children
 * included ({@link GraphEvent#dontCompleteUntil}). It does not matter whether it failed, was skipped or succeeded. A
 * task that waits for a later task of the same pipe would never end; such a wait is refused.
 *
 * <p>All methods may be called from any thread. After the graph was closed launching throws
 * {@link TaskGraphClosedException}; tasks that wait for their turn then fail with it in order.
 */
public final class Pipe {
    private final GraphParts graph;
    private final String name;
    /** The task that was launched last, or null if the pipe is idle. */
    private final AtomicReference<@Nullable PipedTask> tail = new AtomicReference<>();

    Pipe(GraphParts graph, String name) {
        this.graph = graph;
        this.name = name;
    }

    /**
     * Begins a task of this pipe.
     *
     * @param name non-blank name of the task
     * @param body the work
     * @return a builder for the rest
     * @throws IllegalArgumentException if the name is blank
     */
    public TaskBuilder task(String name, TaskBody body) {
        Arguments.requiredName(name, "a task");
        Arguments.required(body, "body", "task", name);
        PipedTask piped = new PipedTask(graph, tail, body);
        return new TaskBuilder(new Task(graph, name, piped), piped);
    }

    /** The name of this pipe. */
    public String name() {
        return name;
    }

    /**
     * Whether every task launched in this pipe so far is complete. Out of date at once if others launch.
     *
     * @return true if none is left
     */
    public boolean isIdle() {
        PipedTask last = tail.get();
        return last == null || last.task().isComplete();
    }

    /**
     * An event that completes when every task launched in this pipe before this call is complete. It
     * succeeds even if some of them fail.
     *
     * @throws TaskGraphClosedException if the graph was closed
     */
    public GraphEvent whenIdle() {
        PipedTask last = tail.get();
        return new TaskBuilder(new Task(graph, name + " idle", null))
                .after(last == null ? null : last.task())
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .dispatch();
    }

    @Override
    public String toString() {
        return "Pipe[" + name + (isIdle() ? ", idle]" : ", busy]");
    }
}
