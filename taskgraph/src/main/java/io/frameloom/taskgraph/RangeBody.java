package io.frameloom.taskgraph;

/**
 * The body of {@link TaskGraph#parallelFor}: processes one contiguous piece of the index range.
 *
 * <p>Called concurrently from several threads with disjoint ranges that together cover
 * {@code [0, count)} exactly once.
 */
@FunctionalInterface
public interface RangeBody {
    /**
     * Processes the indices {@code fromInclusive .. toExclusive - 1}.
     *
     * @param fromInclusive first index
     * @param toExclusive one past the last index; greater than {@code fromInclusive}
     * @param slot index in {@code [0, TaskGraph.slotCount())} that no other body of the same
     *     {@code parallelFor} uses at the same time: use it to address per-participant scratch memory
     */
    void run(int fromInclusive, int toExclusive, int slot);
}
