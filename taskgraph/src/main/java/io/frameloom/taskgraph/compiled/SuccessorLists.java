package io.frameloom.taskgraph.compiled;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** Sorts the successors of every node into the lists of {@link GraphPlan}. Used once, by one thread. */
final class SuccessorLists {
    private final int count;
    private final int[] counts;
    private final int[] rows;
    private final int[] successors;
    private final int[] specials;
    private int successorCount;
    private int specialCount;

    /**
     * Empty lists.
     *
     * @param count number of nodes
     * @param edges number of edges
     * @param counts number of prerequisites per node; set to zero for those that become free in a range
     */
    SuccessorLists(int count, int edges, int[] counts) {
        this.count = count;
        this.counts = counts;
        rows = new int[(count + 1) << GraphPlan.ROW_SHIFT];
        successors = new int[edges];
        specials = new int[edges];
    }

    /** Adds the next node with its successors in ascending order. */
    void add(int node, int[] next, IntUnaryOperator kindOf) {
        int row = node << GraphPlan.ROW_SHIFT;
        int kind = kindOf.applyAsInt(node);
        rows[row + GraphPlan.EDGES] = successorCount;
        rows[row + GraphPlan.SPECIAL] = specialCount;
        int[] free = new int[next.length];
        int freeCount = 0;
        for (int successor : next) {
            boolean here = kind < GraphPlan.FIRST_LANE && kindOf.applyAsInt(successor) == kind;
            if (here && counts[successor] == 1) {
                free[freeCount++] = successor;
            } else if (here && counts[successor] < GraphPlan.WIDE_JOIN) {
                successors[successorCount++] = successor;
            } else {
                specials[specialCount++] = successor;
            }
        }
        splitFree(row, Arrays.copyOf(free, freeCount));
    }

    /** The longest row of consecutive numbers becomes the range; the rest is counted, from one. */
    private void splitFree(int row, int[] free) {
        int bestFrom = 0;
        int bestTo = 0;
        int from = 0;
        for (int i = 0; i < free.length; i++) {
            from = i > 0 && free[i] == free[i - 1] + 1 ? from : i;
            if (i + 1 - from > bestTo - bestFrom) {
                bestFrom = from;
                bestTo = i + 1;
            }
        }
        for (int i = 0; i < free.length; i++) {
            if (i < bestFrom || i >= bestTo) {
                successors[successorCount++] = free[i];
            } else {
                counts[free[i]] = 0;
            }
        }
        if (bestTo > bestFrom) {
            rows[row + GraphPlan.FREE_FIRST] = free[bestFrom];
            rows[row + GraphPlan.FREE_END] = free[bestTo - 1] + 1;
        }
    }

    /** Ends the lists of the last node. */
    void end() {
        int row = count << GraphPlan.ROW_SHIFT;
        rows[row + GraphPlan.EDGES] = successorCount;
        rows[row + GraphPlan.SPECIAL] = specialCount;
    }

    int[] rows() {
        return rows;
    }

    int[] successors() {
        return Arrays.copyOf(successors, successorCount);
    }

    int[] specials() {
        return Arrays.copyOf(specials, specialCount);
    }
}
