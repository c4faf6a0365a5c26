package io.frameloom.taskgraph.compiled;

/**
 * What one participant of a run does when a node has ended: it takes an arrival off each successor, keeps one that became
 * ready as its next node, and passes the others on to whoever may run them.
 *
 * <p>Arrivals at a join with many prerequisites are collected, as the count would be a word that everybody writes.
 *
 * <p>Used by the thread that {@link RunParticipant} belongs to at the moment; a base of that class, so that the loop has
 * all it works with in one object.
 */
abstract class NodeArrivals extends ReadyRanges {
    private int heldJoin = NONE;
    private int heldArrivals;

    NodeArrivals(GraphRun run, int slot) {
        super(run, slot);
    }

    /** Reports held arrivals before a node begins that does not add to them. */
    final void releaseHeldBefore(int node) {
        if (heldJoin != NONE && !arrivesAtHeld(node)) {
            releaseHeld();
        }
    }

    /** Reports the end of a node to its successors. Returns one that is ready, to be run next, or none. */
    final int completed(int node) {
        int[] rows = plan.rows;
        int row = node << GraphPlan.ROW_SHIFT;
        int after = row + (1 << GraphPlan.ROW_SHIFT);
        int next = rows[row + GraphPlan.FREE_FIRST];
        int end = rows[row + GraphPlan.FREE_END];
        if (next == end) {
            next = NONE;
        } else if (next + 1 < end) {
            stacks[current].push(next + 1, end);
        }
        int[] successors = plan.successors;
        for (int at = rows[row + GraphPlan.EDGES], last = rows[after + GraphPlan.EDGES]; at < last; at++) {
            int successor = successors[at];
            if (run.counts.arrive(successor)) {
                if (next != NONE) {
                    stacks[current].push(next, next + 1);
                }
                next = successor;
            }
        }
        int special = rows[row + GraphPlan.SPECIAL];
        int specialEnd = rows[after + GraphPlan.SPECIAL];
        return special == specialEnd ? next : completedSpecial(special, specialEnd, next);
    }

    private int completedSpecial(int from, int to, int next) {
        for (int at = from; at < to; at++) {
            int successor = plan.specials[at];
            if (plan.isWide(successor)) {
                hold(successor);
            } else if (run.counts.arrive(successor)) {
                release(successor, successor + 1);
            }
        }
        if (next != NONE) {
            for (int rank = 0; rank < current; rank++) {
                if (!stacks[rank].isEmpty()) {
                    stacks[current].push(next, next + 1);
                    return NONE;
                }
            }
        }
        return next;
    }

    /** Collects arrivals at a wide join, which would otherwise be a word that everybody writes. */
    private void hold(int join) {
        if (heldJoin != join) {
            releaseHeld();
            heldJoin = join;
        }
        heldArrivals++;
    }

    private boolean arrivesAtHeld(int node) {
        int special = plan.rows[(node << GraphPlan.ROW_SHIFT) + GraphPlan.SPECIAL];
        return special < plan.specials.length && plan.specials[special] == heldJoin;
    }

    /** Reports held arrivals. Returns true if a node became ready by that. */
    final boolean releaseHeld() {
        int join = heldJoin;
        if (join == NONE) {
            return false;
        }
        int arrivals = heldArrivals;
        heldJoin = NONE;
        heldArrivals = 0;
        if (!run.counts.arrive(join, arrivals)) {
            return false;
        }
        release(join, join + 1);
        return true;
    }

    /** Passes on ready nodes of one kind. */
    final void release(int first, int end) {
        if (first == NONE) {
            return;
        }
        int kind = plan.kinds[first];
        if (kind >= GraphPlan.FIRST_LANE) {
            for (int node = first; node < end; node++) {
                run.lanes[kind - GraphPlan.FIRST_LANE].send(node);
            }
        } else if ((serves & 1 << kind) != 0) {
            stacks[kind].push(first, end);
        } else {
            publish(kind, RangeDeque.range(first, end));
        }
    }
}
