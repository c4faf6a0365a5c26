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

/** The same with a child that completes while it is being added (race 9). */
@JCStressTest
@Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "the parent waits for its trigger, then completes once")
@Outcome(expect = FORBIDDEN, desc = "the parent completed without its trigger, never, or twice")
@State
public class ChildCompletesWhileAddedStress {
    private final GraphEvent parent = Shared.GRAPH.event("parent");
    private final GraphEvent child = Shared.GRAPH.event("child");

    /** Adds the child. */
    @Actor
    public void addChild() {
        parent.dontCompleteUntil(child);
    }

    /** Completes the child. */
    @Actor
    public void completeChild() {
        child.trigger();
    }

    /** Looks at the parent before and after its trigger, and tries a second one. */
    @Arbiter
    public void trigger(ZZZ_Result result) {
        result.r1 = parent.isComplete();
        parent.trigger();
        result.r2 = parent.isComplete();
        try {
            parent.trigger();
            result.r3 = true;
        } catch (IllegalStateException triggeredAlready) {
            result.r3 = false;
        }
    }
}
