package io.frameloom.rdg;

import io.frameloom.rdg.execute.PlanWork;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

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

    @Override
    public List<String> sites(FramePlan.PassPlan pass, int use) {
        PlanBindings bindings = plan.bindings();
        Set<String> sites = new LinkedHashSet<>(bindings.sites(pass.index(), use));
        sites.addAll(bindings.siteOfResource(pass.uses().get(use).resource()));
        return List.copyOf(sites);
    }
}
