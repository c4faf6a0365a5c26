package io.frameloom.rdg;

import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.FramePlan.RecordingGroup;
import io.frameloom.rdg.FramePlan.RenderPassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.PlanDerivation.Dependency;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One of two plans that are compared: what it has, by names. */
final class PlanDiffSide {
    private final FramePlan plan;
    private final List<String> passNames;
    private final List<String> resourceNames;

    PlanDiffSide(FramePlan plan) {
        this.plan = plan;
        this.passNames = unique(plan.passes(), PassPlan::name);
        this.resourceNames = unique(plan.resources(), ResourcePlan::name);
    }

    /** Names in quotes; of several that are the same, all but the first with a number behind the quotes. */
    private static <T> List<String> unique(List<T> all, Function<T, String> name) {
        Map<String, Integer> copies = new HashMap<>();
        List<String> names = new ArrayList<>(all.size());
        for (T one : all) {
            int copy = copies.merge(name.apply(one), 1, Integer::sum);
            names.add("'" + name.apply(one) + "'" + (copy == 1 ? "" : " (" + copy + ")"));
        }
        return names;
    }

    private String names(List<Integer> passes) {
        return passes.stream().map(passNames::get).collect(Collectors.joining(", "));
    }

    Map<String, String> passes() {
        Map<String, String> all = new LinkedHashMap<>();
        for (PassPlan pass : plan.passes()) {
            all.put(passNames.get(pass.index()), state(pass));
        }
        return all;
    }

    private String state(PassPlan pass) {
        if (pass.culled()) {
            return "culled";
        }
        return "on " + plan.queues().queues().get(pass.queue()).name()
                + (pass.level() < 0 ? ", barriers only" : ", level " + pass.level());
    }

    Map<String, String> declarations() {
        Map<String, String> all = new LinkedHashMap<>();
        // Groups have no names; equal graphs number them as they like.
        Map<Integer, Integer> groups = new HashMap<>();
        for (PassPlan pass : plan.passes()) {
            if (pass.culled()) {
                continue;
            }
            List<String> parts = new ArrayList<>();
            parts.add(pass.kind().name());
            Arrays.stream(PassFlag.values()).filter(pass.flags()::contains).forEach(flag -> parts.add(flag.name()));
            for (int scope = pass.scope();
                    scope >= 0;
                    scope = plan.scopes().get(scope).parent()) {
                parts.add("in '" + plan.scopes().get(scope).name() + "'");
            }
            pass.uses().forEach(use -> parts.add(said(use, groups)));
            all.put(passNames.get(pass.index()), String.join(", ", parts));
        }
        return all;
    }

    private String said(UsePlan use, Map<Integer, Integer> groups) {
        return use.access() + " of " + resourceNames.get(use.resource())
                + part(use.range(), use.offset(), use.bytes())
                + (use.range() == null || use.layout() == use.access().layout() ? "" : " in " + use.layout())
                + (use.discard() ? ", discarded" : "")
                + (use.overlapGroup() < 0
                        ? ""
                        : ", group " + groups.computeIfAbsent(use.overlapGroup(), group -> groups.size()));
    }

    Map<String, String> targets() {
        Map<String, String> all = new LinkedHashMap<>();
        for (PassPlan pass : plan.passes()) {
            RenderTargets targets = pass.targets();
            if (targets == null) {
                continue;
            }
            String name = passNames.get(pass.index());
            all.put(
                    "area of " + name,
                    targets.width() + "x" + targets.height() + " at " + targets.x() + "," + targets.y());
            for (int slot = 0; slot < targets.colors().size(); slot++) {
                RenderTargets.Color color = targets.colors().get(slot);
                all.put(
                        "color " + slot + " of " + name,
                        resourceNames.get(color.resource()) + part(color.range(), 0, 0) + ", " + color.load() + ", "
                                + color.store() + (color.load() == LoadOp.CLEAR ? ", " + color.clear() : ""));
            }
            RenderTargets.Depth depth = targets.depth();
            if (depth != null) {
                all.put(
                        "depth of " + name,
                        resourceNames.get(depth.resource()) + part(depth.range(), 0, 0) + ", " + depth.load() + ", "
                                + depth.store() + (depth.load() == LoadOp.CLEAR ? ", " + depth.clear() : "")
                                + (depth.readOnly() ? ", read only" : ""));
            }
        }
        return all;
    }

    Map<String, String> recording() {
        Map<String, String> all = new LinkedHashMap<>();
        for (RecordingGroup group : plan.recordingGroups()) {
            all.put(
                    "from " + passNames.get(group.passes().get(0)),
                    names(group.passes()) + (group.serial() ? ", serial" : ""));
        }
        return all;
    }

