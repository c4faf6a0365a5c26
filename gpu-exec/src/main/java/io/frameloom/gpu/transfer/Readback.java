package io.frameloom.gpu.transfer;

import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.transfer.staging.ReadbackSlot;
import io.frameloom.taskgraph.GraphEvent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Bytes on their way from the device. Any thread; close it when they have been read. */
public final class Readback implements AutoCloseable {
    private final Readbacks owner;
    private final ReadbackSlot slot;
    private final String name;
    private final int bytes;
    private final TimelinePoint point;
    private final GraphEvent event;
    private boolean closed;

    Readback(Readbacks owner, ReadbackSlot slot, String name, int bytes, TimelinePoint point) {
        this.owner = owner;
        this.slot = slot;
        this.name = name;
        this.bytes = bytes;
        this.point = point;
        this.event = point.queue().timeline().reached(point.value());
    }

    /** Returns the event that completes when the bytes are there, a prerequisite like any other. */
    public GraphEvent event() {
        return event;
    }

    /** Returns the point at which the bytes are there. */
    public TimelinePoint point() {
        return point;
    }

    /**
     * Returns the bytes, read-only, native order, valid until this is closed.
     *
     * @throws IllegalStateException if they are not there yet, or this is closed
     * @throws DeviceLostException if they never come, since the device was lost before
     */
    public synchronized ByteBuffer bytes() {
        if (closed) {
            throw new IllegalStateException("the readback of '" + name + "' is closed");
        }
        if (point.queue().timeline().completed() < point.value()) {
            if (event.failure() instanceof DeviceLostException lost) {
                throw lost;
            }
            throw new IllegalStateException("the readback of '" + name + "' has not arrived; wait for its event first");
        }
        return slot.buffer().mapped().slice(0, bytes).asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    /** Gives the memory back, at once or as soon as the device has written it; a second call does nothing. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        owner.release(slot, point);
    }
}
