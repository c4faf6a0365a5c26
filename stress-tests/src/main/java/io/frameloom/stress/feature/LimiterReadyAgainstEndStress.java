package io.frameloom.stress.feature;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.ConcurrencyLimiter;
import io.frameloom.taskgraph.GraphEvent;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A task that becomes ready while the only slot is given back gets it, once, and sees what its holder wrote. */
@JCStressTest
@Outcome(id = "42, 1", expect = ACCEPTABLE, desc = "the second task ran once, after the first")
@Outcome(expect = FORBIDDEN, desc = "the task was stranded, ran twice, or had the slot at the same time")
@State
public class LimiterReadyAgainstEndStress {
    private final ConcurrencyLimiter limiter = Features.GRAPH.limiter("limiter", 1);
    private final GraphEvent child = Features.GRAPH.event("child");
    private final GraphEvent first;
    private @Nullable GraphEvent second;
    /** Plain on purpose. */
    private int output;

    private int seen;
    private int runs;

    /** Takes the slot with a task that ends where its child is triggered. */
    public LimiterReadyAgainstEndStress() {
        GraphEvent returned = Features.GRAPH.event("returned");
        GraphEvent[] own = new GraphEvent[1];
        var held = limiter.task("first", slot -> {
                    own[0].dontCompleteUntil(child);
                    returned.trigger();
                })
                .hold();
        first = held.event();
        own[0] = first;
        held.release();
        returned.await();
    }

    /** Gives the slot back. */
    @Actor
    public void ender() {
        output = 42;
        child.trigger();
    }

    /** Asks for the slot. */
    @Actor
    public void launcher() {
        second = limiter.task("second", slot -> {
                    seen = output;
                    runs++;
                })
                .dispatch();
    }

    /** Waits for the second. */
    @Arbiter
    public void await(II_Result result) {
        if (second != null && second.await(Features.PATIENCE)) {
            result.r1 = seen;
            result.r2 = runs;
        }
    }
}
