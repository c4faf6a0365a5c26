package io.frameloom.stress.graph;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.GraphEvent;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** A child added while its parent is triggered holds the parent back, or is refused; never neither (races 8, 9). */
@JCStressTest
@Outcome(id = "true, false, true", expect = ACCEPTABLE, desc = "accepted: the parent completed with the child")
@Outcome(id = "false, true, true", expect = ACCEPTABLE, desc = "refused: the parent had completed")
@Outcome(expect = FORBIDDEN, desc = "the parent completed before an accepted child, or never")
@State
public class ChildAgainstTriggerStress {
    private final GraphEvent parent = Shared.GRAPH.event("parent");
    private final GraphEvent child = Shared.GRAPH.event("child");

    /** Adds the child. */
    @Actor
    public void addChild(ZZZ_Result result) {
        try {
            parent.dontCompleteUntil(child);
            result.r1 = true;
        } catch (IllegalStateException tooLate) {
            result.r1 = false;
        }
    }

    /** Triggers the parent. */
    @Actor
    public void trigger() {
        parent.trigger();
    }

    /** Looks at the parent before and after the child completes. */
    @Arbiter
    public void completeChild(ZZZ_Result result) {
        result.r2 = parent.isComplete();
        child.trigger();
        result.r3 = parent.isComplete();
    }
}
