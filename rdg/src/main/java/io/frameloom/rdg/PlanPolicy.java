package io.frameloom.rdg;

import io.frameloom.rdg.options.RdgProperties;

/**
 * The aims of a plan, where several plans mean the same frame. Immutable.
 *
 * @param waitStageScope which stages wait for another queue
 * @param schedule which order passes are executed in
 * @param hoistBarriers whether barriers between passes of one queue that lie apart join earlier barriers, so that the
 *     queue stops less often
 * @param splitBarriers whether barriers between passes of one queue that lie apart are issued in two halves, joined by
 *     an event of the device. The passes in between then hide the waiting. Hoisted barriers stay whole. Experimental:
 *     no engine has published a gain, and some drivers turn events into plain barriers
 * @param heapSearch when lower heaps are searched for
 */
public record PlanPolicy(
        WaitStageScope waitStageScope,
        PassSchedule schedule,
        boolean hoistBarriers,
        boolean splitBarriers,
        HeapSearch heapSearch) {
    /**
     * Returns waits of all commands, the program's order, whole barriers right before what needs them, and a search for
     * lower heaps of reused plans.
     */
    public static PlanPolicy defaults() {
        return new PlanPolicy(WaitStageScope.ALL, PassSchedule.PROGRAM, false, false, HeapSearch.REUSED);
    }

    /** Returns the same policy with other stages waiting. */
    public PlanPolicy withWaitStageScope(WaitStageScope value) {
        return new PlanPolicy(value, schedule, hoistBarriers, splitBarriers, heapSearch);
    }

    /** Returns the same policy with another order of passes. */
    public PlanPolicy withSchedule(PassSchedule value) {
        return new PlanPolicy(waitStageScope, value, hoistBarriers, splitBarriers, heapSearch);
    }

    /** Returns the same policy with barriers hoisted or not. */
    public PlanPolicy withHoistBarriers(boolean value) {
        return new PlanPolicy(waitStageScope, schedule, value, splitBarriers, heapSearch);
    }

    /** Returns the same policy with barriers split or not. */
    public PlanPolicy withSplitBarriers(boolean value) {
        return new PlanPolicy(waitStageScope, schedule, hoistBarriers, value, heapSearch);
    }

    /** Returns the same policy with lower heaps searched for at another time. */
    public PlanPolicy withHeapSearch(HeapSearch value) {
        return new PlanPolicy(waitStageScope, schedule, hoistBarriers, splitBarriers, value);
    }

    /** Returns this policy with the system properties applied. */
    PlanPolicy withSystemProperties() {
        return new PlanPolicy(
                RdgProperties.GROUP.constant("waitStageScope", waitStageScope),
                RdgProperties.GROUP.parsed("schedule", schedule, PassSchedule::parse),
                RdgProperties.GROUP.flag("hoistBarriers", hoistBarriers),
                RdgProperties.GROUP.flag("splitBarriers", splitBarriers),
                RdgProperties.GROUP.constant("heapSearch", heapSearch));
    }
}
