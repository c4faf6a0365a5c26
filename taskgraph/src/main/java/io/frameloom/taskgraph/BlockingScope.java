package io.frameloom.taskgraph;

import org.jspecify.annotations.Nullable;

/**
 * A region in which the calling worker may block outside of the graph, from {@link TaskGraph#beginBlocking} to {@link
 * #close()}. Regions nest; the outermost counts.
 *
 * <pre>{@code
 * try (BlockingScope scope = graph.beginBlocking("read " + path)) {
 *     bytes = Files.readAllBytes(path);
 * }
 * }</pre>
 *
 * <p>Belongs to the thread that began it, and to the task: a region that is still open when its task ends is closed
 * then, with those inside it, and reported to the {@link TaskGraphBuilder#uncaughtHandler uncaught handler} as {@code
 * blocking region 'name' of task 'task'}; the task itself does not fail by that. A body of a {@code parallelFor} counts as a
 * part of what runs it: the task of the caller, or the helper on another worker, named after the loop. So does a node of a
 * compiled graph: of the task that executes the graph, or of the helper, named after the graph. A broadcast is reported as one.
 */
public final class BlockingScope implements AutoCloseable {
    private final String name;
    /** Null on a thread that is no worker of the graph: then nothing happens. */
    private final @Nullable WorkerThread worker;

    private final @Nullable BlockingScope outer;
    private final boolean counts;
    private boolean closed;

    BlockingScope(String name, @Nullable WorkerThread worker) {
        this.name = name;
        this.worker = worker;
        this.outer = worker == null ? null : worker.region;
        this.counts = worker != null && outer == null && !worker.resting;
        if (worker != null) {
            worker.region = this;
            if (counts) {
                try {
                    worker.graph.workers().spares().regionBegins(worker, name);
                } catch (Error e) {
                    worker.graph.error = e;
                    throw worker.graph.stopped(e);
                }
            }
        }
    }

    /** The name of the innermost region in which the thread is, or null; any thread may ask. */
    static @Nullable String openOn(Thread thread) {
        BlockingScope scope = thread instanceof WorkerThread worker ? worker.region : null;
        return scope == null ? null : scope.name;
    }

    /**
     * Ends the region; does nothing if it has ended. Does not block.
     *
     * @throws IllegalStateException if the calling thread is another one than that which began the region, or a
     *     region that was begun inside is still open
     */
    @Override
    public void close() {
        WorkerThread own = worker;
        if (own == null || closed) {
            return;
        }
        if (Thread.currentThread() != own) {
            throw new IllegalStateException("blocking region '" + name + "' of thread " + own.getName()
                    + " cannot be closed by thread " + Thread.currentThread().getName()
                    + "; close it where it was begun");
        }
        BlockingScope innermost = own.region;
        if (innermost != this) {
            throw new IllegalStateException("blocking region '" + name + "' cannot be closed before '"
                    + (innermost == null ? "" : innermost.name) + "', which was begun inside it");
        }
        closed = true;
        own.region = outer;
        if (counts) {
            try {
                own.graph.workers().spares().regionEnds(own, name);
            } catch (Error e) {
                own.graph.error = e;
                throw own.graph.stopped(e);
            }
        }
    }

    /**
     * Ends the regions that a task has left open on its thread, and reports them.
     *
     * @param before the innermost region that was open when the task began: that of a task which waits on this thread
     */
    static void closeLeftOpen(WorkerThread worker, @Nullable BlockingScope before, String task) {
        String outermost = null;
        for (BlockingScope scope = worker.region;
                scope != null && !scope.isSameOrAround(before);
                scope = worker.region) {
            outermost = scope.name;
            scope.close();
        }
        if (outermost != null) {
            worker.graph.reportLeftOpen(
                    "blocking region '" + outermost + "' of " + task,
                    new IllegalStateException(task + " ended inside its blocking region '" + outermost
                            + "', which was closed for it; close the region in the task, best by try-with-resources"));
        }
    }

    /** A task may have closed a region of the one that waits on its thread: then those around it are left. */
    private boolean isSameOrAround(@Nullable BlockingScope inner) {
        for (BlockingScope scope = inner; scope != null; scope = scope.outer) {
            if (scope == this) {
                return true;
            }
        }
        return false;
    }
}
