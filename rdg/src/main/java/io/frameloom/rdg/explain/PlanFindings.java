package io.frameloom.rdg.explain;

import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.async.AsyncDecision;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.declare.ConditionalPass;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.diagnostics.PlanWarning.Code;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what is allowed in a plan but looks like a mistake. */
public final class PlanFindings {
    private PlanFindings() {}

    /** Returns what is allowed in a plan but looks like a mistake. */
    public static List<PlanWarning> of(CompiledPlan plan) {
        List<PlanWarning> warnings = new ArrayList<>();
        for (PassPlan pass : plan.passes()) {
            if (pass.culled()) {
                warnings.add(new PlanWarning(
                        Code.CULLED_PASS,
                        pass.name(),
                        "pass '" + pass.name() + "' is removed: " + pass.cullReason(),
                        plan.sitesOf(pass.index(), -1)));
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
            List<String> site = plan.siteOfResource(r);
            if (!declared[r] && plan.warnsOfUnused(r)) {
                warnings.add(new PlanWarning(Code.UNUSED_RESOURCE, name, "no pass uses '" + name + "'", site));
            } else if (written[r] && !read[r] && resource.lifetime() == Lifetime.TRANSIENT && plan.warnsOfUnused(r)) {
                warnings.add(new PlanWarning(
                        Code.NEVER_READ, name, "'" + name + "' is written, but nothing reads it", site));
            }
        }
        AsyncDecision decision = plan.decision();
        PlanWarning unmeasured = decision == null ? null : unmeasured(plan.name(), decision);
        if (unmeasured != null) {
            warnings.add(unmeasured);
        }
        warnings.addAll(plan.captureWarnings());
        conditionalContents(plan, warnings);
        UndefinedContents.of(plan).forEach(finding -> warnings.add(finding.warning()));
        return List.copyOf(warnings);
    }

    /** Returns the warning of a graph whose frames end without times, or null if they end with them. */
    public static @Nullable PlanWarning unmeasured(String graph, AsyncDecision decision) {
        return decision.unmeasured().isEmpty()
                ? null
                : new PlanWarning(
                        Code.UNMEASURED_ASYNC,
                        graph,
                        "graph '" + graph + "' measures which passes pay beside graphics, but " + decision.unmeasured()
                                + "; they stay where they are");
    }

    /** A use of a pass that writes. */
    private record Write(PassPlan pass, UsePlan use) {}

    /** Finds passes that run in frames in which nothing may have written the transient that they read. */
    private static void conditionalContents(CompiledPlan plan, List<PlanWarning> warnings) {
        if (plan.passes().stream().noneMatch(pass -> plan.body(pass.index()) instanceof ConditionalPass)) {
            return;
        }
        List<List<Write>> writes = new ArrayList<>(plan.resources().size());
        plan.resources().forEach(resource -> writes.add(new ArrayList<>(2)));
        for (PassPlan pass : plan.passes()) {
            if (pass.culled()) {
                continue;
            }
            for (int at = 0; at < pass.uses().size(); at++) {
                UsePlan use = pass.uses().get(at);
                ResourcePlan resource = plan.resources().get(use.resource());
                // A conditional writer keeps what it finds, which is no wish to read it.
                boolean reads = use.access().reads()
                        && !(use.access().writes() && plan.body(pass.index()) instanceof ConditionalPass);
                PassPlan writer = reads && resource.lifetime() != Lifetime.EXTERNAL
                        ? leftOut(plan, pass, use, writes.get(use.resource()))
                        : null;
                if (writer != null) {
                    warnings.add(new PlanWarning(
                            Code.CONDITIONAL_CONTENTS,
                            resource.name(),
                            "pass '" + pass.name() + "' reads '" + resource.name() + "', which nothing has written"
                                    + " where '" + writer.name()
                                    + "' is left out; give the reader the same condition object, or clear '"
                                    + resource.name() + "' before",
                            plan.sitesOf(pass.index(), at)));
                }
            }
            for (UsePlan use : pass.uses()) {
                if (use.access().writes()) {
                    writes.get(use.resource()).add(new Write(pass, use));
                }
            }
        }
    }

    /**
     * Returns the last writer of what a pass reads if there are frames of the reader without any of its writers, or
     * null.
     */
    private static @Nullable PassPlan leftOut(CompiledPlan plan, PassPlan reader, UsePlan read, List<Write> before) {
        PassPlan last = null;
        for (int i = before.size() - 1; i >= 0; i--) {
            Write write = before.get(i);
            if (CompiledPlan.overlap(read, write.use)) {
                // A conditional pass always overwrites the results of its queries: with zeros if it is left out.
                if (write.use.discard() || isThereFor(plan, write.pass, reader)) {
                    return null;
                }
                last = last == null ? write.pass : last;
            }
        }
        return last;
    }

    private static boolean isThereFor(CompiledPlan plan, PassPlan writer, PassPlan reader) {
        return !(plan.body(writer.index()) instanceof ConditionalPass conditional)
                || (plan.body(reader.index()) instanceof ConditionalPass asked
                        && asked.condition() == conditional.condition());
    }
}
