package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import org.jspecify.annotations.Nullable;

/**
 * Memory for one readback at a time, with the objects that record it. Guarded by the lock of its owner while it is in
 * its lists; a thread that takes it out has it alone.
 */
public final class ReadbackSlot implements AutoCloseable {
    private final Buffer buffer;
    private final FrameContext context;

    /** The point that must be reached before this is used again; null if it has not been used. */
    public @Nullable TimelinePoint busyUntil;

    /** Allocates memory of a size, or nothing at all. */
    public static ReadbackSlot open(GpuDevice device, String name, long bytes) {
        Buffer buffer = device.createBuffer(name, BufferDescription.readback(bytes));
        try {
            return new ReadbackSlot(buffer, device.createFrameContext(name));
        } catch (RuntimeException | Error e) {
            buffer.close();
            throw e;
        }
    }

    private ReadbackSlot(Buffer buffer, FrameContext context) {
        this.buffer = buffer;
        this.context = context;
    }

    public Buffer buffer() {
        return buffer;
    }

    public FrameContext context() {
        return context;
    }

    public long capacity() {
        return buffer.description().bytes();
    }

    /** Returns the value of the one queue that must be reached before this is used again, 0 for none. */
    public long busyValue() {
        TimelinePoint point = busyUntil;
        return point == null ? 0 : point.value();
    }

    public boolean isIdle() {
        TimelinePoint point = busyUntil;
        return point == null || point.queue().timeline().completed() >= point.value();
    }

    /** Frees the memory when the device does not write it any more. */
    @Override
    public void close() {
        // From the last to the first, whatever one of them throws.
        try (buffer;
                context) {
            TimelinePoint point = busyUntil;
            if (point != null) {
                Closing.awaitEnd(point);
            }
        }
    }
}
