package io.frameloom.rdg.compile.plan;

import io.frameloom.rdg.compile.graph.Names;
import io.frameloom.rdg.compile.memory.HeapBound;

/**
 * What explains a plan and no frame needs. It comes from compiling the graph once more, which gives the same, in work
 * memory that is not used again. Immutable; any thread.
 *
 * @param c a compilation that has gone through all phases
 */
public record PlanReasons(Compilation c) {
    /** Returns the resources whose memory a resource takes over, in ascending order. */
    int[] takenOver(int resource) {
        return c.aliasing.takeovers.of(resource);
    }

    /** Returns the bytes that no placement of a heap can go below. */
    long bound(int heap) {
        return HeapBound.find(
                c.aliasing.heaps.get(heap),
                c.aliasing.placement.members(heap),
                c.aliasing.placement.bytes(),
                c.lifetimes,
                c.options.aliasing());
    }

    /** Returns why a barrier is there. */
    String ofBarrier(int box, Names names) {
        return c.barriers.reason(box, c.aliasing.takeovers, names);
    }
}
