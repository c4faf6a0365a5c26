package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import org.jspecify.annotations.Nullable;

/**
 * What the host needs of a write of the device before it touches the same bytes, besides having waited for it: a
 * barrier whose second scope names the host's stage. Both of its accesses make the write available to the host, and
 * only reading makes it visible ("Availability, Visibility, and Domain Operations" in the Vulkan specification).
 */
enum HostNeed {
    /** To be visible to the host, which reads what was written, or writes into it and keeps the rest. */
    VISIBLE(MemoryAccess.HOST_READ.bit(), MemoryAccess.HOST_READ.bit()),
    /** To be available to the host, which writes over it: a write that is not may land after the host's own. */
    AVAILABLE(MemoryAccess.HOST_WRITE.bit(), MemoryAccess.mask(MemoryAccess.HOST_READ, MemoryAccess.HOST_WRITE));

    private final int named;
    private final int enough;

    HostNeed(int named, int enough) {
        this.named = named;
        this.enough = enough;
    }

    /** Returns what a use needs of writes of the device, null if it is not by the host. */
    static @Nullable HostNeed of(ResourceUse use) {
        if (use.access() == Access.HOST_WRITE && use.discard()) {
            return AVAILABLE;
        }
        return use.access() == Access.HOST_READ || use.access() == Access.HOST_WRITE ? VISIBLE : null;
    }

    boolean isIn(int destinationStages, int destinationAccess) {
        return (destinationStages & PipelineStage.HOST.bit()) != 0 && (destinationAccess & enough) != 0;
    }

    /** Returns whether a barrier that gives {@code other} gives this, too. */
    boolean comesWith(HostNeed other) {
        return this == other || this == AVAILABLE;
    }

    /** Explains that no barrier gives this for a write, and which one would. */
    String missing(int writeStages) {
        return ", which no barrier makes "
                + (this == VISIBLE ? "visible" : "available")
                + " to the host, whatever it waits for"
                + (this == VISIBLE ? "" : ", so that it may land after what the host writes")
                + "; add a barrier from " + Scopes.describe(writeStages) + " to "
                + PipelineStage.describe(PipelineStage.HOST.bit()) + " / " + MemoryAccess.describe(named);
    }
}
