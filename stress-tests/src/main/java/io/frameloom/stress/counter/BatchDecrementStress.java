package io.frameloom.stress.counter;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Taking several off at once against two single ones leaves exactly one last, which sees everything
 * (races 3, 5, 7): the set-up counts prerequisites that were complete already in one step.
 */
@JCStressTest
@Outcome(
        id = {"3, -1, 0", "-1, 3, 0"},
        expect = ACCEPTABLE,
        desc = "one launched the task and saw both outputs")
@Outcome(expect = FORBIDDEN, desc = "launched twice or never, or an output was not visible, or the count is off")
@State
public class BatchDecrementStress {
    private static final int NOT_LAST = -1;

    private final OpenCounter counter = new OpenCounter(4);
    private int outputOfSetUp;
    private int outputOfOther;

    /** Takes two off at once. */
    @Actor
    public void setUp(III_Result result) {
        outputOfSetUp = 1;
        result.r1 = counter.several(2) ? outputOfSetUp + outputOfOther : NOT_LAST;
    }

    /** Completes two prerequisites, one after the other. */
    @Actor
    public void twoSingles(III_Result result) {
        outputOfOther = 2;
        boolean first = counter.one();
        boolean second = counter.one();
        result.r2 = first || second ? outputOfSetUp + outputOfOther : NOT_LAST;
    }

    /** Reads what is left. */
    @Arbiter
    public void left(III_Result result) {
        result.r3 = counter.left();
    }
}
