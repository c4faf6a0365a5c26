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
 * <p>Belongs to the thread that began it.
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
                worker.graph.workers().spares().regionBegins(worker, name);
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
            own.graph.workers().spares().regionEnds(own, name);
        }
    }

    /** Ends what a task has left open. Returns the name of the outermost region. */
    static String closeAll(WorkerThread worker) {
        String last = "";
        for (BlockingScope scope = worker.region; scope != null; scope = worker.region) {
            last = scope.name;
            scope.close();
        }
        return last;
    }
}
