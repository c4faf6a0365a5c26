package io.frameloom.rdg;

import io.frameloom.gpu.check.UnneededSync;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import java.util.ArrayList;
import java.util.List;

/**
 * The barriers of a plan without which the checker finds nothing in one frame, and why they are there:
 *
 * <ul>
 *   <li>They leave what the frame ends with for the next one, or for a host that reads when it likes.
 *   <li>Since what it orders its queue has waited for another queue that had waited for that. The queue stands still there
 *       anyway, so the barrier costs nothing behind it.
 *   <li>It only orders, a write behind reads, and a barrier of something else in between orders as much. Layers that
 *       validate synchronization follow barriers of a resource no further than that resource, and would miss it.
 *   <li>It is from what a pass that is recorded has written on the host, which the submission itself makes visible.
 * </ul>
 */
final class NeedlessBarriers {
    private final FramePlan plan;

    NeedlessBarriers(FramePlan plan) {
        this.plan = plan;
    }

    /** Returns whether a barrier that the checker does not need is one of these, whichever of the plan's it may be. */
    boolean contains(UnneededSync unneeded) {
        int batch = batch(unneeded);
        boolean any = false;
        for (int index : plan.batches().get(batch).passes()) {
            PassPlan pass = plan.passes().get(index);
            for (PlanBarrier barrier : pass.before()) {
                boolean here = unneeded.what().endsWith(", before pass '" + pass.name() + "'");
                if (isNamed(unneeded.what(), barrier) && (here || isForLater(barrier))) {
                    any = true;
                    if (!isForLater(barrier) && !isImplied(batch, pass, barrier)) {
                        return false;
                    }
                }
            }
            for (PlanBarrier barrier : pass.after()) {
                any |= isNamed(unneeded.what(), barrier) && isForLater(barrier);
            }
        }
        return any;
    }

    private static boolean isForLater(PlanBarrier barrier) {
        return barrier.reason().startsWith("end of frame: ");
    }

    /** Returns which batch a wait or barrier is of. */
    static int batch(UnneededSync unneeded) {
        return Integer.parseInt(
                unneeded.submission().substring(unneeded.submission().indexOf('#') + 1));
    }

    private boolean isNamed(String what, PlanBarrier barrier) {
        FramePlan.ResourcePlan resource = plan.resources().get(barrier.resource());
        // The two halves of a history have names of their own.
        Resource external = resource.external();
        String name = "'" + (external == null ? resource.name() : external.name()) + "'";
        return what.contains(name)
                && what.contains(
                        " from " + PipelineStage.describe(barrier.scope().srcStages()) + " / "
                                + MemoryAccess.describe(barrier.scope().srcAccess()) + " to "
                                + PipelineStage.describe(barrier.scope().dstStages()) + " / "
                                + MemoryAccess.describe(barrier.scope().dstAccess()) + ", ");
    }

    private boolean isImplied(int batch, PassPlan pass, PlanBarrier barrier) {
        if (barrier.oldLayout() != barrier.newLayout() || barrier.ownership() != null) {
            return false;
        }
        if (barrier.scope().srcStages() == PipelineStage.HOST.bit()) {
            return true;
        }
        List<PassPlan> between = new ArrayList<>();
        for (int at = batch; at >= 0; at--) {
            if (plan.batches().get(at).queue() != pass.queue()) {
                continue;
            }
            List<Integer> passes = plan.batches().get(at).passes();
            int end = at == batch ? passes.indexOf(pass.index()) : passes.size();
            for (int i = end - 1; i >= 0; i--) {
                PassPlan earlier = plan.passes().get(passes.get(i));
                if (isOrdered(earlier, barrier)) {
                    return isRoundTrip(at, batch)
                            || (barrier.scope().srcAccess() == 0 && isOrderedBeside(earlier, between, pass, barrier));
                }
                between.add(earlier);
            }
        }
        return false;
    }

    /** Returns whether a barrier is for the sake of what a pass did. */
    private static boolean isOrdered(PassPlan earlier, PlanBarrier barrier) {
        boolean writes = barrier.scope().srcAccess() != 0;
        return earlier.uses().stream()
                .anyMatch(use -> use.resource() == barrier.resource()
                        && (use.range() == null
                                ? use.offset() < barrier.offset() + barrier.bytes()
                                        && barrier.offset() < use.offset() + use.bytes()
                                : barrier.range() != null && use.range().overlaps(barrier.range()))
                        && (!writes || use.access().writes()));
    }

    /** Returns whether a batch comes behind an earlier one of its queue by way of another queue. */
    private boolean isRoundTrip(int source, int batch) {
        int queue = plan.batches().get(batch).queue();
        for (int at = batch; at > source; at--) {
            FramePlan.Batch each = plan.batches().get(at);
            if (each.queue() == queue && each.waits().stream().anyMatch(wait -> comesBehind(wait.batch(), source))) {
                return true;
            }
        }
        return false;
    }

    private boolean comesBehind(int batch, int source) {
        if (batch <= source) {
            return batch == source;
        }
        FramePlan.Batch later = plan.batches().get(batch);
        for (int at = batch - 1; at >= source; at--) {
            if (plan.batches().get(at).queue() == later.queue()) {
                return comesBehind(at, source) || waitsBehind(later, source);
            }
        }
        return waitsBehind(later, source);
    }

    private boolean waitsBehind(FramePlan.Batch later, int source) {
        return later.waits().stream().anyMatch(wait -> comesBehind(wait.batch(), source));
    }

    private static boolean isOrderedBeside(
            PassPlan earlier, List<PassPlan> between, PassPlan pass, PlanBarrier barrier) {
        List<PlanBarrier> others = new ArrayList<>(earlier.after());
        for (PassPlan each : between) {
            others.addAll(each.before());
            others.addAll(each.after());
        }
        others.addAll(pass.before());
        return others.stream()
                .anyMatch(other -> !other.equals(barrier)
                        && PipelineStage.covers(
                                other.scope().srcStages(), barrier.scope().srcStages())
                        && PipelineStage.covers(
                                other.scope().dstStages(), barrier.scope().dstStages()));
    }
}
