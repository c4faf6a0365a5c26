package io.frameloom.rdg.explain;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.BarrierSplit;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import io.frameloom.rdg.FramePlan.HeapPlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.FramePlan.RenderPassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.PlanDerivation.DependencyKind;
import io.frameloom.rdg.PlanDerivation.Epoch;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.async.RegionDecision;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.options.NearestNames;
import io.frameloom.rdg.options.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says of a pass or a resource why it is as it is. */
public final class PlanExplanation {
    private final CompiledPlan plan;
    private final List<String> lines = new ArrayList<>();

    public PlanExplanation(CompiledPlan plan) {
        this.plan = plan;
    }

    public List<String> of(String name) {
        for (PassPlan pass : plan.passes()) {
            if (pass.name().equals(name)) {
                pass(pass);
            }
        }
        for (ResourcePlan resource : plan.resources()) {
            if (resource.name().equals(name)) {
                resource(resource);
            }
        }
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("no pass or resource is called '" + name + "'; " + nearest(name));
        }
        return lines.stream().map(PrintableText::of).toList();
    }

    private String nearest(String name) {
        List<String> known = new ArrayList<>();
        plan.passes().forEach(pass -> known.add(pass.name()));
        plan.resources().forEach(resource -> known.add(resource.name()));
        return known.isEmpty() ? "the graph has none" : "the nearest are " + NearestNames.of(name, known);
    }

    private void pass(PassPlan pass) {
        if (pass.culled()) {
            lines.add("pass '" + pass.name() + "' is removed: " + pass.cullReason());
            return;
        }
        boolean added = pass.level() < 0;
        boolean host = pass.kind() == PassKind.HOST;
        lines.add("pass '" + pass.name() + "' runs on "
                + (host
                        ? "the host"
                        : "queue " + plan.queues().queues().get(pass.queue()).name())
                + (added ? ", added by the compiler to change layouts between queues" : ", level " + pass.level()));
        if (!added) {
            whyThere(pass);
        }
        for (Dependency dependency : plan.dependencies()) {
            if (dependency.to() == pass.index()) {
                lines.add("  comes after '" + passName(dependency.from()) + "': " + why(dependency));
            }
        }
        for (Batch batch : plan.batches()) {
            if (batch.passes().contains(pass.index())) {
                lines.add(host ? "  is batch " + batch.index() : "  is submitted in batch " + batch.index());
                if (batch.passes().get(0) == pass.index()) {
                    for (BatchWait wait : batch.waits()) {
                        lines.add("  waits for batch " + wait.batch() + ": " + wait.reason());
                    }
                }
            }
        }
        for (SwapchainUse image : SwapchainUse.of(plan)) {
            if (inBatch(pass, image.firstBatch())) {
                lines.add("  its batch waits for the acquisition of " + imageName(image));
            }
            if (inBatch(pass, image.lastBatch())) {
                lines.add("  " + imageName(image) + " is presented after its batch");
            }
        }
        renderPass(pass);
        pass.before().forEach(barrier -> lines.add("  before it: " + inside(pass) + barrier(barrier)));
        pass.after().forEach(barrier -> lines.add("  after it: " + barrier(barrier)));
    }

    private void whyThere(PassPlan pass) {
        int named = plan.structure().arrays().namedQueue(pass.index());
        RegionDecision decision = plan.decisionOf(pass.index());
        boolean off = plan.options().async() == AsyncCompute.OFF;
        boolean tagged =
                pass.flags().contains(PassFlag.ASYNC_COMPUTE) || pass.flags().contains(PassFlag.ASYNC_COPY);
        if (named >= 0) {
            lines.add(
                    named == pass.queue()
                            ? "  its declaration names that queue"
                            : "  its declaration names queue "
                                    + plan.queues().queues().get(named).name() + ", but async is off");
        } else if (decision != null && decision.beside() == (pass.queue() != 0)) {
            measured(pass, decision);
        } else if (tagged && pass.queue() == 0) {
            lines.add("  may leave that queue, but " + (off ? "async is off" : "no other can take it"));
        }
    }

    private void measured(PassPlan pass, RegionDecision decision) {
        String others = decision.passes().stream()
                .map(declared -> plan.passes().get(plan.structure().planIndex(declared)))
                .filter(other -> other.index() != pass.index() && !other.culled())
                .map(PassPlan::name)
                .collect(Collectors.joining(", "));
        lines.add("  its region" + (others.isEmpty() ? "" : ", with " + others + ",") + " is " + decision.reason());
    }

    private boolean inBatch(PassPlan pass, int batch) {
        return plan.batches().get(batch).passes().contains(pass.index());
    }

    private String imageName(SwapchainUse image) {
        return "'" + plan.resources().get(image.resource()).name() + "'";
    }

    private void targets(RenderTargets targets) {
        for (RenderTargets.Color color : targets.colors()) {
            String what = color.readOnly() ? "only read" : drawn(color.load(), color.store());
            target("colour", color.resource(), what, color.resolve());
        }
        RenderTargets.Depth depth = targets.depth();
        if (depth != null) {
            String what = depth.readOnly() ? "only tested" : drawn(depth.load(), depth.store());
            target("depth", depth.resource(), what, depth.resolve());
        }
        RenderTargets.Stencil stencil = targets.stencil();
        if (stencil != null) {
            String what = stencil.readOnly() ? "only tested" : drawn(stencil.load(), stencil.store());
            target("stencil", stencil.resource(), what, stencil.resolve());
        }
    }

    private static String drawn(LoadOp load, StoreOp store) {
        return "load " + load + ", store " + store;
    }

    private void target(String aspect, int resource, String what, RenderTargets.@Nullable Resolve resolve) {
        lines.add("  " + aspect + " of '" + plan.resources().get(resource).name() + "': " + what
                + (resolve == null
                        ? ""
                        : ", resolved to '"
                                + plan.resources().get(resolve.resource()).name() + "'"));
    }

    private void renderPass(PassPlan pass) {
        if (pass.targets() != null) {
            targets(pass.targets());
        }
        for (RenderPassPlan renderPass : plan.renderPasses()) {
            if (!renderPass.passes().contains(pass.index())) {
                continue;
            }
            if (renderPass.passes().size() > 1) {
                lines.add("  shares its render pass: "
                        + renderPass.passes().stream().map(this::passName).collect(Collectors.joining(", ")));
            }
            if (renderPass.passes().get(0) == pass.index()
                    && !renderPass.refusal().isEmpty()) {
                lines.add("  begins a render pass, does not join the one before: " + renderPass.refusal());
            }
        }
    }

    private String why(Dependency dependency) {
        String resource = dependency.resource() < 0
                ? ""
                : " on '" + plan.resources().get(dependency.resource()).name() + "'";
        String kinds = dependency.kinds().stream().map(DependencyKind::toString).collect(Collectors.joining(", "));
        String across = !dependency.crossQueue()
                ? ""
                : dependency.waited() ? "; its queue waits for it" : "; " + plan.impliedBy(dependency);
        return kinds + resource + across;
    }

    private void resource(ResourcePlan resource) {
        String kind = resource.texture() ? "texture" : "buffer";
        String life = resource.lifetime().name().toLowerCase(Locale.ROOT);
        lines.add(kind + " '" + resource.name() + "' is " + life
                + (resource.used() ? "" : ", and no pass that runs uses it"));
        if (resource.heap() >= 0) {
            lines.add("  lies in heap " + resource.heap() + " at " + resource.offset() + ", " + resource.bytes()
                    + " bytes" + sharers(resource));
            searched(plan.heaps().get(resource.heap()));
        } else if (resource.lazy()) {
            lines.add("  takes at most " + Plural.of(resource.bytes(), "byte"));
        }
        lines.add("  " + plan.placementReason(resource));
        for (SwapchainUse image : SwapchainUse.of(plan)) {
            if (image.resource() == resource.index()) {
                lines.add("  is acquired: batch " + image.firstBatch() + " waits for that at "
                        + PipelineStage.describe(image.stages()));
                lines.add("  is presented after batch " + image.lastBatch());
            }
        }
        for (Epoch epoch : plan.epochs()) {
            if (epoch.resource() == resource.index()) {
                lines.add("  " + (epoch.write() ? "written" : "read")
                        + (resource.texture() ? " in " + epoch.layout() : "") + " by "
                        + epoch.passes().stream().map(this::passName).collect(Collectors.joining(", ")));
            }
        }
        for (PassPlan pass : plan.passes()) {
            barriersOf(resource, pass, pass.before(), "before");
            barriersOf(resource, pass, pass.after(), "after");
        }
        if (resource.texture()) {
            lines.add("  is left in " + resource.finalLayout());
        }
    }

    private void searched(HeapPlan heap) {
        if (heap.bytes() < heap.unsearchedBytes()) {
            lines.add("  a search has lowered that heap from " + Plural.of(heap.unsearchedBytes(), "byte") + " to "
                    + heap.bytes());
        }
    }

    private String sharers(ResourcePlan resource) {
        String names = plan.resources().stream()
                .filter(other -> other.index() != resource.index() && PlacementReasons.overlap(resource, other))
                .map(ResourcePlan::name)
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : ", shared in turn with " + names;
    }

    private void barriersOf(ResourcePlan resource, PassPlan pass, List<PlanBarrier> barriers, String where) {
        for (PlanBarrier barrier : barriers) {
            if (barrier.resource() == resource.index()) {
                lines.add("  barrier " + where + " '" + pass.name() + "': "
                        + (where.equals("before") ? inside(pass) : "") + barrier(barrier));
            }
        }
    }

    private String barrier(PlanBarrier barrier) {
        String layouts = barrier.oldLayout() == barrier.newLayout()
                ? ""
                : barrier.oldLayout() + " -> " + barrier.newLayout() + ", ";
        String part = barrier.part(plan);
        return plan.resources().get(barrier.resource()).name() + (part.isEmpty() ? "" : " (" + part + ")") + ": "
                + layouts + barrier.reason()
                + BarrierSplit.describe(plan, barrier);
    }

    /** Barriers before a pass that goes on with a render pass lie inside of that. */
    private String inside(PassPlan pass) {
        return plan.renderPasses().stream().anyMatch(shared -> shared.passes().indexOf(pass.index()) > 0)
                ? "by region, inside of the render pass, "
                : "";
    }

    private String passName(int pass) {
        return plan.passes().get(pass).name();
    }
}
