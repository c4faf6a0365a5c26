package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.record.MappingRules;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.virtual.memory.VirtualMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A buffer of the virtual device. */
class VirtualBuffer extends VirtualResource implements Buffer {
    private final BufferDescription description;

    VirtualBuffer(
            SimulatedDevice device,
            String name,
            BufferDescription description,
            VirtualMemory memory,
            @Nullable Placement placement) {
        super(device, name, memory, placement);
        this.description = description;
    }

    /** Returns a buffer of the same name and size with memory of its own, of which nothing exists yet. */
    VirtualBuffer withoutMemory() {
        return new VirtualBuffer(device(), name(), description, emptyMemory(), null);
    }

    @Override
    public final BufferDescription description() {
        return description;
    }

    @Override
    public ByteBuffer mapped() {
        ByteBuffer data = memory().mappedBytes();
        MappingRules.whole(this, data != null);
        return Objects.requireNonNull(data)
                .duplicate()
                .order(ByteOrder.nativeOrder())
                .clear();
    }

    @Override
    public ByteBuffer mapped(long offset, int bytes) {
        ByteBuffer data = memory().mappedBytes();
        MappingRules.part(this, data != null, offset, bytes);
        return Objects.requireNonNull(data).slice((int) offset, bytes).order(ByteOrder.nativeOrder());
    }
}
