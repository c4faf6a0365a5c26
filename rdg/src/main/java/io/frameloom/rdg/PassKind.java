package io.frameloom.rdg;

import io.frameloom.gpu.command.QueueKind;

/** What kind of commands a pass records, or that the host runs it; exactly one kind per pass. */
public enum PassKind {
    /** Draws into render targets; needs a graphics queue. */
    RASTER(QueueKind.GRAPHICS),
    /** Dispatches; needs a compute queue. */
    COMPUTE(QueueKind.COMPUTE),
    /** Copies, clears and fills outside of a render pass; needs a copy queue. */
    COPY(QueueKind.COPY),
    /**
     * Runs on the CPU at its place in the graph: after the work of the device that it depends on, before the work that
     * depends on it. Records no commands, and uses buffers in mapped memory alone. {@link RenderGraph#hostPass} begins
     * one.
     */
    HOST(QueueKind.COPY);

    private final QueueKind queue;

    PassKind(QueueKind queue) {
        this.queue = queue;
    }

    /**
     * Returns the least capable kind of queue that can execute such a pass, or the barriers that passes of the host
     * need.
     */
    public QueueKind queue() {
        return queue;
    }
}
