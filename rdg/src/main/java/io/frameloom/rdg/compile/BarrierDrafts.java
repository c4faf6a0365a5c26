package io.frameloom.rdg.compile;

/** Barriers to be, each for one cell; {@link Barriers} joins those of neighbouring cells. */
final class BarrierDrafts {
    final IntList cell;
    /** Epoch after the barrier, -1 for the end of the frame. */
    final IntList epoch;

    final IntList node;
    final IntList after;
    final IntList srcStages;
    final IntList srcAccess;
    final IntList dstStages;
    final IntList dstAccess;
    final IntList oldLayout;
    final IntList newLayout;

    /** No drafts, but room for so many. */
    BarrierDrafts(int capacity) {
        cell = new IntList(capacity);
        epoch = new IntList(capacity);
        node = new IntList(capacity);
        after = new IntList(capacity);
        srcStages = new IntList(capacity);
        srcAccess = new IntList(capacity);
        dstStages = new IntList(capacity);
        dstAccess = new IntList(capacity);
        oldLayout = new IntList(capacity);
        newLayout = new IntList(capacity);
    }

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
