package io.frameloom.stress.feature;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.AnyEvent;
import io.frameloom.taskgraph.GraphEvent;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** A failure and a success at the same time: the success wins, whichever comes first. */
@JCStressTest
@Outcome(id = "1, false", expect = ACCEPTABLE, desc = "the success won")
@Outcome(expect = FORBIDDEN, desc = "the failure won, or nobody did")
@State
public class AnyFailureAgainstSuccessStress {
    private static final Exception FAILURE = new IllegalStateException("on purpose");

    private final GraphEvent a = Features.GRAPH.event("a");
    private final GraphEvent b = Features.GRAPH.event("b");
    private final AnyEvent any = Features.GRAPH.whenAny("any", a, b);

    /** Fails the first. */
    @Actor
    public void failer() {
        a.fail(FAILURE);
    }

    /** Completes the second. */
    @Actor
    public void completer() {
        b.trigger();
    }

    /** Looks at the outcome. */
    @Arbiter
    public void look(IZ_Result result) {
        result.r1 = any.winnerIndex();
        result.r2 = any.event().isFailed();
    }
}
