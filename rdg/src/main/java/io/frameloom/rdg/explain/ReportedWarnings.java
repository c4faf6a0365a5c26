package io.frameloom.rdg.explain;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.diagnostics.PlanWarning;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reports each warning to the listener of its plan once, by its message. Any thread. */
public final class ReportedWarnings {
    /** Enough for every mistake of a program. A program with new names in every frame must not fill the memory. */
    private static final int MOST = 1_000;

    private final Set<String> messages = ConcurrentHashMap.newKeySet();

    /** Reports a warning, unless it was reported before, or as many others were as are kept. */
    public void report(FramePlan plan, PlanWarning warning) {
        if (messages.size() < MOST && messages.add(warning.message())) {
            plan.options().diagnostics().watch().listener().warned(plan.name(), warning);
        }
    }
}
