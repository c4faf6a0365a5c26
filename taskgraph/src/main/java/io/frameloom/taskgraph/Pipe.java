package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.Arguments;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A serial lane without a thread: its tasks never overlap and run in the order in which they were launched,
 * each on the target of its own. It takes the place of a lock around a resource, or of a named thread that
 * would only be there to keep an order; no worker ever blocks for it. Obtained from {@link TaskGraph#pipe}.
 *
 * <pre>{@code
 * Pipe uploads = graph.pipe("uploads");
 * uploads.task("mesh", this::uploadMesh).after(meshLoaded).dispatch();
 * uploads.task("texture", this::uploadTexture).dispatch();    // runs after "mesh"
 * }</pre>
 *
 * <p><b>Order.</b> That of the calls of {@link TaskBuilder#dispatch()}, {@link TaskBuilder#hold()} and
 * {@link TaskBuilder#fireAndForget()}. A task whose prerequisites are not complete, or that is held, keeps
 * its place, and those launched later wait behind it: the order never depends on timing. The priority of a
 * task matters once its turn has come. What a task did is visible to the next.
 *
 * <p><b>End of a turn.</b> The next task may start when the {@link GraphEvent} of the one before is
 * complete, children included ({@link GraphEvent#dontCompleteUntil}), whether it failed, was skipped or
 * succeeded. Waiting from inside a task for a later task of the same pipe cannot end and is refused.
 *
 * <p>All methods may be called from any thread. After the graph was closed launching throws
 * {@link TaskGraphClosedException}; tasks that wait for their turn then fail with it in order.
 *
 * <p><b>Algorithm.</b> The queue of the MCS lock (Mellor-Crummey, Scott: "Algorithms for scalable
 * synchronization on shared-memory multiprocessors") with continuations in place of spinning threads.
 *
 * <pre>
 *   tail: null (idle) | last task          task.next: null | following task | ENDED
 * </pre>
 *
 * <p>A launcher exchanges {@code tail}; finding null it starts its task, otherwise it links itself to the
 * task before. A task that ends looks for its follower; without one it takes itself off the tail, and if
 * that fails, because a launcher has exchanged the tail and is about to link, it leaves ENDED in
 * {@code next}. Whichever of the two updates {@code next} second starts the follower: it is started once.
 * <b>Linearization.</b> A launch at its exchange of {@code tail}; a hand-over at the second
 * compare-and-set of {@code next}; becoming idle at the compare-and-set of {@code tail}. <b>Memory
 * order.</b> All are volatile read-modify-writes, so what an ending task wrote is visible to the thread
 * that starts the next. <b>Progress.</b> Every operation is wait-free.
 */
public final class Pipe {
    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(Pipe.class, "tail", PipedTask.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final TaskGraph graph;
    private final String name;
    private volatile @Nullable PipedTask tail;

    Pipe(TaskGraph graph, String name) {
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
        PipedTask piped = new PipedTask(graph, this, body);
        return new TaskBuilder(new Task(graph, name, piped), piped);
    }

    /**
     * The name of this pipe.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Whether every task launched in this pipe so far is complete. Out of date at once if others launch.
     *
     * @return true if none is left
     */
    public boolean isIdle() {
        PipedTask last = tail;
        return last == null || last.task().isComplete();
    }

    /**
     * An event that completes when every task launched in this pipe before this call is complete. It
     * succeeds even if some of them fail.
     *
     * @return the event
     * @throws TaskGraphClosedException if the graph was closed
     */
    public GraphEvent whenIdle() {
        PipedTask last = tail;
        return new TaskBuilder(new Task(graph, name + " idle", null))
                .after(last == null ? null : last.task())
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .dispatch();
    }

    @Nullable
    PipedTask exchangeTail(PipedTask last) {
        return (PipedTask) TAIL.getAndSet(this, last);
    }

    /** Makes the pipe idle if the given task is still the last. */
    boolean tryBecomeIdle(PipedTask last) {
        return TAIL.compareAndSet(this, last, (PipedTask) null);
    }

    @Override
    public String toString() {
        return "Pipe[" + name + (isIdle() ? ", idle]" : ", busy]");
    }
}
