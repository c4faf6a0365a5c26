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
import org.openjdk.jcstress.infra.results.III_Result;

/** Of two events that complete at the same time one wins, what is behind runs once, and sees what the winner wrote. */
@JCStressTest
@Outcome(id = "0, 1, 10", expect = ACCEPTABLE, desc = "the first won")
@Outcome(id = "1, 1, 20", expect = ACCEPTABLE, desc = "the second won")
@Outcome(expect = FORBIDDEN, desc = "no winner, two completions, or the winner's output was not visible")
@State
public class AnyWinnerStress {
    private final GraphEvent a = Features.GRAPH.event("a");
    private final GraphEvent b = Features.GRAPH.event("b");
    private final AnyEvent any = Features.GRAPH.whenAny("any", a, b);
    private final GraphEvent behind;
    /** Plain on purpose. */
    private int outputOfA;

    private int outputOfB;
    private int runs;
    private int seen;

    /** Puts a task behind the race. */
    public AnyWinnerStress() {
        behind = Features.GRAPH
                .task("behind", () -> {
                    runs++;
                    seen = any.winnerIndex() == 0 ? outputOfA : outputOfB;
                })
                .after(any.event())
                .dispatch();
    }

    /** Completes the first. */
    @Actor
    public void first() {
        outputOfA = 10;
        a.trigger();
    }

    /** Completes the second. */
    @Actor
    public void second() {
        outputOfB = 20;
        b.trigger();
    }

    /** Waits for what is behind. */
    @Arbiter
    public void await(III_Result result) {
        if (behind.await(Features.PATIENCE)) {
            result.r1 = any.winnerIndex();
            result.r2 = runs;
            result.r3 = seen;
        }
    }
}
