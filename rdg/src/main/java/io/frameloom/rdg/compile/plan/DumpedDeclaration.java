package io.frameloom.rdg.compile.plan;

import io.frameloom.gpu.command.Access;
import io.frameloom.rdg.compile.graph.KnownPasses;
import io.frameloom.rdg.compile.graph.KnownResources;
import io.frameloom.rdg.compile.memory.Aliasing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What decided about a plan and is in no other part of it. A dump with it gives the same plan again. Any thread.
 */
public final class DumpedDeclaration {
    private final KnownPasses passes;
    private final KnownResources resources;
    private final Aliasing aliasing;

    public DumpedDeclaration(KnownPasses passes, KnownResources resources, Aliasing aliasing) {
        this.passes = passes;
        this.resources = resources;
        this.aliasing = aliasing;
    }

    /** Returns the passes that a pass was declared to come after. */
    public List<Integer> after(int pass) {
        return pass < passes.count() ? passes.after(pass) : List.of();
    }

    /** Returns the queue that a pass names, or -1. */
    public int queue(int pass) {
        return pass < passes.count() ? passes.queue(pass) : -1;
    }

    /** Returns the access that a resource is left ready for, or null for any. */
    public @Nullable Access finalAccess(int resource) {
        return resources.finalAccess(resource);
    }

    /** Returns whether a resource belongs to one queue family at a time. */
    public boolean isExclusive(int resource) {
        return resources.isExclusive(resource);
    }

    /**
     * Returns whether the contents of a resource are not needed after the frame, though it is not of the frame alone.
     */
    public boolean isDiscardedAfter(int resource) {
        return resources.isDiscardedAfter(resource);
    }

    /** Returns the resources whose memory a resource takes over, in ascending order. */
    public int[] takenOver(int resource) {
        return aliasing.takeovers.of(resource);
    }

    /** Returns the alignment of a resource that is in a heap. */
    public long alignment(int resource) {
        return aliasing.alignment(resource);
    }

    /** Returns the memory types that a resource in a heap could be in. */
    public int memoryTypes(int resource) {
        return aliasing.memoryTypes(resource);
    }
}
