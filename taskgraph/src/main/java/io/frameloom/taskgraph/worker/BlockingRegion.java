package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.BlockingScope;
import org.jspecify.annotations.Nullable;

/** The {@link BlockingScope} of a worker. Regions of a worker form a stack, the innermost is in the worker's field. */
public final class BlockingRegion {
    private final String name;
    private final WorkerThread worker;

    private final @Nullable BlockingRegion outer;
    private final boolean counts;
    private boolean closed;

    public BlockingRegion(String name, WorkerThread worker) {
        this.name = name;
        this.worker = worker;
        this.outer = worker.region;
        this.counts = outer == null && !worker.resting;
        worker.region = this;
        if (counts) {
            try {
                worker.pool.spares().regionBegins(worker, name);
            } catch (Error e) {
                worker.graph.error = e;
                throw worker.graph.stopped(e);
            }
        }
    }

    /** The name of the innermost region of the thread, or null; any thread may ask. */
    public static @Nullable String openOn(Thread thread) {
        BlockingRegion scope = thread instanceof WorkerThread worker ? worker.region : null;
        return scope == null ? null : scope.name;
    }

    /** As {@link BlockingScope#close}. */
    public void close() {
        WorkerThread own = worker;
        if (closed) {
            return;
        }
        if (Thread.currentThread() != own) {
            throw new IllegalStateException("blocking region '" + name + "' of thread " + own.getName()
                    + " cannot be closed by thread " + Thread.currentThread().getName()
                    + "; close it where it was begun");
        }
        BlockingRegion innermost = own.region;
        if (innermost != this) {
            throw new IllegalStateException("blocking region '" + name + "' cannot be closed before '"
                    + (innermost == null ? "" : innermost.name) + "', which was begun inside it");
        }
        closed = true;
        own.region = outer;
        if (counts) {
            try {
                own.pool.spares().regionEnds(own, name);
            } catch (Error e) {
                own.graph.error = e;
                throw own.graph.stopped(e);
            }
        }
    }

    /**
     * Ends the regions that a task has left open on its thread, and reports them.
     *
     * @param before the innermost region that was open when the task began: that of a task that waits on this thread
     */
    static void closeLeftOpen(WorkerThread worker, @Nullable BlockingRegion before, String task) {
        String outermost = null;
        for (BlockingRegion scope = worker.region;
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

    /** A task may have closed a region of the task that waits on its thread: then those around it are left. */
    private boolean isSameOrAround(@Nullable BlockingRegion inner) {
        for (BlockingRegion scope = inner; scope != null; scope = scope.outer) {
            if (scope == this) {
                return true;
            }
        }
        return false;
    }
}
