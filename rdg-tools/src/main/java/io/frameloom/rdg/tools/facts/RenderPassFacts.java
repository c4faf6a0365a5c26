package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.RenderPassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.tools.file.PlanNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Render passes, what is loaded and stored, and what a device that keeps attachments on tiles saves. */
final class RenderPassFacts {
    private final FramePlan plan;
    private final PlanNames names;

    RenderPassFacts(FramePlan plan, PlanNames names) {
        this.plan = plan;
        this.names = names;
    }

    void add(Map<String, Object> facts) {
        facts.put("renderPasses", names.groups(plan.forkRuleRenderPasses()));
        facts.put(
                "renderPassesStrict",
                plan.renderPasses().stream()
                        .map(renderPass -> names.passes(renderPass.passes()))
                        .toList());
        Map<String, String> refusals = new LinkedHashMap<>();
        Map<String, List<String>> loads = new LinkedHashMap<>();
        Map<String, List<String>> stores = new LinkedHashMap<>();
        for (RenderPassPlan renderPass : plan.renderPasses()) {
            PassPlan first = plan.passes().get(renderPass.passes().get(0));
            if (!renderPass.refusal().isEmpty()) {
                refusals.put(names.pass(first.index()), renderPass.refusal());
            }
            for (Target target : targets(first.targets())) {
                add(loads, target.resource(), target.load());
                add(stores, target.resource(), target.store());
            }
        }
        facts.put("mergeRefusals", refusals);
        facts.put(
                "lazilyAllocated",
                plan.resources().stream()
                        .filter(ResourcePlan::lazy)
                        .map(resource -> names.resource(resource.index()))
                        .sorted()
                        .toList());
        facts.put("loadOps", ops(loads));
        facts.put("storeOps", ops(stores));
        facts.put("transientBytes", plan.heapBytes());
    }

    /**
     * One target of a pass.
     *
     * @param resource index of its resource
     * @param load what becomes of the contents before the pass
     * @param store what becomes of the contents after it
     */
    private record Target(int resource, LoadOp load, StoreOp store) {}

    private static List<Target> targets(@Nullable RenderTargets targets) {
        List<Target> all = new ArrayList<>();
        if (targets != null) {
            targets.colors().forEach(color -> all.add(new Target(color.resource(), color.load(), color.store())));
            RenderTargets.Depth depth = targets.depth();
            if (depth != null) {
                all.add(new Target(depth.resource(), depth.load(), depth.store()));
            }
            RenderTargets.Stencil stencil = targets.stencil();
            if (stencil != null) {
                all.add(new Target(stencil.resource(), stencil.load(), stencil.store()));
            }
        }
        return all;
    }

    private void add(Map<String, List<String>> all, int resource, Enum<?> op) {
        all.computeIfAbsent(names.resource(resource), name -> new ArrayList<>())
                .add(op.name().toLowerCase(Locale.ROOT));
    }

    /** The operation of each target; a list where its render passes differ. */
    private static Map<String, Object> ops(Map<String, List<String>> all) {
        Map<String, Object> result = new LinkedHashMap<>();
        all.forEach(
                (resource, ops) -> result.put(resource, ops.stream().distinct().count() == 1 ? ops.get(0) : ops));
        return result;
    }
}
