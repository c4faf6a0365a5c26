package io.frameloom.rdg.explain;

import io.frameloom.rdg.BarrierSplit;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.NameFilter;
import io.frameloom.rdg.diagnostics.PlanDumpMode;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.diagnostics.RdgWatch;
import java.util.List;

/** Reports and draws what the options ask for of a plan that was just compiled. */
public final class PlanWatch {
    private PlanWatch() {}

    public static void compiled(FramePlan plan) {
        RdgWatch watch = plan.options().diagnostics().watch();
        if (!watch.graphs().matches(plan.name())) {
            return;
        }
        passes(watch, plan);
        if (watch.breakpoint() == Breakpoint.WARNING) {
            for (PlanWarning warning : plan.warnings()) {
                if (filter(watch, warning.code()).matches(warning.subject())) {
                    watch.listener().reached(Breakpoint.WARNING, plan.name(), warning.subject());
                    watch.listener().warned(plan.name(), warning);
                }
            }
        }
        barriers(watch, plan);
        if (watch.dump() != PlanDumpMode.OFF) {
            new PlanDump(plan).write(watch.dump(), watch.dumpFolder(), watch.listener());
        }
    }

    /** Reports a plan with one pass of a graph in immediate mode, which cannot know what the others use. */
    public static void compiledAlone(FramePlan plan) {
        RdgWatch watch = plan.options().diagnostics().watch();
        if (watch.graphs().matches(plan.name())) {
            passes(watch, plan);
            barriers(watch, plan);
        }
    }

    private static void passes(RdgWatch watch, FramePlan plan) {
        if (watch.breakpoint() == Breakpoint.COMPILE) {
            for (PassPlan pass : plan.passes()) {
                if (watch.passes().matches(pass.name())) {
                    watch.listener().reached(Breakpoint.COMPILE, plan.name(), pass.name());
                }
            }
        }
    }

    private static void barriers(RdgWatch watch, FramePlan plan) {
        if (watch.transitionLog()) {
            for (PassPlan pass : plan.passes()) {
                if (watch.passes().matches(pass.name())) {
                    log(watch, plan, pass, "before", pass.before());
                    log(watch, plan, pass, "after", pass.after());
                }
            }
        }
    }

    /** Returns the filter of what warnings of a kind are about; the graph itself has matched before. */
    private static NameFilter filter(RdgWatch watch, PlanWarning.Code code) {
        return switch (code) {
            case CULLED_PASS -> watch.passes();
            case UNMEASURED_ASYNC -> NameFilter.ALL;
            case UNUSED_RESOURCE,
                    NEVER_READ,
                    CONDITIONAL_CONTENTS,
                    UNDEFINED_CONTENTS,
                    ALIASED_CONTENTS,
                    NOT_TAKEN,
                    CAPTURE_MOVES_MEMORY -> watch.resources();
        };
    }

    private static void log(RdgWatch watch, FramePlan plan, PassPlan pass, String side, List<PlanBarrier> barriers) {
        for (PlanBarrier barrier : barriers) {
            String resource = plan.resources().get(barrier.resource()).name();
            if (watch.resources().matches(resource)) {
                watch.listener().transition(plan.name(), side + " '" + pass.name() + "': " + describe(plan, barrier));
            }
        }
    }

    /** Says in one line what a barrier does and why. */
    static String describe(FramePlan plan, PlanBarrier barrier) {
        String resource = plan.resources().get(barrier.resource()).name();
        String reason = barrier.reason() + BarrierSplit.describe(plan, barrier);
        String layouts = barrier.range() == null || barrier.oldLayout() == barrier.newLayout()
                ? ""
                : " " + barrier.oldLayout() + " -> " + barrier.newLayout();
        return "'" + resource + "'" + layouts + (reason.isEmpty() ? "" : " (" + reason + ")");
    }
}
