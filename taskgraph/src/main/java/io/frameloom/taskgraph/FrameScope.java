package io.frameloom.taskgraph;

import io.frameloom.taskgraph.parts.FramePhase;
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
    private static final VarHandle ENDED;

    static {
        try {
            ENDED = MethodHandles.lookup().findVarHandle(FrameScope.class, "ended", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final FramePhase phase;

    @SuppressWarnings("unused") // accessed through ENDED
    private volatile boolean ended;

    FrameScope(FramePhase phase) {
        this.phase = phase;
        phase.begin();
    }

    /** Ends the frame; does nothing if it has ended. Any thread. */
    @Override
    public void close() {
        if (ENDED.compareAndSet(this, false, true)) {
            phase.end();
        }
    }
}
