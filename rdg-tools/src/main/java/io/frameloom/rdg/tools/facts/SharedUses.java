package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import java.util.Arrays;
import java.util.List;

/**
 * The passes that a use belongs to. All passes of a render pass use what one of them uses, since all barriers come
 * before the first.
 */
final class SharedUses {
    private final int[] begin;
    private final int[] end;

    SharedUses(FramePlan plan) {
        begin = new int[plan.passes().size()];
        Arrays.setAll(begin, pass -> pass);
        end = begin.clone();
        for (FramePlan.RenderPassPlan renderPass : plan.renderPasses()) {
            List<Integer> members = renderPass.passes();
            for (int pass : members) {
                begin[pass] = members.get(0);
                end[pass] = members.get(members.size() - 1);
            }
        }
    }

    /** Returns the pass that a use by a pass begins with. */
    int begin(int pass) {
        return begin[pass];
    }

    /** Returns the pass that a use by a pass ends with. */
    int end(int pass) {
        return end[pass];
    }
}
