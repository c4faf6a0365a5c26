package io.frameloom.rdg.execute;

import io.frameloom.rdg.FramePlan;
import java.util.List;

/**
 * What the passes of a plan are called in markers, in command lists and in tasks.
 *
 * @param renderPasses by pass the passes that share its render pass, none if it has none
 */
record PassLabels(FramePlan plan, List<List<Integer>> renderPasses) {
    /** Returns the label of a pass: its name, or those of all passes of the render pass that it begins. */
    String of(FramePlan.PassPlan pass) {
        List<Integer> renderPass = renderPasses.get(pass.index());
        if (renderPass.size() < 2 || renderPass.get(0) != pass.index()) {
            return pass.name();
        }
        StringBuilder label = new StringBuilder(pass.name());
        for (int i = 1; i < renderPass.size(); i++) {
            label.append(" + ").append(plan.passes().get(renderPass.get(i)).name());
        }
        return label.toString();
    }

    static String of(List<PassRealisation> members) {
        String first = members.get(0).plan().name();
        return members.size() == 1
                ? first
                : first + " .. " + members.get(members.size() - 1).plan().name();
    }

    /**
     * Returns a realisation of a plan that does the same with the same under other names, under the names of this plan.
     */
    PlanRealisation onto(PlanRealisation known) {
        return known.with(group -> PlanRealisation.GroupRealisation.of(
                group.batch(),
                group.queue(),
                group.passes().stream().map(this::onto).toList(),
                group.onCaller()));
    }

    private PassRealisation onto(PassRealisation known) {
        FramePlan.PassPlan pass = plan.passes().get(known.plan().index());
        return known.named(pass, of(pass));
    }
}
