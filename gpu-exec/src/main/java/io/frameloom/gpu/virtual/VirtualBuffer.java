package io.frameloom.gpu.virtual;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** A buffer of the virtual device. */
final class VirtualBuffer extends VirtualResource implements Buffer {
    private final BufferDescription description;

    VirtualBuffer(
            VirtualDevice device,
            String name,
            BufferDescription description,
            VirtualMemory memory,
            @Nullable Placement placement) {
        super(device, name, memory, placement);
        this.description = description;
    }

    @Override
    public BufferDescription description() {
        return description;
    }

    @Override
    public ByteBuffer mapped() {
        ByteBuffer data = memory().mappedBytes();
        if (data == null) {
            throw new IllegalStateException(
                    "buffer '" + name() + "' lives in device memory and is not mapped; create it"
                            + " with MemoryUsage.UPLOAD or READBACK, or copy through such a buffer");
        }
        checkOpen("mapped");
        return data.duplicate().order(ByteOrder.nativeOrder()).clear();
    }

    void checkRange(long offset, long bytes, String action) {
        checkOpen(action);
        if (offset < 0 || bytes < 0 || offset + bytes > description.bytes()) {
            throw new IllegalArgumentException("bytes " + offset + " to " + (offset + bytes) + " are " + action
                    + ", but buffer '" + name() + "' has " + description.bytes());
        }
    }
}
