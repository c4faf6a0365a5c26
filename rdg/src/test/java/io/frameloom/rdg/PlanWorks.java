package io.frameloom.rdg;

import io.frameloom.rdg.execute.PlanWork;

/** What only the executor sees of a plan, for tests of it. */
public final class PlanWorks {
    private PlanWorks() {}

    /** Returns the work of a plan. */
    public static PlanWork of(FramePlan plan) {
        return plan.work();
    }
}
