package io.frameloom.rdg;

import io.frameloom.rdg.execute.PlanWork;

/** What only the executor sees of a plan, for tests of it. */
public final class PlanWorks {
    private PlanWorks() {}

    /** Returns the work of a plan; nobody outside of the module's tests sees this class. */
    @SuppressWarnings("exports")
    public static PlanWork of(FramePlan plan) {
        return plan.work();
    }
}
