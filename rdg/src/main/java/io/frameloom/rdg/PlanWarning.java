package io.frameloom.rdg;

import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import java.util.ArrayList;
import java.util.List;

/**
 * Something in a graph that is allowed but looks like a mistake. Immutable; any thread.
 *
 * @param code what it is
 * @param subject name of the pass or resource
 * @param message one line that says it
 */
public record PlanWarning(Code code, String subject, String message) {
    /** What looks like a mistake. */
    public enum Code {
        /** A pass was removed. */
        CULLED_PASS,
        /** No pass uses a resource, not even one that was removed. */
        UNUSED_RESOURCE,
        /** A transient is written by passes that run, and read by none. */
        NEVER_READ,
        /** A transient is read where all that wrote it may have been left out. */
        CONDITIONAL_CONTENTS,
        /** A pass declares a resource and does not take it; only with {@link RdgDiagnostics#validation}. */
        NOT_TAKEN
    }

    static List<PlanWarning> of(FramePlan plan) {
        List<PlanWarning> warnings = new ArrayList<>();
        for (PassPlan pass : plan.passes()) {
            if (pass.culled()) {
                warnings.add(new PlanWarning(
                        Code.CULLED_PASS, pass.name(), "pass '" + pass.name() + "' is removed: " + pass.cullReason()));
            }
        }
        int resources = plan.resources().size();
        boolean[] declared = new boolean[resources];
        boolean[] read = new boolean[resources];
        boolean[] written = new boolean[resources];
        for (PassPlan pass : plan.passes()) {
            for (UsePlan use : pass.uses()) {
                declared[use.resource()] = true;
                read[use.resource()] |= !pass.culled() && use.access().reads();
                written[use.resource()] |= !pass.culled() && use.access().writes();
            }
        }
        for (ResourcePlan resource : plan.resources()) {
            int r = resource.index();
            String name = resource.name();
            if (!declared[r]) {
                warnings.add(new PlanWarning(Code.UNUSED_RESOURCE, name, "no pass uses '" + name + "'"));
            } else if (written[r] && !read[r] && resource.lifetime() == Lifetime.TRANSIENT) {
                warnings.add(new PlanWarning(Code.NEVER_READ, name, "'" + name + "' is written, but nothing reads it"));
            }
        }
        return List.copyOf(warnings);
    }
}
