package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the changes of layout of a plan stand among its passes. A change from UNDEFINED keeps nothing and does not count, and
 * one with a transfer between queue families counts where it is released.
 */
final class TransitionOrder {
    private final FramePlan plan;

    TransitionOrder(FramePlan plan) {
        this.plan = plan;
    }

    void add(Map<String, Object> facts) {
        Map<String, Integer> count = new LinkedHashMap<>();
        List<String> order = new ArrayList<>();
        for (Batch batch : plan.batches()) {
            for (int p : batch.passes()) {
                PassPlan pass = plan.passes().get(p);
                changes(pass, pass.before(), count, order);
                if (pass.level() >= 0) {
                    order.add(pass.name());
                }
                changes(pass, pass.after(), count, order);
            }
        }
        facts.put("transitionCountOf", count);
        facts.put("transitionOrder", order);
    }

    private void changes(PassPlan pass, List<PlanBarrier> barriers, Map<String, Integer> count, List<String> order) {
        int family = plan.queues().queues().get(pass.queue()).family();
        Set<String> here = new LinkedHashSet<>();
        for (PlanBarrier barrier : barriers) {
            boolean acquires =
                    barrier.ownership() != null && barrier.ownership().to() == family;
            // Buffers have the layout UNDEFINED on both sides.
            if (barrier.oldLayout() != TextureLayout.UNDEFINED
                    && barrier.oldLayout() != barrier.newLayout()
                    && !acquires) {
                String name = plan.resources().get(barrier.resource()).name();
                count.merge(name, 1, Integer::sum);
                here.add("T:" + name);
            }
        }
        order.addAll(here);
    }
}
