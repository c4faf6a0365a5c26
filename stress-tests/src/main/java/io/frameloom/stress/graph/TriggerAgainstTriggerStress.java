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

/** Of two triggers of one manual event exactly one is accepted, and the event completes (race 2). */
@JCStressTest
@Outcome(
        id = {"true, false, true", "false, true, true"},
        expect = ACCEPTABLE,
        desc = "one trigger was accepted")
@Outcome(expect = FORBIDDEN, desc = "both triggers were accepted, or none, or the event did not complete")
@State
public class TriggerAgainstTriggerStress {
    private final GraphEvent event = Shared.GRAPH.event("event");

    private boolean trigger() {
        try {
            event.trigger();
            return true;
        } catch (IllegalStateException triggeredAlready) {
            return false;
        }
    }

    /** Triggers. */
    @Actor
    public void one(ZZZ_Result result) {
        result.r1 = trigger();
    }

    /** Triggers too. */
    @Actor
    public void other(ZZZ_Result result) {
        result.r2 = trigger();
    }

    /** Whether the event is complete. */
    @Arbiter
    public void complete(ZZZ_Result result) {
        result.r3 = event.isComplete();
    }
}
