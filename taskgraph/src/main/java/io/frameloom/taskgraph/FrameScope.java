package io.frameloom.taskgraph;

import io.frameloom.taskgraph.parts.Fields;
import io.frameloom.taskgraph.parts.PaddedLong;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A frame in progress, from {@link TaskGraph#beginFrame()} to {@link #close()}. Frames may nest and overlap.
 *
 * <pre>{@code
 * try (FrameScope frame = graph.beginFrame()) {
 *     simulate();
 *     draw.execute();
 * }
 * }</pre>
 */
public final class FrameScope implements AutoCloseable {
    private static final VarHandle ENDED =
            Fields.handle(MethodHandles.lookup(), FrameScope.class, "ended", boolean.class);

    private final PaddedLong frames;

    @SuppressWarnings("unused") // accessed through ENDED
    private volatile boolean ended;

    FrameScope(PaddedLong frames) {
        this.frames = frames;
        frames.getAndAdd(1L);
    }

    /** Ends the frame; does nothing if it has ended. Any thread. */
    @Override
    public void close() {
        if (ENDED.compareAndSet(this, false, true)) {
            frames.getAndAdd(-1L);
        }
    }
}
