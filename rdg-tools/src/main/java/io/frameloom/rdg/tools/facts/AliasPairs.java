package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.tools.file.PairFacts;
import io.frameloom.rdg.tools.file.PlanNames;
import java.util.Map;

/**
 * The resources that may be in the same memory one after the other: those of one heap whose uses the plan keeps apart.
 */
final class AliasPairs {
    private final FramePlan plan;
    private final PlanNames names;
    private final PlanClocks clocks;

    AliasPairs(FramePlan plan, PlanNames names, PlanClocks clocks) {
        this.plan = plan;
        this.names = names;
        this.clocks = clocks;
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
        ResourcePlan first = plan.resources().get(a);
        ResourcePlan second = plan.resources().get(b);
        return first.heap() >= 0
                && first.heap() == second.heap()
                && (clocks.precedes(first, second) || clocks.precedes(second, first));
    }
}
