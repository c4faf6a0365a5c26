package io.frameloom.rdg.execute;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.Lifetime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Leaves the external textures of a frame that stopped half-way in the layouts that its plan promises, so that the next
 * frame finds what it was compiled for. Part of the submit chain.
 *
 * <p>The transitions of external textures in the batches that were not submitted are issued in plan order, without their
 * passes, each behind everything before it. Contents are whatever the submitted passes left. Images of swapchains have
 * a way of their own ({@link FrameImages#settle}). What is between two queue
 * families loses its contents: the graphics queue takes it as undefined, which needs no transfer.
 */
final class LayoutSettlement {
    private LayoutSettlement() {}

    /** Submits the missing transitions; nothing if there are none. */
    static void submit(Frame frame, FrameSlot slot, SubmissionChain chain, GpuQueue queue) {
        List<BarrierBatch> missing = missing(frame, chain.submitted());
        if (missing.isEmpty()) {
            return;
        }
        String label = "settle layouts of frame " + frame.number();
        CommandList list = slot.context().beginCommands(queue, label);
        list.barrier(GroupTask.FRAME_BOUNDARY);
        missing.forEach(list::barrier);
        list.end();
        chain.submitBehindAll(queue, label, list, List.of(), List.of());
    }

    private static List<BarrierBatch> missing(Frame frame, int firstBatch) {
        PlanRealisation realisation = frame.realisation();
        FramePlan plan = frame.plan();
        List<BarrierBatch> missing = new ArrayList<>();
        Set<Integer> handedOver = handedOver(plan, firstBatch, realisation.batchCount());
        for (int batch = firstBatch; batch < realisation.batchCount(); batch++) {
            for (int pass : plan.batches().get(batch).passes()) {
                FramePlan.PassPlan planned = plan.passes().get(pass);
                addTransitions(missing, frame, planned.before(), handedOver, family(plan, planned));
                addTransitions(missing, frame, planned.after(), handedOver, family(plan, planned));
            }
        }
        return missing;
    }

    private static int family(FramePlan plan, FramePlan.PassPlan pass) {
        return plan.queues().queues().get(pass.queue()).family();
    }

    /** Returns the resources that a missing batch would hand over. */
    private static Set<Integer> handedOver(FramePlan plan, int firstBatch, int batches) {
        Set<Integer> resources = new HashSet<>();
        for (int batch = firstBatch; batch < batches; batch++) {
            for (int pass : plan.batches().get(batch).passes()) {
                FramePlan.PassPlan planned = plan.passes().get(pass);
                Stream.concat(planned.before().stream(), planned.after().stream())
                        .filter(barrier -> barrier.ownership() != null)
                        .forEach(barrier -> resources.add(barrier.resource()));
            }
        }
        return resources;
    }

    private static void addTransitions(
            List<BarrierBatch> missing,
            Frame frame,
            List<FramePlan.PlanBarrier> barriers,
            Set<Integer> handedOver,
            int family) {
        List<BarrierBatch.TextureBarrier> transitions = new ArrayList<>();
        for (FramePlan.PlanBarrier barrier : barriers) {
            FramePlan.ResourcePlan resource = frame.plan().resources().get(barrier.resource());
            if ((resource.lifetime() == Lifetime.EXTERNAL || resource.lifetime() == Lifetime.HISTORY)
                    && barrier.range() != null
                    && (barrier.ownership() == null
                            ? barrier.oldLayout() != barrier.newLayout()
                            : barrier.ownership().to() == family)
                    && frame.resource(barrier.resource()) instanceof Texture texture
                    && !texture.isSwapchainImage()) {
                transitions.add(new BarrierBatch.TextureBarrier(
                        texture,
                        barrier.range(),
                        BarrierBatch.GlobalBarrier.FULL.scope(),
                        handedOver.contains(barrier.resource()) ? TextureLayout.UNDEFINED : barrier.oldLayout(),
                        barrier.newLayout(),
                        null));
            }
        }
        if (!transitions.isEmpty()) {
            missing.add(new BarrierBatch(transitions, List.of(), List.of()));
        }
    }
}
