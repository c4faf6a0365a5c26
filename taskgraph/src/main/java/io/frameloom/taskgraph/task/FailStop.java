package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.TaskGraphStoppedException;
import io.frameloom.taskgraph.parts.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The end of a graph by an error in its own code. What the error left half done is not repaired: nothing more is
 * accepted or begun, and every wait and every later call fails with the first error.
 *
 * <p><b>Who calls what.</b> Each way into the code of a graph catches what comes out of it and calls {@link #by}: the
 * public methods for an {@code Error}, the loops of the graph's own threads for anything. Bodies, observers, handlers
 * and policies of the application are guarded where they are called; what its scheduler throws is an error of the graph
 * ({@link GuardedScheduler}). Any thread may call any method.
 *
 * <p><b>Protocol.</b> The error is stored in {@link GraphCore#error} where it is caught. Then every place where a
 * thread parks is released. A thread that is about to park announces that, passes a full fence and looks at {@link
 * #isStopped}: it sees the error, or is released. {@link io.frameloom.taskgraph.parts.ThreadParker#release} does not
 * look at what a cut wake-up left. If the stack or the memory ends before all are released, the next call of the graph
 * releases them, or the next of its threads that ends. A wait that is still not released sees the error when its next
 * stall report is due.
 */
public final class FailStop {
    private static final VarHandle FIRST =
            Fields.handle(MethodHandles.lookup(), FailStop.class, "first", Throwable.class);

    /** Something that is to fail if the graph stops. */
    public interface Stoppable {
        void stopped();
    }

    private final GraphCore graph;
    /** The error that every caller gets. */
    private volatile @Nullable Throwable first;
    /** Whether a thread has released all others, or is about to. */
    private volatile boolean released;
    /** Futures that events of the graph will complete. */
    private final Set<Stoppable> futures = ConcurrentHashMap.newKeySet();

    FailStop(GraphCore graph) {
        this.graph = graph;
    }

    public boolean isStopped() {
        return graph.error != null;
    }

    /** Throws if the graph has stopped. */
    void requireRunning() {
        TaskGraphStoppedException stopped = failure();
        if (stopped != null) {
            throw stopped;
        }
    }

    /** A new exception for the caller, or null while the graph runs. */
    public @Nullable TaskGraphStoppedException failure() {
        Throwable error = graph.error;
        return error == null ? null : by(error);
    }

    /** Stops the graph, unless it has stopped. Returns what the caller throws. */
    public TaskGraphStoppedException by(Throwable thrown) {
        if (thrown instanceof TaskGraphStoppedException follows && follows.getCause() == first) {
            return follows;
        }
        if (graph.error == null) {
            graph.error = thrown;
        }
        boolean isFirst = FIRST.compareAndSet(this, (Throwable) null, thrown);
        Throwable cut = null;
        if (!released) {
            // Before anything that takes memory.
            released = true;
            try {
                release();
            } catch (Throwable e) {
                // The next call tries again.
                released = false;
                cut = e;
            }
        }
        TaskGraphStoppedException stopped =
                new TaskGraphStoppedException(graph.name(), Objects.requireNonNull(first, "stored above"));
        if (cut != null) {
            stopped.addSuppressed(cut);
        }
        if (isFirst) {
            graph.reportUncaught("task graph " + graph.name(), stopped);
        }
        return stopped;
    }

    /** Runs what a thread of the graph has to do. Whatever comes out of it stops the graph. */
    public void guard(Runnable work) {
        try {
            work.run();
        } catch (Throwable e) {
            if (!(e instanceof TaskGraphStoppedException)) {
                graph.error = e;
            }
            by(e);
        } finally {
            if (isStopped()) {
                release();
            }
        }
    }

    /** Lets every thread that parks in the graph see that it has stopped. */
    private void release() {
        graph.releaseAll();
        for (Stoppable future : List.copyOf(futures)) {
            future.stopped();
        }
    }

    public void add(Stoppable future) {
        futures.add(future);
        if (isStopped()) {
            future.stopped();
        }
    }

    public void remove(Stoppable future) {
        futures.remove(future);
    }
}
