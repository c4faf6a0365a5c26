package io.frameloom.stress.counter;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Of two completing prerequisites exactly one finds the task ready, and it sees what both wrote (races 3, 7). */
@JCStressTest
@Outcome(
        id = {"3, -1, 0", "-1, 3, 0"},
        expect = ACCEPTABLE,
        desc = "one launched the task and saw both outputs")
@Outcome(expect = FORBIDDEN, desc = "launched twice or never, or an output was not visible, or the count is off")
@State
public class LastDecrementStress {
    private static final int NOT_LAST = -1;

    private final OpenCounter counter = new OpenCounter(2);
    private int outputOfOne;
    private int outputOfOther;

    /** Completes one prerequisite. */
    @Actor
    public void one(III_Result result) {
        outputOfOne = 1;
        result.r1 = counter.one() ? outputOfOne + outputOfOther : NOT_LAST;
    }

    /** Completes the other. */
    @Actor
    public void other(III_Result result) {
        outputOfOther = 2;
        result.r2 = counter.one() ? outputOfOne + outputOfOther : NOT_LAST;
    }

    /** Reads what is left. */
    @Arbiter
    public void left(III_Result result) {
        result.r3 = counter.left();
    }
}
