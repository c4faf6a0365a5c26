package io.frameloom.rdg.compile.plan;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.MemorySizer;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sizes that a plan was made with. So it can be compiled once more when its device is closed. One thread.
 *
 * @param limits says all but sizes; and those of shapes that only an order which was not taken has
 * @param known by description what placing each resource of it takes, in order of declaration; goes round
 */
record PlannedSizes(MemorySizer limits, Map<Object, Deque<MemoryRequirements>> known) implements MemorySizer {
    @Override
    public MemoryRequirements requirements(TextureDescription description) {
        MemoryRequirements planned = next(description);
        return planned == null ? limits.requirements(description) : planned;
    }

    @Override
    public MemoryRequirements requirements(BufferDescription description) {
        MemoryRequirements planned = next(description);
        return planned == null ? limits.requirements(description) : planned;
    }

    private @Nullable MemoryRequirements next(Object description) {
        Deque<MemoryRequirements> planned = known.get(description);
        if (planned == null) {
            return null;
        }
        MemoryRequirements next = planned.removeFirst();
        planned.addLast(next);
        return next;
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

    @Override
    public boolean readsOnTiles() {
        return limits.readsOnTiles();
    }
}
