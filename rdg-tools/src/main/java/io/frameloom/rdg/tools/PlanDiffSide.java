package io.frameloom.rdg.tools;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.BarrierSplit;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.FramePlan.RecordingGroup;
import io.frameloom.rdg.FramePlan.RenderPassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.tools.PlanDiff.Subject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One of two plans that are compared: what it has, by subject and name. */
final class PlanDiffSide {
    /** Passes that follow each other in the graph, from this many on, are named by the first and the last. */
    private static final int RUN = 3;

    private final FramePlan plan;
    private final List<String> passNames;
    private final List<String> resourceNames;

    PlanDiffSide(FramePlan plan) {
        this(plan, unique(plan.resources(), ResourcePlan::name));
    }

    private PlanDiffSide(FramePlan plan, List<String> resourceNames) {
        this.plan = plan;
        this.passNames = unique(plan.passes(), PassPlan::name);
        this.resourceNames = resourceNames;
    }

    /** Names in quotes; of several that are the same, all but the first with a number after the quotes. */
    private static <T> List<String> unique(List<T> all, Function<T, String> name) {
        Map<String, Integer> copies = new HashMap<>();
        List<String> names = new ArrayList<>(all.size());
        for (T one : all) {
            int copy = copies.merge(name.apply(one), 1, Integer::sum);
            names.add("'" + name.apply(one) + "'" + (copy == 1 ? "" : " (" + copy + ")"));
        }
        return names;
    }

    /** Returns this side with other names of resources. */
    PlanDiffSide renamed(Map<String, String> names) {
        return new PlanDiffSide(
                plan,
                resourceNames.stream()
                        .map(name -> names.getOrDefault(name, name))
                        .toList());
    }

    /** Returns by name what passes do with each resource that comes from outside. */
    Map<String, String> roles() {
        Map<String, StringBuilder> all = new LinkedHashMap<>();
        for (ResourcePlan resource : plan.resources()) {
            if (resource.lifetime() == Lifetime.EXTERNAL && resource.used()) {
                all.put(resourceNames.get(resource.index()), new StringBuilder());
            }
        }
        for (PassPlan pass : plan.passes()) {
            for (UsePlan use : pass.uses()) {
                StringBuilder role = all.get(resourceNames.get(use.resource()));
                if (role != null) {
                    role.append('\n').append(passNames.get(pass.index())).append(use.access());
                    role.append(part(use.resource(), use.range(), use.offset(), use.bytes()));
                }
            }
        }
        Map<String, String> roles = new LinkedHashMap<>();
        all.forEach((name, role) -> roles.put(name, role.toString()));
        return roles;
    }

