package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.bind.CompiledPlan;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Judges a plan by what its graph means, unit by unit, sharing nothing with the compiler. */
final class PlanJudge {
    /** The graph with its passes in the order of the plan. */
    private final GraphModel model;

    private final FramePlan plan;
    private final RdgOptions options;

    /** Judges a plan that was compiled for these queues and options. */
    PlanJudge(GraphModel model, FramePlan plan) {
        this.plan = plan;
        this.options = plan.options();
        int[] order = new int[model.passes().size()];
        for (int p = 0; p < order.length; p++) {
            order[p] = CompiledPlan.of(plan).structure().declaredIndex(p);
        }
        PlacementJudge.order(model, order, options);
        this.model = model.ordered(order).effective();
    }

    void judge() {
        culling();
        everyPassOnce();
        PlanTouches uses = new PlanTouches(model, plan);
        EventGraph events = new EventGraph(plan);
        new PlacementJudge(model, plan).judge();
        new UnitJudge(model, plan, uses, events).judge();
        new WaitJudge(model, plan, uses).judge();
        new MemoryJudge(model, plan, uses, events).judge();
        new TargetJudge(model, plan, uses).judge();
    }

    /** What each pass contributes to the outputs, by following contents forwards. */
    private void culling() {
        int passes = model.passes().size();
        BitSet live = new BitSet();
        List<List<BitSet>> contents = new ArrayList<>();
        model.resources().forEach(res -> {
            List<BitSet> units = new ArrayList<>();
            for (int u = 0; u < res.units(); u++) {
                units.add(new BitSet());
            }
            contents.add(units);
        });
        for (int p = 0; p < passes; p++) {
            BitSet cause = new BitSet();
            cause.set(p);
            for (GraphModel.Use use : model.passes().get(p).uses()) {
                GraphModel.Res res = model.resources().get(use.resource());
                for (int u = 0; u < res.units(); u++) {
                    if (use.covers(res, u) && use.needs()) {
                        cause.or(contents.get(use.resource()).get(u));
                    }
                }
            }
            for (GraphModel.Use use : model.passes().get(p).uses()) {
                GraphModel.Res res = model.resources().get(use.resource());
                for (int u = 0; u < res.units(); u++) {
                    if (use.covers(res, u) && use.access().writes()) {
                        contents.get(use.resource()).set(u, cause);
                    }
                }
            }
            if (model.passes().get(p).neverCull()
                    || model.passes().get(p).has(PassFlag.READBACK)
                    || model.passes().get(p).has(PassFlag.UNTRACKED_ACCESS)) {
                live.or(cause);
            }
        }
        for (int r = 0; r < contents.size(); r++) {
            if (PlanTouches.isOutput(model.resources().get(r))) {
                contents.get(r).forEach(live::or);
            }
        }
        for (int p = 0; p < passes; p++) {
            assertThat(plan.passes().get(p).culled())
                    .as("culled p" + p)
                    .isEqualTo(options.cullPasses() && !live.get(p));
        }
    }

    private void everyPassOnce() {
        int[] count = new int[plan.passes().size()];
        plan.batches().forEach(batch -> batch.passes().forEach(p -> count[p]++));
        List<Integer> recorded = new ArrayList<>();
        plan.recordingGroups().forEach(group -> recorded.addAll(group.passes()));
        List<Integer> submitted = new ArrayList<>();
        plan.batches().forEach(batch -> submitted.addAll(batch.passes()));
        for (int p = 0; p < count.length; p++) {
            assertThat(count[p]).isEqualTo(plan.passes().get(p).culled() ? 0 : 1);
        }
        assertThat(recorded).isEqualTo(submitted);
    }
}
