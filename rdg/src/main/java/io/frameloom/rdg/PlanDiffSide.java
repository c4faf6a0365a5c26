package io.frameloom.rdg;

import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.FramePlan.RenderPassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.PlanDerivation.Dependency;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

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
        String part = barrier.range() == null
                ? " bytes " + barrier.offset() + "+" + barrier.bytes()
                : " mips " + barrier.range().baseMip() + "+"
                        + barrier.range().mipCount() + " layers "
                        + barrier.range().baseLayer() + "+"
                        + barrier.range().layerCount() + " planes "
                        + barrier.range().basePlane() + "+"
                        + barrier.range().planeCount();
        String families = barrier.ownership() == null
                ? ""
                : "family " + barrier.ownership().from() + " -> "
                        + barrier.ownership().to() + ", ";
        String layouts = barrier.oldLayout() == barrier.newLayout()
                ? ""
                : barrier.oldLayout() + " -> " + barrier.newLayout() + ", ";
        all.merge(
                where + " of " + resourceNames.get(barrier.resource()) + part,
                families + layouts
                        + stages(barrier.scope().srcStages(), barrier.scope().srcAccess()) + " before "
                        + stages(barrier.scope().dstStages(), barrier.scope().dstAccess()),
                (first, second) -> first + " and " + second);
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
