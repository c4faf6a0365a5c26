package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.tools.file.PairFacts;
import io.frameloom.rdg.tools.file.PlanNames;
import java.util.Arrays;
import java.util.Map;

/**
 * The resources that may be in the same memory one after the other: those of one heap whose uses the plan keeps apart.
 */
final class AliasPairs {
    private final FramePlan plan;
    private final PlanNames names;
    private final PlanClocks clocks;
    private final int queues;
    /** By resource and queue the first and the last pass that uses it, -1 for none. */
    private final int[] first;

    private final int[] last;

    AliasPairs(FramePlan plan, PlanNames names, PlanClocks clocks) {
        this.plan = plan;
        this.names = names;
        this.clocks = clocks;
        queues = plan.queues().queues().size();
        first = new int[plan.resources().size() * queues];
        last = new int[first.length];
        Arrays.fill(first, -1);
        Arrays.fill(last, -1);
        SharedUses shared = new SharedUses(plan);
        for (int q = 0; q < queues; q++) {
            for (int pass : clocks.passes(q)) {
                for (UsePlan use : plan.passes().get(pass).uses()) {
                    int at = use.resource() * queues + q;
                    first[at] = first[at] < 0 ? shared.begin(pass) : first[at];
                    last[at] = shared.end(pass);
                }
            }
        }
    }

    void add(Map<String, Object> facts) {
        int[] used = plan.resources().stream()
                .filter(ResourcePlan::used)
                .mapToInt(ResourcePlan::index)
                .toArray();
        PairFacts.add(facts, "mayAlias", used, this::mayAlias, names::resource);
        PairFacts.add(facts, "mustNotAlias", used, (a, b) -> !mayAlias(a, b), names::resource);
    }

    private boolean mayAlias(int a, int b) {
        int heap = plan.resources().get(a).heap();
        return heap >= 0 && heap == plan.resources().get(b).heap() && (precedes(a, b) || precedes(b, a));
    }

    /** The passes of a queue are in order, so that its last use and its first stand for all. */
    private boolean precedes(int a, int b) {
        for (int p = 0; p < queues; p++) {
            int earlier = last[a * queues + p];
            for (int q = 0; earlier >= 0 && q < queues; q++) {
                int later = first[b * queues + q];
                if (later >= 0 && !clocks.precedes(plan, earlier, later)) {
                    return false;
                }
            }
        }
        return true;
    }
}
