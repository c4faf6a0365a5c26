package io.frameloom.rdg;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import java.util.ArrayList;
import java.util.List;

/** What the passes of a plan do to each unit of a resource, by the graph as declared. */
final class PlanTouches {
    private final GraphModel model;
    private final FramePlan plan;

    /** The passes of the model are in the order of the plan. */
    PlanTouches(GraphModel model, FramePlan plan) {
        this.model = model;
        this.plan = plan;
    }

    record Touch(int pass, int stages, int access, boolean write, boolean needs, TextureLayout layout, int group) {}

    List<Touch> touches(int r, int unit) {
        List<Touch> result = new ArrayList<>();
        for (int p = 0; p < model.passes().size(); p++) {
            List<GraphModel.Use> uses = model.passes().get(p).uses();
            for (int i = 0; i < uses.size() && !plan.passes().get(p).culled(); i++) {
                GraphModel.Use use = uses.get(i);
                if (use.resource() == r && use.covers(model.resources().get(r), unit)) {
                    result.add(new Touch(
                            p,
                            use.access().stages(),
                            use.access().memoryAccess(),
                            use.access().writes(),
                            use.needs(),
                            plan.passes().get(p).uses().get(i).layout(),
                            use.group()));
                }
            }
        }
        return result;
    }

    /** Writes of one group with nothing but writes of the group between them need no order. */
    boolean overlap(List<Touch> touches, int i, int j) {
        if (!plan.options().overlapStorageWrites()) {
            return false;
        }
        for (int k = i; k <= j; k++) {
            if (!touches.get(k).write || touches.get(k).group < 0 || touches.get(k).group != touches.get(i).group) {
                return false;
            }
        }
        return true;
    }

    List<Integer> renderPass(int pass) {
        return plan.renderPasses().stream()
                .map(FramePlan.RenderPassPlan::passes)
                .filter(passes -> passes.contains(pass))
                .findFirst()
                .orElse(List.of());
    }

    boolean on(PlanBarrier barrier, int r, int unit) {
        if (barrier.resource() != r) {
            return false;
        }
        GraphModel.Res res = model.resources().get(r);
        SubresourceRange range = barrier.range();
        if (range == null) {
            long at = (long) unit * GraphModel.UNIT_BYTES;
            return barrier.offset() <= at && at < barrier.offset() + barrier.bytes();
        }
        int mip = unit % res.mips();
        int layer = unit / res.mips() % res.layers();
        int plane = unit / (res.mips() * res.layers());
        return range.overlaps(new SubresourceRange(mip, 1, layer, 1, plane, 1));
    }

    boolean hasContents(int r, int unit, int pass) {
        return model.resources().get(r).hasContents()
                || touches(r, unit).stream().anyMatch(touch -> touch.write && touch.pass < pass);
    }

    /** What a history begins with is there for the frame alone. */
    static boolean isOutput(GraphModel.Res res) {
        return res.lifetime() != Lifetime.TRANSIENT && res.role() != GraphModel.Role.PREVIOUS;
    }
}
