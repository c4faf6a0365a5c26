package io.frameloom.rdg;

import java.util.ArrayList;
import java.util.List;

/** What the submissions of a plan order: queue order and waits, closed transitively by brute force. */
final class PlanOrder {
    private final boolean[][] before;

    PlanOrder(FramePlan plan) {
        this(plan, -1, -1);
    }

    /** Leaves out wait number {@code skippedWait} of batch {@code skippedBatch}. */
    PlanOrder(FramePlan plan, int skippedBatch, int skippedWait) {
        int passes = plan.passes().size();
        before = new boolean[passes][passes];
        for (FramePlan.Batch later : plan.batches()) {
            List<Integer> earlier = new ArrayList<>();
            for (FramePlan.Batch other : plan.batches()) {
                if (other.queue() == later.queue() && other.index() < later.index()) {
                    earlier.addAll(other.passes());
                }
            }
            for (int w = 0; w < later.waits().size(); w++) {
                if (later.index() != skippedBatch || w != skippedWait) {
                    earlier.addAll(
                            plan.batches().get(later.waits().get(w).batch()).passes());
                }
            }
            for (int i = 0; i < later.passes().size(); i++) {
                for (int pass : earlier) {
                    before[pass][later.passes().get(i)] = true;
                }
                earlier.add(later.passes().get(i));
            }
        }
        for (int k = 0; k < passes; k++) {
            for (int i = 0; i < passes; i++) {
                for (int j = 0; before[i][k] && j < passes; j++) {
                    before[i][j] |= before[k][j];
                }
            }
        }
    }

    boolean before(int a, int b) {
        return before[a][b];
    }
}
