package io.frameloom.rdg;

import io.frameloom.gpu.QueueKind;

/** What kind of commands a pass records; exactly one kind per pass. */
public enum PassKind {
    /** Draws into render targets; needs a graphics queue. */
    RASTER(QueueKind.GRAPHICS),
    /** Dispatches; needs a compute queue. */
    COMPUTE(QueueKind.COMPUTE),
    /** Copies, clears and fills outside of a render pass; needs a copy queue. */
    COPY(QueueKind.COPY);

    private final QueueKind queue;

    PassKind(QueueKind queue) {
        this.queue = queue;
    }

    /** Returns the least capable kind of queue that can execute such a pass. */
    public QueueKind queue() {
        return queue;
    }
}
