package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.StateMerge;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Barriers to be, each for one cell; {@link Barriers} joins those of neighbouring cells. */
final class BarrierDrafts {
    private static final int POINT = 0;
    private static final int SRC_STAGES = 1;
    private static final int SRC_ACCESS = 2;
    private static final int DST_STAGES = 3;
    private static final int DST_ACCESS = 4;
    private static final int LAYOUTS = 5;
    private static final int FIELDS = 6;
    private static final int MORE = 8;
    private static final int NONE = -1;

    private final int[] epochCell;
    /** Epoch after each draft, which has its cell, or the complement of its cell at the end of the frame. */
    private final IntList epoch;

    private int[] fields;
    /** By draft one more than the queue families of a transfer; of none after the last that has any. */
    private int[] families = {};
    /** By draft one more than the other half of a transfer; as many. */
    private int[] otherHalves = {};

    /** No drafts, but room for one before each epoch and a few more. */
    BarrierDrafts(StateMerge states) {
        int capacity = states.epochs() + MORE;
        epochCell = states.epochCell;
        epoch = new IntList(capacity);
        fields = new int[FIELDS * capacity];
    }

    int size() {
        return epoch.size();
    }

    /** Returns the cell of a draft. */
    int cell(int draft) {
        int position = epoch.get(draft);
        return position < 0 ? ~position : epochCell[position];
    }

    /** Returns the epoch after a draft, -1 for the end of the frame. */
    int epoch(int draft) {
        return Math.max(NONE, epoch.get(draft));
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
        int at = FIELDS * epoch.size();
        if (at == fields.length) {
            fields = Arrays.copyOf(fields, 2 * at);
        }
        epoch.add(beforeEpoch < 0 ? ~ofCell : beforeEpoch);
        fields[at + POINT] = 2 * atNode + (afterNode ? 1 : 0);
        fields[at + SRC_STAGES] = fromStages;
        fields[at + SRC_ACCESS] = fromAccess;
        fields[at + DST_STAGES] = toStages;
        fields[at + DST_ACCESS] = toAccess;
        fields[at + LAYOUTS] = fromLayout << Short.SIZE | toLayout;
    }

    /** Makes the last two drafts the release and the acquire of one transfer between queue families. */
    void transfer(int fromFamily, int toFamily) {
        int acquire = epoch.size() - 1;
        if (acquire >= families.length) {
            families = Arrays.copyOf(families, fields.length / FIELDS);
            otherHalves = Arrays.copyOf(otherHalves, families.length);
        }
        for (int draft = acquire - 1; draft <= acquire; draft++) {
            families[draft] = 1 + (fromFamily << Short.SIZE | toFamily);
            otherHalves[draft] = 2 * acquire - draft;
        }
    }

    private int families(int draft) {
        return draft < families.length ? families[draft] - 1 : NONE;
    }

    private int otherHalf(int draft) {
        return draft < otherHalves.length ? otherHalves[draft] - 1 : NONE;
    }

    /** Returns what is handed over between queue families, or null. */
    BarrierBatch.@Nullable OwnershipTransfer ownership(int draft) {
        int both = families(draft);
        return both == NONE ? null : new BarrierBatch.OwnershipTransfer(both >> Short.SIZE, (short) both);
    }

    /** Returns twice the node, and one more after it. */
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

    /** Puts a draft before or after another node: twice that, and one more after it. */
    void move(int draft, int point) {
        fields[FIELDS * draft + POINT] = point;
    }

    /** Replaces what must have happened before. */
    void source(int draft, int stages, int access) {
        fields[FIELDS * draft + SRC_STAGES] = stages;
        fields[FIELDS * draft + SRC_ACCESS] = access;
    }

    /**
     * Returns whether two drafts ask for the same, each of its own cell. Halves of transfers do if their other halves
     * do as well, at one place, so that both halves are joined to equal ranges.
     */
    boolean alike(int a, int b) {
        if (!equal(a, b)) {
            return false;
        }
        int otherOfA = otherHalf(a);
        int otherOfB = otherHalf(b);
        return otherOfA == NONE || (point(otherOfA) == point(otherOfB) && equal(otherOfA, otherOfB));
    }

    private boolean equal(int a, int b) {
        for (int field = SRC_STAGES; field < FIELDS; field++) {
            if (fields[FIELDS * a + field] != fields[FIELDS * b + field]) {
                return false;
            }
        }
        return families(a) == families(b);
    }
}
