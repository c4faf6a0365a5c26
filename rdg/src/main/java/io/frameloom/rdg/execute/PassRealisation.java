package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.internal.PassParts;
import io.frameloom.gpu.internal.RepeatedCommand;
import io.frameloom.rdg.FramePlan;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pass in terms of a device: everything that recording hands over besides the body's own commands. Immutable, shared
 * by all frames that repeat the plan.
 *
 * @param plan the pass as planned
 * @param before barriers before it, or null
 * @param stored barriers between what it stores and later reads of attachments, before all others after it, or null
 * @param after barriers after it, or null
 * @param awaited second halves of split barriers before it
 * @param begun first halves of split barriers after it
 * @param allUses what it and the others of a render pass use that it begins, if all of them run
 * @param taken first writes that its queue takes from other families if it is left out
 * @param declared indices of the resources its body may take, sorted
 * @param rendering its attachments; null for other than raster passes, and where the body begins rendering itself
 * @param begins whether the pass begins the render pass that it may share with others
 * @param label name of the pass, or of all passes of the render pass it begins
 * @param kept bit mask of the attachments that it only reads, as {@link PassParts#keep} takes it
 * @param x left edge of the render area, 0 without attachments
 * @param y upper edge of the render area, 0 without attachments
 * @param width width of the render area, 0 without attachments
 * @param height height of the render area, 0 without attachments
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PassRealisation(
        FramePlan.PassPlan plan,
        @Nullable RepeatedCommand<BarrierBatch> before,
        @Nullable RepeatedCommand<BarrierBatch> stored,
        @Nullable RepeatedCommand<BarrierBatch> after,
        List<Half> awaited,
        List<Half> begun,
        List<ResourceUse> uses,
        RepeatedCommand<List<ResourceUse>> allUses,
        List<ResourceUse> taken,
        int[] declared,
        @Nullable RepeatedCommand<RenderingInfo> rendering,
        boolean begins,
        boolean ends,
        String label,
        int kept,
        int x,
        int y,
        int width,
        int height) {
    /**
     * One half of a split barrier; both halves are the same object.
     *
     * @param event which of the events of the frame's slot
     */
    record Half(int event, BarrierBatch batch) {}

    /** Returns the same for the pass at the same position of a plan with other names. */
    PassRealisation named(FramePlan.PassPlan pass, String otherLabel) {
        return new PassRealisation(
                pass,
                before,
                stored,
                after,
                awaited,
                begun,
                uses,
                allUses,
                taken,
                declared,
                rendering,
                begins,
                ends,
                otherLabel,
                kept,
                x,
                y,
                width,
                height);
    }

    boolean declares(int resource) {
        return Arrays.binarySearch(declared, resource) >= 0;
    }

    /** Sets viewport and scissor to the render area, as they are where a render pass begins. */
    void resetViewport(CommandList list) {
        list.setViewport(x, y, width, height);
        list.setScissor(x, y, width, height);
    }

    /** Returns whether the compiler added the pass for its barriers alone. */
    boolean barriersOnly() {
        return plan.level() < 0;
    }
}
