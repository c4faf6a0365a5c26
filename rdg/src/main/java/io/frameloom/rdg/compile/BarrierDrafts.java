package io.frameloom.rdg.compile;

/** Barriers to be, each for one cell; {@link Barriers} joins those of neighbouring cells. */
final class BarrierDrafts {
    final IntList cell = new IntList(64);
    /** Epoch after the barrier, -1 for the end of the frame. */
    final IntList epoch = new IntList(64);

    final IntList node = new IntList(64);
    final IntList after = new IntList(64);
    final IntList srcStages = new IntList(64);
    final IntList srcAccess = new IntList(64);
    final IntList dstStages = new IntList(64);
    final IntList dstAccess = new IntList(64);
    final IntList oldLayout = new IntList(64);
    final IntList newLayout = new IntList(64);

    int size() {
        return cell.size();
    }

    /** Adds the barrier of a cell before or after a node. */
    void put(
            int ofCell,
            int beforeEpoch,
            int atNode,
            boolean afterNode,
            int fromStages,
            int fromAccess,
            int toStages,
            int toAccess,
            int fromLayout,
            int toLayout) {
        cell.add(ofCell);
        epoch.add(beforeEpoch);
        node.add(atNode);
        after.add(afterNode ? 1 : 0);
        srcStages.add(fromStages);
        srcAccess.add(fromAccess);
        dstStages.add(toStages);
        dstAccess.add(toAccess);
        oldLayout.add(fromLayout);
        newLayout.add(toLayout);
    }
}
