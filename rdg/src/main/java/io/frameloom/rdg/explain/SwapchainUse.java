package io.frameloom.rdg.explain;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.Lifetime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A swapchain image in a plan. The batch of its first use waits for the acquisition, at the stages that its first
 * barrier waits for; the batch of its last use lets it be presented. Every other use lies between the two, since the
 * image comes undefined and is left in another layout. So its first barrier comes before all uses, its last one after
 * them.
 *
 * @param resource index in the plan
 * @param texture texture of the image
 * @param firstBatch batch that waits
 * @param stages mask of the stages that wait
 * @param lastBatch batch that signals
 */
public record SwapchainUse(int resource, Texture texture, int firstBatch, int stages, int lastBatch) {
    /** Returns the swapchain images that a plan touches, in order of declaration. */
    public static List<SwapchainUse> of(FramePlan plan) {
        List<SwapchainUse> uses = new ArrayList<>(0);
        for (FramePlan.ResourcePlan resource : plan.resources()) {
            if (resource.lifetime() == Lifetime.EXTERNAL
                    && resource.external() instanceof Texture texture
                    && texture.isSwapchainImage()) {
                SwapchainUse use = find(plan, resource.index(), texture);
                if (use != null) {
                    uses.add(use);
                }
            }
        }
        return List.copyOf(uses);
    }

    private static @Nullable SwapchainUse find(FramePlan plan, int resource, Texture texture) {
        int first = -1;
        int last = -1;
        int stages = 0;
        for (FramePlan.Batch batch : plan.batches()) {
            for (int index : batch.passes()) {
                FramePlan.PassPlan pass = plan.passes().get(index);
                int waiting = sourceStages(pass, resource);
                if (waiting == 0 && pass.uses().stream().noneMatch(use -> use.resource() == resource)) {
                    continue;
                }
                if (first < 0) {
                    first = batch.index();
                    stages = waiting == 0 ? PipelineStage.ALL_COMMANDS.bit() : waiting;
                }
                last = batch.index();
            }
        }
        return first < 0 ? null : new SwapchainUse(resource, texture, first, stages, last);
    }

    /** Returns what the first barrier of a resource at a pass waits for, 0 if there is none. */
    private static int sourceStages(FramePlan.PassPlan pass, int resource) {
        for (List<FramePlan.PlanBarrier> barriers : List.of(pass.before(), pass.after())) {
            for (FramePlan.PlanBarrier barrier : barriers) {
                if (barrier.resource() == resource) {
                    return barrier.scope().srcStages();
                }
            }
        }
        return 0;
    }
}
