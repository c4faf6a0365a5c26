package io.frameloom.rdg.facts;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.RenderPassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.RenderTargets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Render passes, what is loaded and stored, and what a device that keeps attachments on tiles could save. */
final class RenderPassFacts {
    private final FramePlan plan;
    private final boolean tiler;

    RenderPassFacts(FramePlan plan, boolean tiler) {
        this.plan = plan;
        this.tiler = tiler;
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
        List<List<Integer>> physical = physicalPasses();
        Set<String> lazy = lazilyAllocated(physical);
        facts.put("physicalPasses", physical.stream().map(this::names).toList());
        facts.put("lazilyAllocated", List.copyOf(lazy));
        facts.put("loadOps", ops(true, lazy));
        facts.put("storeOps", ops(false, lazy));
        long bytes = 0;
        for (ResourcePlan resource : plan.resources()) {
            bytes += resource.heap() >= 0 && !lazy.contains(resource.name()) ? resource.bytes() : 0;
        }
        facts.put("transientBytes", tiler ? bytes : plan.heapBytes());
    }

    /** On tiles a pass that reads targets only where it draws can follow in the same pass. */
    private List<List<Integer>> physicalPasses() {
        List<List<Integer>> result = new ArrayList<>();
        for (RenderPassPlan renderPass : plan.renderPasses()) {
            List<Integer> last = result.isEmpty() ? null : result.get(result.size() - 1);
            if (tiler && last != null && readsOnTile(last, renderPass.passes())) {
                last.addAll(renderPass.passes());
            } else {
                result.add(new ArrayList<>(renderPass.passes()));
            }
        }
        return result;
    }

    private boolean readsOnTile(List<Integer> earlier, List<Integer> later) {
        PassPlan last = plan.passes().get(earlier.get(earlier.size() - 1));
        PassPlan first = plan.passes().get(later.get(0));
        RenderTargets a = last.targets();
        RenderTargets b = first.targets();
        if (a == null || b == null || a.width() != b.width() || a.height() != b.height() || !adjacent(last, first)) {
            return false;
        }
        boolean local = false;
        for (int pass : later) {
            for (UsePlan use : plan.passes().get(pass).uses()) {
                if (writes(earlier, use.resource())) {
                    if (use.access() != Access.INPUT_ATTACHMENT && !isTarget(use)) {
                        return false;
                    }
                    local |= use.access() == Access.INPUT_ATTACHMENT;
                }
            }
        }
        return local;
    }

    private boolean adjacent(PassPlan earlier, PassPlan later) {
        for (FramePlan.Batch batch : plan.batches()) {
            int at = batch.passes().indexOf(earlier.index());
            if (at >= 0) {
                return at + 1 < batch.passes().size() && batch.passes().get(at + 1) == later.index();
            }
        }
        return false;
    }

    private boolean writes(List<Integer> passes, int resource) {
        return passes.stream()
                .flatMap(pass -> plan.passes().get(pass).uses().stream())
                .anyMatch(use -> use.resource() == resource && use.access().writes());
    }

    private static boolean isTarget(UsePlan use) {
        TextureLayout layout = use.access().layout();
        return layout == TextureLayout.COLOR || layout == TextureLayout.DEPTH || layout == TextureLayout.DEPTH_RO;
    }

    /** Transients that never leave the tiles of one pass need no memory. */
    private Set<String> lazilyAllocated(List<List<Integer>> physical) {
        Set<String> lazy = new TreeSet<>();
        if (!tiler) {
            return lazy;
        }
        for (ResourcePlan resource : plan.resources()) {
            if (resource.lifetime() != Lifetime.TRANSIENT || !resource.texture() || !resource.used()) {
                continue;
            }
            for (List<Integer> passes : physical) {
                if (staysOnTile(resource.index(), passes)) {
                    lazy.add(resource.name());
                }
            }
        }
        return lazy;
    }

    private boolean staysOnTile(int resource, List<Integer> passes) {
        boolean used = false;
        for (PassPlan pass : plan.passes()) {
            for (UsePlan use : pass.uses()) {
                if (use.resource() == resource && !pass.culled()) {
                    if (!passes.contains(pass.index()) || (use.access() != Access.INPUT_ATTACHMENT && !isTarget(use))) {
                        return false;
                    }
                    used = true;
                }
            }
        }
        return used && passes.size() > 1;
    }

    /** The operation of each target; a list where its render passes differ. */
    private Map<String, Object> ops(boolean load, Set<String> lazy) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        for (RenderPassPlan renderPass : plan.renderPasses()) {
            @Nullable
            RenderTargets targets =
                    plan.passes().get(renderPass.passes().get(0)).targets();
            if (targets == null) {
                continue;
            }
            for (RenderTargets.Color color : targets.colors()) {
                add(all, color.resource(), (load ? color.load() : color.store()).name());
            }
            RenderTargets.Depth depth = targets.depth();
            if (depth != null) {
                add(all, depth.resource(), (load ? depth.load() : depth.store()).name());
            }
            RenderTargets.Stencil stencil = targets.stencil();
            if (stencil != null) {
                add(all, stencil.resource(), (load ? stencil.load() : stencil.store()).name());
            }
        }
        Map<String, Object> result = new LinkedHashMap<>();
        all.forEach((resource, ops) -> {
            String first = !load && lazy.contains(resource) ? "dont_care" : ops.get(0);
            boolean same = ops.stream().distinct().count() == 1 || lazy.contains(resource);
            result.put(resource, same ? first : ops);
        });
        return result;
    }

    private void add(Map<String, List<String>> all, int resource, String op) {
        all.computeIfAbsent(plan.resources().get(resource).name(), name -> new ArrayList<>())
                .add(op.toLowerCase(Locale.ROOT));
    }

    private List<String> names(List<Integer> passes) {
        return passes.stream().map(pass -> plan.passes().get(pass).name()).toList();
    }
}
