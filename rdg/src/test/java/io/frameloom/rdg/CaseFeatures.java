package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.rdg.bind.CompiledPlan;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** What a random case has that is hard, so that a test can prove that all of it occurs. */
final class CaseFeatures {
    static final List<String> ALL = List.of(
            "NEVER_CULL",
            "NEVER_MERGE",
            "NEVER_PARALLEL",
            "UNTRACKED_ACCESS",
            "READBACK",
            "ASYNC_COMPUTE",
            "ASYNC_COPY",
            "SKIP_RENDER_PASS",
            "DECLARED",
            "UNORDERED",
            "OFF",
            "TAGGED",
            "ALL",
            "culling off",
            "merging off",
            "overlap off",
            "aliasing off",
            "exact waits",
            "hoisting",
            "splitting",
            "split barriers",
            "hoisted and split barriers",
            "split over three passes",
            "PROGRAM",
            "RANDOM",
            "MEMORY",
            "BATCH",
            "OVERLAP",
            "another order",
            "waits in some stages",
            "after",
            "condition",
            "named queue",
            "raster pass on another queue",
            "copy on a copy queue",
            "build on another queue",
            "update on another queue",
            "trace on another queue",
            "trace on graphics behind a build on another queue",
            "build on another queue behind a trace on graphics",
            "render pass shared on another queue",
            "stencil",
            "history",
            "passthrough",
            "upload",
            "readback",
            "pass of the host",
            "a part on the host",
            "from the host to the device",
            "shown to the host for writing",
            "shown to the host from another queue",
            "overlap group",
            "two ranges of one resource",
            "two targets",
            "several samples",
            "resolve",
            "resolve in a shared render pass",
            "render area",
            "parts",
            "three queues at work",
            "waits",
            "culled",
            "added nodes",
            "shared render pass",
            "shared memory");

    private CaseFeatures() {}

    /** How many passes the halves of each split barrier are apart, those of other queues included. */
    private static IntStream splits(FramePlan plan) {
        return plan.passes().stream()
                .flatMapToInt(pass -> pass.before().stream()
                        .filter(FramePlan.PlanBarrier::isSplit)
                        .mapToInt(barrier -> pass.index()
                                - Objects.requireNonNull(barrier.split()).begin()));
    }

    static void count(PlanCase of, FramePlan plan, Map<String, Integer> into) {
        GraphModel model = of.model();
        RdgOptions options = of.options();
        List<GraphModel.Pass> passes = model.passes();
        Counting counting = new Counting(into);
        for (PassFlag flag : PassFlag.values()) {
            counting.add(flag.name(), passes.stream().anyMatch(pass -> pass.has(flag)));
        }
        counting.add(options.order().name(), true);
        counting.add(options.async().name(), true);
        counting.add("culling off", !options.cullPasses());
        counting.add("merging off", !options.mergeRenderPasses());
        counting.add("overlap off", !options.overlapStorageWrites());
        counting.add("aliasing off", !options.aliasing());
        boolean exact = options.policy().waitStageScope() == WaitStageScope.EXACT;
        counting.add("exact waits", exact);
        boolean hoists = options.policy().hoistBarriers();
        counting.add("hoisting", hoists);
        counting.add("splitting", options.policy().splitBarriers());
        boolean splits = splits(plan).findAny().isPresent();
        counting.add("split barriers", splits && !hoists);
        counting.add("hoisted and split barriers", splits && hoists);
        counting.add("split over three passes", splits(plan).anyMatch(distance -> distance > 3));
        counting.add(options.policy().schedule().policy().name(), true);
        counting.add(
                "another order",
                options.order() == PassOrder.DECLARED
                        && IntStream.range(0, passes.size())
                                .anyMatch(p -> CompiledPlan.of(plan).structure().declaredIndex(p) != p));
        counting.add(
                "waits in some stages",
                plan.batches().stream()
                        .flatMap(batch -> batch.waits().stream())
                        .anyMatch(wait -> wait.stages() != PipelineStage.ALL_COMMANDS.bit()));
        counting.add("after", passes.stream().anyMatch(pass -> !pass.after().isEmpty()));
        counting.add("condition", passes.stream().anyMatch(pass -> pass.condition() != null));
        counting.add("named queue", passes.stream().anyMatch(pass -> pass.queue() > 0));
        counting.add(
                "raster pass on another queue",
                plan.passes().stream().anyMatch(pass -> pass.kind() == PassKind.RASTER && pass.queue() > 0));
        structures(plan, counting);
        counting.add(
                "copy on a copy queue",
                plan.passes().stream()
                        .anyMatch(pass -> pass.flags().contains(PassFlag.ASYNC_COPY)
                                && pass.queue() > 0
                                && plan.queues().queues().get(pass.queue()).kind() == QueueKind.COPY));
        counting.add(
                "render pass shared on another queue",
                plan.renderPasses().stream()
                        .anyMatch(renderPass -> renderPass.passes().size() > 1
                                && plan.passes().get(renderPass.passes().get(0)).queue() > 0));
        counting.add(
                "overlap group",
                passes.stream().anyMatch(pass -> pass.uses().stream().anyMatch(use -> use.group() >= 0)));
        counting.add(
                "two ranges of one resource",
                passes.stream()
                        .anyMatch(pass -> pass.uses().stream()
                                        .mapToInt(GraphModel.Use::resource)
                                        .distinct()
                                        .count()
                                < pass.uses().size()));
        counting.add(
                "two targets",
                passes.stream()
                        .anyMatch(pass -> pass.uses().stream()
                                        .filter(use -> use.attachment() != null)
                                        .count()
                                > 1));
        counting.add("resolve", passes.stream().anyMatch(CaseFeatures::resolves));
        counting.add(
                "resolve in a shared render pass",
                plan.renderPasses().stream()
                        .anyMatch(renderPass -> renderPass.passes().size() > 1
                                && renderPass.passes().stream()
                                        .anyMatch(p -> resolves(passes.get(CompiledPlan.of(plan)
                                                .structure()
                                                .declaredIndex(p))))));
        counting.add("render area", passes.stream().anyMatch(pass -> pass.quarter() > 0));
        counting.add("parts", passes.stream().anyMatch(pass -> pass.parts() > 0));
        onHost(passes, plan, counting);
        for (GraphModel.Res res : model.resources()) {
            counting.add("several samples", res.samples() > 1);
            counting.add("stencil", res.planes() == 2);
            counting.add("history", res.role() == GraphModel.Role.CURRENT);
            counting.add("passthrough", res.role() == GraphModel.Role.PASSTHROUGH);
            counting.add("upload", res.memory() == MemoryUsage.UPLOAD);
            counting.add("readback", res.memory() == MemoryUsage.READBACK);
        }
        counting.add(
                "three queues at work",
                plan.batches().stream()
                                .mapToInt(FramePlan.Batch::queue)
                                .distinct()
                                .count()
                        > 2);
        counting.add("waits", plan.waitCount() > 0);
        counting.add("culled", plan.culledCount() > 0);
        counting.add("added nodes", plan.passes().size() > passes.size());
        counting.add(
                "shared render pass",
                plan.renderPasses().stream()
                        .anyMatch(renderPass -> renderPass.passes().size() > 1));
        counting.add("shared memory", plan.heapBytes() < plan.transientBytesWithoutAliasing());
    }

