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
        /** A transient, or what a frame writes of a history, is read where all that wrote it may have been left out. */
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
        conditionalContents(plan, warnings);
        return List.copyOf(warnings);
    }

    /** Finds passes that run in frames in which nothing may have written the transient that they read. */
    private static void conditionalContents(FramePlan plan, List<PlanWarning> warnings) {
        for (PassPlan reader : plan.passes()) {
            for (int at = 0; !reader.culled() && at < reader.uses().size(); at++) {
                UsePlan use = reader.uses().get(at);
                ResourcePlan resource = plan.resources().get(use.resource());
                // A conditional writer keeps what it finds, which is no wish to read it.
                boolean reads = use.access().reads()
                        && !(use.access().writes() && plan.body(reader.index()) instanceof ConditionalBody);
                boolean own = resource.lifetime() != Lifetime.EXTERNAL;
                List<PassPlan> writers = reads && own ? writersBefore(plan, reader, use) : List.of();
                if (!writers.isEmpty() && writers.stream().noneMatch(writer -> isThereFor(plan, writer, reader))) {
                    warnings.add(new PlanWarning(
                            Code.CONDITIONAL_CONTENTS,
                            resource.name(),
                            "pass '" + reader.name() + "' reads '" + resource.name() + "', which nothing has written"
                                    + " where '"
                                    + writers.get(writers.size() - 1).name()
                                    + "' is left out; give the reader the same condition object, or clear '"
                                    + resource.name() + "' before"));
                }
            }
        }
    }

    private static boolean isThereFor(FramePlan plan, PassPlan writer, PassPlan reader) {
        return !(plan.body(writer.index()) instanceof ConditionalBody conditional)
                || conditional.runsWhenever(plan.body(reader.index()));
    }

    private static List<PassPlan> writersBefore(FramePlan plan, PassPlan reader, UsePlan read) {
        return plan.passes().subList(0, reader.index()).stream()
                .filter(pass -> !pass.culled())
                .filter(pass ->
                        pass.uses().stream().anyMatch(use -> use.access().writes() && read.overlaps(use)))
                .toList();
    }
}
