package io.frameloom.rdg.tools.report;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.RenderPassPlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the drawings look up again and again: order of submission, batches, render passes, lifetimes. */
final class PlanIndex {
    final FramePlan plan;
    /** The passes that run, in the order of submission. */
    final List<Integer> order = new ArrayList<>();
    /** Position in {@link #order} by pass, or -1. */
    final int[] position;
    /** Shared render pass by pass, or -1 where a pass has none or one of its own. */
    final int[] sharedRenderPass;
    /** First position by resource at which a pass that runs uses it, or -1. */
    final int[] firstUse;
    /** Last position by resource at which a pass that runs uses it, or -1. */
    final int[] lastUse;

    PlanIndex(FramePlan plan) {
        this.plan = plan;
        position = filled(plan.passes().size());
        sharedRenderPass = filled(plan.passes().size());
        firstUse = filled(plan.resources().size());
        lastUse = filled(plan.resources().size());
        for (Batch batch : plan.batches()) {
            for (int pass : batch.passes()) {
                position[pass] = order.size();
                order.add(pass);
                for (UsePlan use : plan.passes().get(pass).uses()) {
                    int r = use.resource();
                    firstUse[r] = firstUse[r] < 0 ? position[pass] : firstUse[r];
                    lastUse[r] = position[pass];
                }
            }
        }
        for (RenderPassPlan renderPass : plan.renderPasses()) {
            if (renderPass.passes().size() > 1) {
                renderPass.passes().forEach(pass -> sharedRenderPass[pass] = renderPass.index());
            }
        }
    }

    private static int[] filled(int size) {
        int[] array = new int[size];
        Arrays.fill(array, -1);
        return array;
    }

    PassPlan pass(int pass) {
        return plan.passes().get(pass);
    }

    String passName(int pass) {
        return plan.passes().get(pass).name();
    }

    String resourceName(int resource) {
        return plan.resources().get(resource).name();
    }

    String queueName(int queue) {
        return queue < 0 ? "none" : plan.queues().queues().get(queue).name();
    }

    /** Returns whether the compiler added a pass for its barriers alone. */
    static boolean isAdded(PassPlan pass) {
        return pass.level() < 0 && !pass.culled();
    }
}