    Map<String, String> resources() {
        Map<String, String> all = new LinkedHashMap<>();
        for (ResourcePlan resource : plan.resources()) {
            Object shape = resource.texture() ? resource.textureDescription() : resource.bufferDescription();
            String layouts =
                    resource.texture() ? ", " + resource.initialLayout() + " to " + resource.finalLayout() : "";
            all.put(
                    resourceNames.get(resource.index()),
                    resource.lifetime() + (resource.used() ? "" : ", unused") + layouts + ", " + shape);
        }
        return all;
    }

    List<String> order() {
        List<String> order = new ArrayList<>();
        for (Batch batch : plan.batches()) {
            batch.passes().forEach(pass -> order.add(passNames.get(pass)));
        }
        return order;
    }

    Map<String, String> waits() {
        Map<String, String> all = new LinkedHashMap<>();
        for (Dependency dependency : plan.dependencies()) {
            if (dependency.crossQueue() && dependency.waited()) {
                String reason = dependency.resource() < 0 ? "" : "on " + resourceNames.get(dependency.resource());
                all.put("of " + passNames.get(dependency.to()) + " for " + passNames.get(dependency.from()), reason);
            }
        }
        // Those of passes that the compiler added come from no dependency.
        for (Batch batch : plan.batches()) {
            for (BatchWait wait : batch.waits()) {
                List<Integer> source = plan.batches().get(wait.batch()).passes();
                all.put(
                        "of the batch from " + passNames.get(batch.passes().get(0)) + " for the one up to "
                                + passNames.get(source.get(source.size() - 1)),
                        PipelineStage.describe(wait.stages()));
            }
        }
        return all;
    }

    Map<String, String> barriers() {
        Map<String, String> all = new LinkedHashMap<>();
        for (PassPlan pass : plan.passes()) {
            String name = passNames.get(pass.index());
            pass.before().forEach(barrier -> put(all, "before " + name, barrier));
            pass.after().forEach(barrier -> put(all, "behind " + name, barrier));
        }
        return all;
    }

    private void put(Map<String, String> all, String where, PlanBarrier barrier) {
        String part = part(barrier.range(), barrier.offset(), barrier.bytes());
        String layouts = barrier.oldLayout() == barrier.newLayout()
                ? ""
                : barrier.oldLayout() + " -> " + barrier.newLayout() + ", ";
        all.merge(
                where + " of " + resourceNames.get(barrier.resource()) + part,
                layouts + stages(barrier.scope().srcStages(), barrier.scope().srcAccess()) + " before "
                        + stages(barrier.scope().dstStages(), barrier.scope().dstAccess())
                        + (barrier.allMemory() ? ", all memory" : "")
                        + (barrier.ownership() == null ? "" : ", " + barrier.ownership())
                        + (barrier.isSplit() ? BarrierSplit.describe(plan, barrier) : ""),
                (first, second) -> first + " and " + second);
    }

    private static String part(@Nullable SubresourceRange range, long offset, long bytes) {
        return range == null
                ? " bytes " + offset + "+" + bytes
                : " mips " + range.baseMip() + "+" + range.mipCount() + " layers " + range.baseLayer() + "+"
                        + range.layerCount() + " planes " + range.basePlane() + "+" + range.planeCount();
    }

    private static String stages(int stages, int access) {
        return PipelineStage.describe(stages) + (access == 0 ? "" : " (" + MemoryAccess.describe(access) + ")");
    }

    Map<String, String> renderPasses() {
        Map<String, String> all = new LinkedHashMap<>();
        for (RenderPassPlan renderPass : plan.renderPasses()) {
            if (renderPass.passes().size() > 1) {
                all.put("of " + passNames.get(renderPass.passes().get(0)), names(renderPass.passes()));
            }
        }
        return all;
    }

    Map<String, String> placements() {
        Map<String, String> all = new LinkedHashMap<>();
        for (ResourcePlan resource : plan.resources()) {
            if (resource.heap() >= 0) {
                all.put(
                        "of " + resourceNames.get(resource.index()),
                        "heap " + resource.heap() + " at " + resource.offset() + ", " + resource.bytes() + " bytes");
            }
        }
        return all;
    }

    Map<String, String> warnings() {
        Map<String, String> all = new LinkedHashMap<>();
        for (PlanWarning warning : plan.warnings()) {
            all.put(warning.code() + " '" + warning.subject() + "'", warning.message());
        }
        return all;
    }

    Map<String, String> totals() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("batches", String.valueOf(plan.batches().size()));
        all.put("waits", String.valueOf(plan.waitCount()));
        all.put("barriers", String.valueOf(plan.barrierCount()));
        all.put("render passes", String.valueOf(plan.renderPasses().size()));
        all.put("heap bytes", String.valueOf(plan.heapBytes()));
        return all;
    }
}