    /** Returns what the plan has of a subject by name, in parts. */
    Map<String, List<String>> of(Subject subject) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        switch (subject) {
            case PASS -> passes(all);
            case DECLARATION -> declarations(all);
            case TARGET -> targets(all);
            case ORDER -> {}
            case WAIT -> waits(all);
            case BARRIER -> barriers(all);
            case RENDER_PASS -> renderPasses(all);
            case RECORDING -> recording(all);
            case RESOURCE -> resources(all);
            case PLACEMENT -> placements(all);
            case WARNING -> warnings(all);
            case TOTAL -> totals(all);
        }
        return all;
    }

    private List<String> names(List<Integer> passes) {
        List<String> names = new ArrayList<>();
        for (int from = 0, to; from < passes.size(); from = to) {
            to = from + 1;
            while (to < passes.size() && passes.get(to) == passes.get(to - 1) + 1) {
                to++;
            }
            if (to - from < RUN) {
                passes.subList(from, to).forEach(pass -> names.add(passNames.get(pass)));
            } else {
                names.add(passNames.get(passes.get(from)) + " to " + passNames.get(passes.get(to - 1)) + " ("
                        + (to - from) + " passes)");
            }
        }
        return names;
    }

    private void passes(Map<String, List<String>> all) {
        for (PassPlan pass : plan.passes()) {
            all.put(passNames.get(pass.index()), List.of(state(pass)));
        }
    }

    private String state(PassPlan pass) {
        if (pass.culled()) {
            return "culled";
        }
        return "on " + plan.queues().queues().get(pass.queue()).name()
                + (pass.level() < 0 ? ", barriers only" : ", level " + pass.level());
    }

    private void declarations(Map<String, List<String>> all) {
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
            all.put(passNames.get(pass.index()), parts);
        }
    }

    private String said(UsePlan use, Map<Integer, Integer> groups) {
        return use.access() + " of " + resourceNames.get(use.resource())
                + part(use.resource(), use.range(), use.offset(), use.bytes())
                + (use.range() == null || use.layout() == use.access().layout() ? "" : " in " + use.layout())
                + (use.discard() ? ", discarded" : "")
                + (use.overlapGroup() < 0
                        ? ""
                        : ", group " + groups.computeIfAbsent(use.overlapGroup(), group -> groups.size()));
    }

    private void targets(Map<String, List<String>> all) {
        for (PassPlan pass : plan.passes()) {
            RenderTargets targets = pass.targets();
            if (targets == null) {
                continue;
            }
            String name = passNames.get(pass.index());
            all.put(
                    "area of " + name,
                    List.of(targets.width() + "x" + targets.height(), "at " + targets.x() + "," + targets.y()));
            for (int slot = 0; slot < targets.colors().size(); slot++) {
                RenderTargets.Color color = targets.colors().get(slot);
                all.put(
                        "color " + slot + " of " + name,
                        target(color.resource(), color.range(), color.load(), color.clear(), color.store()));
            }
            RenderTargets.Depth depth = targets.depth();
            if (depth != null) {
                List<String> parts =
                        target(depth.resource(), depth.range(), depth.load(), depth.clear(), depth.store());
                parts.add(depth.readOnly() ? "read only" : "written");
                all.put("depth of " + name, parts);
            }
            RenderTargets.Stencil stencil = targets.stencil();
            if (stencil != null) {
                List<String> parts =
                        target(stencil.resource(), stencil.range(), stencil.load(), stencil.clear(), stencil.store());
                parts.add(stencil.readOnly() ? "read only" : "written");
                all.put("stencil of " + name, parts);
            }
        }
    }

    private List<String> target(int resource, SubresourceRange range, LoadOp load, Object clear, StoreOp store) {
        List<String> parts = new ArrayList<>();
        parts.add(resourceNames.get(resource) + part(resource, range, 0, 0));
        parts.add(load + (load == LoadOp.CLEAR ? " to " + clear : ""));
        parts.add(store.toString());
        return parts;
    }

    private void recording(Map<String, List<String>> all) {
        for (RecordingGroup group : plan.recordingGroups()) {
            List<String> parts = names(group.passes());
            parts.add(group.serial() ? "serial" : "parallel");
            all.put("from " + passNames.get(group.passes().get(0)), parts);
        }
    }

    private void resources(Map<String, List<String>> all) {
        for (ResourcePlan resource : plan.resources()) {
            List<String> parts = new ArrayList<>();
            parts.add(resource.lifetime() + (resource.used() ? "" : ", unused"));
            if (resource.textureDescription() != null) {
                parts.add(resource.initialLayout() + " to " + resource.finalLayout());
                describe(resource.textureDescription(), parts);
            } else if (resource.bufferDescription() != null) {
                describe(resource.bufferDescription(), parts);
            }
            all.put(resourceNames.get(resource.index()), parts);
        }
    }

    private static void describe(TextureDescription texture, List<String> parts) {
        parts.add(texture.kind() + " " + texture.width() + "x" + texture.height() + "x" + texture.depth());
        parts.add(texture.format() + (texture.viewFormats().isEmpty() ? "" : " seen as " + texture.viewFormats()));
        parts.add(Plural.of(texture.mips(), "mip") + ", " + Plural.of(texture.layers(), "layer"));
        parts.add(Plural.of(texture.samples(), "sample"));
        parts.add(texture.usage() + ", " + texture.sharing());
    }

    private static void describe(BufferDescription buffer, List<String> parts) {
        parts.add(Plural.of(buffer.bytes(), "byte"));
        parts.add(buffer.usage() + ", " + buffer.memory() + ", " + buffer.sharing());
    }

    List<String> order() {
        List<String> order = new ArrayList<>();
        for (Batch batch : plan.batches()) {
            batch.passes().forEach(pass -> order.add(passNames.get(pass)));
        }
        return order;
    }

    private void waits(Map<String, List<String>> all) {
        for (Dependency dependency : plan.dependencies()) {
            if (dependency.crossQueue() && dependency.waited()) {
                String reason = dependency.resource() < 0 ? "" : "on " + resourceNames.get(dependency.resource());
                all.put(
                        "of " + passNames.get(dependency.to()) + " for " + passNames.get(dependency.from()),
                        List.of(reason));
            }
        }
        // Those of passes that the compiler added come from no dependency.
        for (Batch batch : plan.batches()) {
            for (BatchWait wait : batch.waits()) {
                List<Integer> source = plan.batches().get(wait.batch()).passes();
                all.put(
                        "of the batch from " + passNames.get(batch.passes().get(0)) + " for the one up to "
                                + passNames.get(source.get(source.size() - 1)),
                        List.of(PipelineStage.describe(wait.stages())));
            }
        }
    }

    private void barriers(Map<String, List<String>> all) {
        for (PassPlan pass : plan.passes()) {
            String name = passNames.get(pass.index());
            pass.before().forEach(barrier -> put(all, "before " + name, barrier));
            pass.after().forEach(barrier -> put(all, "after " + name, barrier));
        }
    }

    private void put(Map<String, List<String>> all, String where, PlanBarrier barrier) {
        String part = part(barrier.resource(), barrier.range(), barrier.offset(), barrier.bytes());
        List<String> parts = new ArrayList<>();
        if (barrier.oldLayout() != barrier.newLayout()) {
            parts.add(barrier.oldLayout() + " -> " + barrier.newLayout());
        }
        parts.add(stages(barrier.scope().srcStages(), barrier.scope().srcAccess()) + " before "
                + stages(barrier.scope().dstStages(), barrier.scope().dstAccess())
                + (barrier.allMemory() ? ", all memory" : "")
                + (barrier.ownership() == null ? "" : ", " + barrier.ownership())
                + (barrier.isSplit() ? BarrierSplit.describe(plan, barrier) : ""));
        all.merge(where + " of " + resourceNames.get(barrier.resource()) + part, parts, (first, second) -> {
            List<String> both = new ArrayList<>(first);
            both.addAll(second);
            return both;
        });
    }

    /** Returns in parentheses which part of a resource is meant; nothing if all of it is. */
    private String part(int resource, @Nullable SubresourceRange range, long offset, long bytes) {
        String part = plan.resources().get(resource).part(range, offset, bytes);
        return part.isEmpty() ? "" : " (" + part + ")";
    }

    private static String stages(int stages, int access) {
        return PipelineStage.describe(stages) + (access == 0 ? "" : " (" + MemoryAccess.describe(access) + ")");
    }

    private void renderPasses(Map<String, List<String>> all) {
        for (RenderPassPlan renderPass : plan.renderPasses()) {
            if (renderPass.passes().size() > 1) {
                all.put("of " + passNames.get(renderPass.passes().get(0)), names(renderPass.passes()));
            }
        }
    }

    private void placements(Map<String, List<String>> all) {
        for (ResourcePlan resource : plan.resources()) {
            if (resource.heap() >= 0) {
                all.put(
                        "of " + resourceNames.get(resource.index()),
                        List.of(
                                "heap " + resource.heap() + " at " + resource.offset(),
                                Plural.of(resource.bytes(), "byte")));
            }
        }
    }

    private void warnings(Map<String, List<String>> all) {
        for (PlanWarning warning : plan.warnings()) {
            all.put(warning.code() + " '" + warning.subject() + "'", List.of(warning.message()));
        }
    }

    private void totals(Map<String, List<String>> all) {
        all.put("batches", List.of(String.valueOf(plan.batches().size())));
        all.put("waits", List.of(String.valueOf(plan.waitCount())));
        all.put("barriers", List.of(String.valueOf(plan.barrierCount())));
        all.put("render passes", List.of(String.valueOf(plan.renderPasses().size())));
        all.put("heap bytes", List.of(String.valueOf(plan.heapBytes())));
    }
}
