package io.frameloom.taskgraph;

import io.frameloom.taskgraph.worker.BlockingRegion;
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
 * <p>Belongs to the thread that began it, and to the task. A region that is still open when its task ends is closed
 * then, with those inside it. It is reported to the {@link TaskGraphBuilder#uncaughtHandler uncaught handler} as {@code
 * blocking region 'name' of task 'task'}; the task itself does not fail by that. A body of a {@code parallelFor} or a
 * node of a compiled graph counts as a part of the task that runs it: the caller's, or that of a helper on another
 * worker, named after the loop or the graph. A broadcast is reported as one.
 */
public final class BlockingScope implements AutoCloseable {
    /** Null on a thread that is no worker of the graph: then nothing happens. */
    private final @Nullable BlockingRegion region;

    BlockingScope(@Nullable BlockingRegion region) {
        this.region = region;
    }

    /**
     * Ends the region; does nothing if it has ended. Does not block.
     *
     * @throws IllegalStateException if another thread began the region, or a region that was begun inside is still open
     */
    @Override
    public void close() {
        if (region != null) {
            region.close();
        }
    }
}
