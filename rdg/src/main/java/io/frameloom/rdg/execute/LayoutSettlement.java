package io.frameloom.rdg.execute;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.BarrierSplit;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.Lifetime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Leaves the external textures of a frame that stopped half-way in the layouts that its plan promises, so that the next
 * frame finds what it was compiled for. Part of the submit chain.
 *
 * <p>The transitions of external textures in the recording groups that were not submitted are issued in plan order, without
 * their passes, each behind everything before it. Contents are whatever the submitted passes left. Images of swapchains have
 * a way of their own ({@link FrameImages#settle}). What is between two queue
 * families loses its contents: the graphics queue takes it as undefined, which needs no transfer. So does what is between the
 * halves of a split barrier, whose event was set and is never waited for: nobody knows whether it is in the old layout still.
 */
final class LayoutSettlement {
    private LayoutSettlement() {}

    /** Submits the missing transitions; nothing if there are none. */
    static void submit(Frame frame, FrameSlot slot, SubmissionChain chain, GpuQueue queue) {
        List<BarrierBatch> missing = missing(frame, chain.submittedGroups());
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

    private static List<BarrierBatch> missing(Frame frame, int firstGroup) {
        FramePlan plan = frame.plan();
        List<BarrierBatch> missing = new ArrayList<>();
        List<FramePlan.PassPlan> passes = plan.recordingGroups().stream()
                .skip(firstGroup)
                .flatMap(group -> group.passes().stream())
                .map(plan.passes()::get)
                .toList();
        Set<Integer> handedOver = handedOver(passes);
        Set<Integer> left = passes.stream().map(FramePlan.PassPlan::index).collect(Collectors.toSet());
        Predicate<FramePlan.PlanBarrier> fromUnknown =
                barrier -> handedOver.contains(barrier.resource()) || isBegun(barrier, left);
        for (FramePlan.PassPlan pass : passes) {
            addTransitions(missing, frame, pass.before(), fromUnknown, family(plan, pass));
            addTransitions(missing, frame, pass.after(), fromUnknown, family(plan, pass));
        }
        return missing;
    }

    /** Returns whether the first half of a barrier was submitted; the second is among the passes that are left. */
    private static boolean isBegun(FramePlan.PlanBarrier barrier, Set<Integer> left) {
        BarrierSplit split = barrier.split();
        return split != null && split.begin() >= 0 && !left.contains(split.begin());
    }

    private static int family(FramePlan plan, FramePlan.PassPlan pass) {
        return plan.queues().queues().get(pass.queue()).family();
    }

    /** Returns the resources that a missing pass would hand over. */
    private static Set<Integer> handedOver(List<FramePlan.PassPlan> passes) {
        Set<Integer> resources = new HashSet<>();
        for (FramePlan.PassPlan pass : passes) {
            Stream.concat(pass.before().stream(), pass.after().stream())
                    .filter(barrier -> barrier.ownership() != null)
                    .forEach(barrier -> resources.add(barrier.resource()));
        }
        return resources;
    }

    private static void addTransitions(
            List<BarrierBatch> missing,
            Frame frame,
            List<FramePlan.PlanBarrier> barriers,
            Predicate<FramePlan.PlanBarrier> fromUnknown,
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
                        fromUnknown.test(barrier) ? TextureLayout.UNDEFINED : barrier.oldLayout(),
                        barrier.newLayout(),
                        null));
            }
        }
        if (!transitions.isEmpty()) {
            missing.add(new BarrierBatch(transitions, List.of(), List.of()));
        }
    }
}
