package io.frameloom.rdg.execute;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.Texture;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.Lifetime;
import java.util.ArrayList;
import java.util.List;

/**
 * Leaves the external textures of a frame that stopped half-way in the layouts that its plan promises, so that the next
 * frame finds what it was compiled for. Part of the submit chain.
 *
 * <p>The transitions of external textures in the batches that were not submitted are issued in plan order, without their
 * passes, each behind everything before it. Contents are whatever the submitted passes left. Images of swapchains are left
 * alone: nothing may have waited for their acquisition, and each frame takes them as undefined.
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
        chain.submitBehindAll(queue, label, list);
    }

    private static List<BarrierBatch> missing(Frame frame, int firstBatch) {
        PlanRealisation realisation = frame.realisation();
        FramePlan plan = frame.plan();
        List<BarrierBatch> missing = new ArrayList<>();
        for (int batch = firstBatch; batch < realisation.batchCount(); batch++) {
            for (int pass : plan.batches().get(batch).passes()) {
                FramePlan.PassPlan planned = plan.passes().get(pass);
                addTransitions(missing, frame, planned.before());
                addTransitions(missing, frame, planned.after());
            }
        }
        return missing;
    }

    private static void addTransitions(List<BarrierBatch> missing, Frame frame, List<FramePlan.PlanBarrier> barriers) {
        List<BarrierBatch.TextureBarrier> transitions = new ArrayList<>();
        for (FramePlan.PlanBarrier barrier : barriers) {
            FramePlan.ResourcePlan resource = frame.plan().resources().get(barrier.resource());
            if ((resource.lifetime() == Lifetime.EXTERNAL || resource.lifetime() == Lifetime.HISTORY)
                    && barrier.range() != null
                    && barrier.oldLayout() != barrier.newLayout()
                    && frame.resource(barrier.resource()) instanceof Texture texture
                    && !texture.isSwapchainImage()) {
                transitions.add(new BarrierBatch.TextureBarrier(
                        texture,
                        barrier.range(),
                        BarrierBatch.GlobalBarrier.FULL.scope(),
                        barrier.oldLayout(),
                        barrier.newLayout(),
                        null));
            }
        }
        if (!transitions.isEmpty()) {
            missing.add(new BarrierBatch(transitions, List.of(), List.of()));
        }
    }
}
