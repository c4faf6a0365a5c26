package io.frameloom.rdg.compile;

import java.util.Arrays;

/** Barriers to be, each for one cell; {@link Barriers} joins those of neighbouring cells. */
final class BarrierDrafts {
    private static final int POINT = 0;
    private static final int SRC_STAGES = 1;
    private static final int SRC_ACCESS = 2;
    private static final int DST_STAGES = 3;
    private static final int DST_ACCESS = 4;
    private static final int LAYOUTS = 5;
    private static final int FIELDS = 6;

    /** Cell of each draft. */
    final IntList cell;
    /** Epoch after each draft, -1 for the end of the frame. */
    final IntList epoch;

    private int[] fields;

    /** No drafts, but room for so many. */
    BarrierDrafts(int capacity) {
        cell = new IntList(capacity);
        epoch = new IntList(capacity);
        fields = new int[FIELDS * Math.max(1, capacity)];
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
        int at = FIELDS * cell.size();
        if (at == fields.length) {
            fields = Arrays.copyOf(fields, 2 * at);
        }
        cell.add(ofCell);
        epoch.add(beforeEpoch);
        fields[at + POINT] = 2 * atNode + (afterNode ? 1 : 0);
        fields[at + SRC_STAGES] = fromStages;
        fields[at + SRC_ACCESS] = fromAccess;
        fields[at + DST_STAGES] = toStages;
        fields[at + DST_ACCESS] = toAccess;
        fields[at + LAYOUTS] = fromLayout << Short.SIZE | toLayout;
    }

    /** Returns twice the node, and one more behind it. */
    int point(int draft) {
        return fields[FIELDS * draft + POINT];
    }

    int node(int draft) {
        return point(draft) >> 1;
    }

    int srcStages(int draft) {
        return fields[FIELDS * draft + SRC_STAGES];
    }

    int srcAccess(int draft) {
        return fields[FIELDS * draft + SRC_ACCESS];
    }

    int dstStages(int draft) {
        return fields[FIELDS * draft + DST_STAGES];
    }

    int dstAccess(int draft) {
        return fields[FIELDS * draft + DST_ACCESS];
    }

    int oldLayout(int draft) {
        return fields[FIELDS * draft + LAYOUTS] >> Short.SIZE;
    }

    int newLayout(int draft) {
        return (short) fields[FIELDS * draft + LAYOUTS];
    }

    /** Says anew what must have happened. */
    void source(int draft, int stages, int access) {
        fields[FIELDS * draft + SRC_STAGES] = stages;
        fields[FIELDS * draft + SRC_ACCESS] = access;
    }

    /** Returns whether two drafts ask for the same, each of its own cell. */
    boolean alike(int a, int b) {
        for (int field = SRC_STAGES; field < FIELDS; field++) {
            if (fields[FIELDS * a + field] != fields[FIELDS * b + field]) {
                return false;
            }
        }
        return true;
    }
}