    private static void structures(FramePlan plan, Counting counting) {
        Predicate<FramePlan.PassPlan> builds = pass -> uses(pass, Access.ACCELERATION_STRUCTURE_BUILD_WRITE);
        Predicate<FramePlan.PassPlan> traces = pass -> uses(pass, Access.ACCELERATION_STRUCTURE_TRACE_COMPUTE)
                || uses(pass, Access.ACCELERATION_STRUCTURE_TRACE_GRAPHICS)
                || uses(pass, Access.ACCELERATION_STRUCTURE_TRACE_RAYS);
        Predicate<FramePlan.PassPlan> beside = pass -> pass.queue() > 0;
        Predicate<FramePlan.PassPlan> graphics = pass -> pass.queue() == 0;
        counting.add("build on another queue", plan.passes().stream().anyMatch(builds.and(beside)));
        counting.add(
                "update on another queue",
                plan.passes().stream()
                        .anyMatch(beside.and(pass -> uses(pass, Access.ACCELERATION_STRUCTURE_BUILD_READ_WRITE))));
        counting.add("trace on another queue", plan.passes().stream().anyMatch(traces.and(beside)));
        counting.add(
                "trace on graphics behind a build on another queue",
                follows(plan, builds.and(beside), traces.and(graphics)));
        counting.add(
                "build on another queue behind a trace on graphics",
                follows(plan, traces.and(graphics), builds.and(beside)));
    }

    private static boolean uses(FramePlan.PassPlan pass, Access access) {
        return pass.uses().stream().anyMatch(use -> use.access() == access);
    }

    private static boolean follows(
            FramePlan plan, Predicate<FramePlan.PassPlan> first, Predicate<FramePlan.PassPlan> second) {
        return plan.dependencies().stream()
                .anyMatch(dependency -> dependency.to() < plan.passes().size()
                        && first.test(plan.passes().get(dependency.from()))
                        && second.test(plan.passes().get(dependency.to())));
    }

    private static void onHost(List<GraphModel.Pass> passes, FramePlan plan, Counting counting) {
        int host = plan.queues().host();
        counting.add(
                "pass of the host",
                plan.passes().stream().anyMatch(pass -> pass.kind() == PassKind.HOST && !pass.culled()));
        counting.add(
                "a part on the host",
                passes.stream()
                        .anyMatch(pass -> pass.kind() == PassKind.HOST
                                && pass.uses().stream().anyMatch(use -> use.mip() > 0)));
        counting.add(
                "from the host to the device",
                plan.batches().stream()
                        .flatMap(batch -> batch.waits().stream())
                        .anyMatch(wait -> plan.batches().get(wait.batch()).queue() == host));
        counting.add(
                "shown to the host for writing",
                plan.passes().stream()
                        .flatMap(pass -> pass.after().stream())
                        .anyMatch(barrier ->
                                MemoryAccess.covers(barrier.scope().dstAccess(), MemoryAccess.HOST_WRITE.bit())
                                        && barrier.scope().dstStages() == PipelineStage.HOST.bit()));
        counting.add(
                "shown to the host from another queue",
                plan.passes().stream()
                        .anyMatch(pass -> pass.queue() > 0
                                && pass.after().stream()
                                        .anyMatch(barrier -> barrier.scope().dstStages() == PipelineStage.HOST.bit())));
    }

    private static boolean resolves(GraphModel.Pass pass) {
        return pass.uses().stream().anyMatch(GraphModel.Use::isResolve);
    }

    private record Counting(Map<String, Integer> into) {
        void add(String feature, boolean there) {
            if (there) {
                into.merge(feature, 1, Integer::sum);
            }
        }
    }
}
