package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.record.BuiltContents;
import io.frameloom.gpu.record.RecordedStructure;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.virtual.memory.Mix;
import io.frameloom.gpu.virtual.memory.VirtualMemory;
import org.jspecify.annotations.Nullable;

/** An acceleration structure of the virtual device: its contents are a hash of what it was built of. */
final class VirtualAccelerationStructure extends VirtualBuffer implements RecordedStructure {
    private static final long ADDRESSES = 0xACCE1E8A7EL;
    private static final long BYTES_OF_PRIMITIVE = 64;

    private final Level level;
    private final BuiltContents built = new BuiltContents();

    VirtualAccelerationStructure(
            SimulatedDevice device, String name, BufferDescription description, Level level, VirtualMemory memory) {
        super(device, name, description, memory, null);
        this.level = level;
    }

    static Sizes sizes(long primitives) {
        long bytes = aligned((primitives + 2) * BYTES_OF_PRIMITIVE);
        return new Sizes(bytes, bytes, bytes);
    }

    static long measured(AccelerationStructure structure, QueryKind kind) {
        long bytes = structure.description().bytes();
        return kind == QueryKind.COMPACTED_BYTES ? aligned(bytes / 2) : bytes;
    }

    private static long aligned(long bytes) {
        return (bytes + VirtualCapabilities.ALIGNMENT - 1) & -VirtualCapabilities.ALIGNMENT;
    }

    static BoundResource range(AccelerationStructure structure) {
        return new BoundResource.BufferRange(
                structure, 0, structure.description().bytes());
    }

    @Override
    public Level level() {
        return level;
    }

    /** Depends on the name alone, so that instances are the same in each run. */
    @Override
    public long address() {
        requireOpen("asked for its address");
        return Mix.mix(ADDRESSES, name());
    }

    @Override
    public BuiltContents built() {
        return built;
    }

    @Override
    public @Nullable Resource firstClosed() {
        return built.firstClosed();
    }
}
