package io.frameloom.gpu.transfer;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.TimelinePoint;
import org.jspecify.annotations.Nullable;

/**
 * Memory for one readback at a time, with what records it. Guarded by the lock of its owner.
 */
final class ReadbackSlot implements AutoCloseable {
    private final Buffer buffer;
    private final FrameContext context;

    /** The point that must be reached before this is used again; null if it has not been used. */
    @Nullable
    TimelinePoint busyUntil;

    ReadbackSlot(Buffer buffer, FrameContext context) {
        this.buffer = buffer;
        this.context = context;
    }

    Buffer buffer() {
        return buffer;
    }

    FrameContext context() {
        return context;
    }

    long capacity() {
        return buffer.description().bytes();
    }

    boolean isIdle() {
        TimelinePoint point = busyUntil;
        return point == null || point.queue().timeline().completed() >= point.value();
    }

    @Override
    public void close() {
        context.close();
        buffer.close();
    }
}
