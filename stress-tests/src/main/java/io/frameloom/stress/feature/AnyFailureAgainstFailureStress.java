package io.frameloom.stress.feature;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.AnyEvent;
import io.frameloom.taskgraph.GraphEvent;
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** Two failures at the same time: the race fails once, with both. */
@JCStressTest
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "failed, with one further failure")
@Outcome(expect = FORBIDDEN, desc = "never completed, or a failure was lost")
@State
public class AnyFailureAgainstFailureStress {
    private final GraphEvent a = Features.GRAPH.event("a");
    private final GraphEvent b = Features.GRAPH.event("b");
    private final AnyEvent any = Features.GRAPH.whenAny("any", a, b);

    /** Fails the first. */
    @Actor
    public void first() {
        a.fail(new IllegalStateException("a"));
    }

    /** Fails the second. */
    @Actor
    public void second() {
        b.fail(new IllegalStateException("b"));
    }

    /** Looks at the outcome. */
    @Arbiter
    public void look(ZI_Result result) {
        result.r1 = any.event().isFailed();
        if (result.r1) {
            result.r2 = Objects.requireNonNull(any.event().failure()).getSuppressed().length;
        }
    }
}
