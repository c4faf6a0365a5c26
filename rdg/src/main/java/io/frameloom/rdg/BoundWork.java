package io.frameloom.rdg;

import io.frameloom.rdg.execute.PlanWork;
import java.util.List;

/**
 * The work of a plan, as bound to its graph.
 *
 * @param plan the plan
 */
record BoundWork(FramePlan plan) implements PlanWork {
    @Override
    public Object shape() {
        return plan.shape();
    }

    @Override
    public PassBody body(int pass) {
        return plan.body(pass);
    }

    @Override
    public List<RdgUniformBuffer> uniforms(int pass) {
        return plan.bindings().uniforms(pass);
    }

    @Override
    public List<RdgSetupTask> setups(int pass) {
        return plan.bindings().setups(pass);
    }

    @Override
    public String siteOf(FramePlan.PassPlan pass) {
        return DeclarationSite.suffix(plan.bindings().site(pass.index()));
    }
}
