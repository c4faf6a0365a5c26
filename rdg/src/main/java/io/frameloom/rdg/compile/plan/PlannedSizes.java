package io.frameloom.rdg.compile.plan;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.MemorySizer;
import java.util.Map;

/**
 * The sizes that a plan was made with. So it can be compiled once more when its device is closed. Immutable.
 *
 * @param limits says all but sizes; and those of shapes that only an order which was not taken has
 * @param known by description what placing a resource of it takes
 */
record PlannedSizes(MemorySizer limits, Map<Object, MemoryRequirements> known) implements MemorySizer {
    @Override
    public MemoryRequirements requirements(TextureDescription description) {
        MemoryRequirements planned = known.get(description);
        return planned == null ? limits.requirements(description) : planned;
    }

    @Override
    public MemoryRequirements requirements(BufferDescription description) {
        MemoryRequirements planned = known.get(description);
        return planned == null ? limits.requirements(description) : planned;
    }

    @Override
    public long maxHeapBytes() {
        return limits.maxHeapBytes();
    }

    @Override
    public int maxColorAttachments() {
        return limits.maxColorAttachments();
    }

    @Override
    public boolean lazyMemory() {
        return limits.lazyMemory();
    }
}
