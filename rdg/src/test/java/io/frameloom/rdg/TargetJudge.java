package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.StoreOp;
import java.util.List;

/** Judges what render passes load, store and resolve. */
final class TargetJudge {
    private final GraphModel model;
    private final FramePlan plan;
    private final PlanTouches uses;

    TargetJudge(GraphModel model, FramePlan plan, PlanTouches uses) {
        this.model = model;
        this.plan = plan;
        this.uses = uses;
    }

    void judge() {
        attachments();
        resolves();
    }

    /** Nothing undefined is loaded, nothing needed is thrown away, nothing else is stored. */
    private void attachments() {
        for (int p = 0; p < model.passes().size(); p++) {
            RenderTargets targets = plan.passes().get(p).targets();
            for (GraphModel.Use use : model.passes().get(p).uses()) {
                if (targets == null || use.attachment() == null) {
                    continue;
                }
                GraphModel.Res res = model.resources().get(use.resource());
                int unit = (use.plane() * res.layers() + use.layer()) * res.mips() + use.mip();
                RenderTargets.Depth depth = targets.depth();
                LoadOp load = null;
                StoreOp store = null;
                if (res.depth() && depth != null) {
                    load = depth.load();
                    store = depth.store();
                }
                for (RenderTargets.Color color : targets.colors()) {
                    if (color.resource() == use.resource() && color.range().equals(use.range())) {
                        load = color.load();
                        store = color.store();
                    }
                }
                List<Integer> shared = uses.renderPass(p);
                int first = shared.get(0);
                int last = shared.get(shared.size() - 1);
                LoadOp declared = loadOf(first, use);
                boolean contents = uses.hasContents(use.resource(), unit, first);
                boolean lost =
                        declared == LoadOp.LOAD && !contents && use.access().writes();
                assertThat(load).isEqualTo(lost ? LoadOp.DONT_CARE : declared);
                boolean wanted = PlanTouches.isOutput(res);
                for (PlanTouches.Touch touch : uses.touches(use.resource(), unit)) {
                    if (touch.pass() > last) {
                        wanted = touch.needs();
                        break;
                    }
                }
                assertThat(store).isEqualTo(wanted ? StoreOp.STORE : StoreOp.DONT_CARE);
            }
        }
    }

    /** What somebody needs is resolved, at the end of the render pass; nothing else is. */
    private void resolves() {
        for (int p = 0; p < model.passes().size(); p++) {
            RenderTargets targets = plan.passes().get(p).targets();
            for (GraphModel.Use use : model.passes().get(p).uses()) {
                if (targets == null || !use.isResolve()) {
                    continue;
                }
                GraphModel.Res res = model.resources().get(use.resource());
                boolean wanted = PlanTouches.isOutput(res);
                for (PlanTouches.Touch touch : uses.touches(use.resource(), use.layer() * res.mips() + use.mip())) {
                    if (touch.pass() > p) {
                        wanted = touch.needs();
                        break;
                    }
                }
                List<Integer> shared = uses.renderPass(p);
                boolean last = shared.get(shared.size() - 1) == p;
                boolean resolved = targets.colors().stream()
                        .anyMatch(color -> color.resolve() != null
                                && color.resolve().resource() == use.resource()
                                && color.resolve().range().equals(use.range()));
                String what = "p" + p + " resolves to " + res.name();
                assertThat(last && resolved).as(what).isEqualTo(wanted);
                assertThat(last || !resolved)
                        .as(what + " inside of its render pass")
                        .isTrue();
            }
        }
    }

    private LoadOp loadOf(int pass, GraphModel.Use target) {
        for (GraphModel.Use use : model.passes().get(pass).uses()) {
            LoadOp load = use.attachment();
            if (use.meets(target) && load != null) {
                return load;
            }
        }
        throw new AssertionError("p" + pass + " has no target r" + target.resource());
    }
}
