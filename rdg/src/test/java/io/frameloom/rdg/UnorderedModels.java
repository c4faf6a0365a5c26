package io.frameloom.rdg;

import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Models whose passes are declared in any order, and mean the same. */
final class UnorderedModels {
    private UnorderedModels() {}

    /** Says of all that the order of declaration decides what comes after what, and declares it in another order. */
    static GraphModel shuffled(GraphModel model, SplittableRandom random) {
        GraphModel said = model;
        for (int b = 0; b < model.passes().size(); b++) {
            GraphModel.Pass later = said.passes().get(b);
            Set<Integer> after = new TreeSet<>(later.after());
            for (int a = 0; a < b; a++) {
                GraphModel.Pass earlier = said.passes().get(a);
                if (!earlier.builtin() && mustBeSaid(earlier, later)) {
                    after.add(a);
                }
            }
            said = said.with(b, later.after(List.copyOf(after)));
        }
        int builtins =
                (int) model.passes().stream().filter(GraphModel.Pass::builtin).count();
        int[] order = new int[model.passes().size()];
        // What is on one side of a pass with undeclared accesses stays there.
        int first = builtins;
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            boolean fence = model.passes().get(i).has(PassFlag.UNTRACKED_ACCESS);
            int other = i < builtins || fence ? i : first + random.nextInt(i + 1 - first);
            first = fence ? i + 1 : first;
            order[i] = order[other];
            order[other] = i;
        }
        return said.ordered(order);
    }

    /** Returns whether the later pass writes what the earlier one uses; that a reader follows a writer goes without saying. */
    private static boolean mustBeSaid(GraphModel.Pass earlier, GraphModel.Pass later) {
        for (GraphModel.Use a : earlier.uses()) {
            for (GraphModel.Use b : later.uses()) {
                if (b.access().writes() && a.meets(b)) {
                    return true;
                }
            }
        }
        return false;
    }
}
