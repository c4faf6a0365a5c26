package io.frameloom.rdg.explain;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.plan.PlanArrays;
import io.frameloom.rdg.compile.plan.PlanUses;
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
 * @param stages mask of the stages that wait
 */
public record SwapchainUse(int resource, Texture texture, int firstBatch, int stages, int lastBatch) {
    /** Returns the swapchain images that a plan touches, in order of declaration. */
    public static List<SwapchainUse> of(CompiledPlan plan) {
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

    private static @Nullable SwapchainUse find(CompiledPlan plan, int resource, Texture texture) {
        int first = -1;
        int last = -1;
        int stages = 0;
        for (FramePlan.Batch batch : plan.batches()) {
            for (int index : batch.passes()) {
                int waiting = sourceStages(plan, index, resource);
                if (waiting == 0 && !isUsed(plan, index, resource)) {
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
    private static int sourceStages(CompiledPlan plan, int pass, int resource) {
        PlanArrays arrays = plan.structure().arrays();
        for (int[] boxes : List.of(arrays.barriersBefore(pass), arrays.barriersAfter(pass))) {
            for (int box : boxes) {
                if (arrays.barriers().resource(box) == resource) {
                    return arrays.barriers().scope(box).srcStages();
                }
            }
        }
        return 0;
    }

    private static boolean isUsed(CompiledPlan plan, int pass, int resource) {
        PlanUses uses = plan.structure().arrays().uses();
        for (int use = uses.first(pass); use < uses.end(pass); use++) {
            if (uses.resource(use) == resource) {
                return true;
            }
        }
        return false;
    }
}
