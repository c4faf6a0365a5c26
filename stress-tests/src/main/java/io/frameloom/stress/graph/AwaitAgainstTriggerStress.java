package io.frameloom.stress.graph;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.GraphEvent;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A thread that registers its wait while the event completes does not sleep through it, and sees what was
 * written before (race 28).
 */
@JCStressTest
@Outcome(id = "42", expect = ACCEPTABLE, desc = "the wait ended and saw the output")
@Outcome(expect = FORBIDDEN, desc = "slept through the completion, or did not see the output")
@State
public class AwaitAgainstTriggerStress {
    private static final int OVERSLEPT = -1;

    private final GraphEvent event = Shared.GRAPH.event("event");
    private int output;

    /** Waits. */
    @Actor
    public void waiter(I_Result result) {
        result.r1 = event.await(Shared.PATIENCE) ? output : OVERSLEPT;
    }

    /** Writes and triggers. */
    @Actor
    public void completer() {
        output = 42;
        event.trigger();
    }
}
