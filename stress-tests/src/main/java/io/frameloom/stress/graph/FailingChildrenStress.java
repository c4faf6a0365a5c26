package io.frameloom.stress.graph;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.GraphEvent;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Of two children that fail at the same time one is the cause and the other suppressed (race 26). */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both failures are there")
@Outcome(expect = FORBIDDEN, desc = "a failure was lost or is there twice, or the event did not complete")
@State
public class FailingChildrenStress {
    private static final RuntimeException FAILURE_OF_ONE = new IllegalStateException("one");
    private static final RuntimeException FAILURE_OF_OTHER = new IllegalStateException("other");

    private final GraphEvent one = Shared.GRAPH.event("one");
    private final GraphEvent other = Shared.GRAPH.event("other");
    private final GraphEvent both;

    /** A parent that waits for them alone. */
    public FailingChildrenStress() {
        both = Shared.GRAPH.event("both");
        both.dontCompleteUntil(one);
        both.dontCompleteUntil(other);
        both.trigger();
    }

    /** Fails one. */
    @Actor
    public void failOne() {
        one.fail(FAILURE_OF_ONE);
    }

    /** Fails the other. */
    @Actor
    public void failOther() {
        other.fail(FAILURE_OF_OTHER);
    }

    /** Counts the failures. */
    @Arbiter
    public void failures(II_Result result) {
        Throwable failure = both.failure();
        if (failure == null) {
            return;
        }
        result.r1 = count(failure, FAILURE_OF_ONE);
        result.r2 = count(failure, FAILURE_OF_OTHER);
    }

    private static int count(Throwable failure, Throwable wanted) {
        int times = failure.getCause() == wanted ? 1 : 0;
        for (Throwable suppressed : failure.getSuppressed()) {
            times += suppressed == wanted ? 1 : 0;
        }
        return times;
    }
}
