package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.RenderPassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.tools.file.FileGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Render passes, what is loaded and stored, and what a device that keeps attachments on tiles saves. */
final class RenderPassFacts {
    private final FramePlan plan;
    private final LoadedTargets loaded;

    RenderPassFacts(FramePlan plan, FileGraph file) {
        this.plan = plan;
        loaded = new LoadedTargets(plan, file);
    }

    void add(Map<String, Object> facts) {
        facts.put(
                "renderPasses",
                plan.forkRuleRenderPasses().stream().map(this::names).toList());
        facts.put(
                "renderPassesStrict",
                plan.renderPasses().stream()
                        .map(RenderPassPlan::passes)
                        .map(this::names)
                        .toList());
        Map<String, String> refusals = new LinkedHashMap<>();
        for (RenderPassPlan renderPass : plan.renderPasses()) {
            if (!renderPass.refusal().isEmpty()) {
                refusals.put(plan.passes().get(renderPass.passes().get(0)).name(), renderPass.refusal());
            }
        }
        facts.put("mergeRefusals", refusals);
        facts.put(
                "physicalPasses",
                plan.physicalPasses().stream().map(this::names).toList());
        facts.put(
                "lazilyAllocated",
                plan.resources().stream()
                        .filter(ResourcePlan::lazy)
                        .map(ResourcePlan::name)
                        .sorted()
                        .toList());
        facts.put("loadOps", ops(true));
        facts.put("storeOps", ops(false));
        facts.put("transientBytes", plan.heapBytes());
    }

    /** The operation of each target; a list where its render passes differ. */
    private Map<String, Object> ops(boolean load) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        for (RenderPassPlan renderPass : plan.renderPasses()) {
            FramePlan.PassPlan first = plan.passes().get(renderPass.passes().get(0));
            @Nullable RenderTargets targets = first.targets();
            if (targets == null) {
                continue;
            }
            for (RenderTargets.Color color : targets.colors()) {
                add(all, color.resource(), load ? loaded.op(first, color.resource(), color.load()) : color.store());
            }
            RenderTargets.Depth depth = targets.depth();
            if (depth != null) {
                add(all, depth.resource(), load ? loaded.op(first, depth.resource(), depth.load()) : depth.store());
            }
            RenderTargets.Stencil stencil = targets.stencil();
            if (stencil != null) {
                add(
                        all,
                        stencil.resource(),
                        load ? loaded.op(first, stencil.resource(), stencil.load()) : stencil.store());
            }
        }
        Map<String, Object> result = new LinkedHashMap<>();
        all.forEach((resource, ops) -> {
            boolean same = ops.stream().distinct().count() == 1;
            result.put(resource, same ? ops.get(0) : ops);
        });
        return result;
    }

    private void add(Map<String, List<String>> all, int resource, Enum<?> op) {
        all.computeIfAbsent(plan.resources().get(resource).name(), name -> new ArrayList<>())
                .add(op.name().toLowerCase(Locale.ROOT));
    }

    private List<String> names(List<Integer> passes) {
        return passes.stream().map(pass -> plan.passes().get(pass).name()).toList();
    }
}
