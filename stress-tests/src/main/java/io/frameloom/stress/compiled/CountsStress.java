package io.frameloom.stress.compiled;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.compiled.PrerequisiteCounts;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two prerequisites arrive, one of them for two: exactly one is the last, and sees both (races 3 and 7). */
@JCStressTest
@Outcome(id = "1, 0, 3", expect = ACCEPTABLE, desc = "one was last and saw both")
@Outcome(id = "0, 1, 3", expect = ACCEPTABLE, desc = "the other was last and saw both")
@Outcome(expect = FORBIDDEN, desc = "none or both were last, or the last one missed what the other did")
@State
public class CountsStress {
    private final PrerequisiteCounts counts = new PrerequisiteCounts(new int[] {0, 3});
    private int byOne;
    private int byOther;

    /** Arrives once. */
    @Actor
    public void one(III_Result result) {
        byOne = 1;
        if (counts.arrive(1)) {
            result.r1 = 1;
            result.r3 = byOne + byOther;
        }
    }

    /** Arrives for two. */
    @Actor
    public void other(III_Result result) {
        byOther = 2;
        if (counts.arrive(1, 2)) {
            result.r2 = 1;
            result.r3 = byOne + byOther;
        }
    }

    /** Can be armed again. */
    @Arbiter
    public void again(III_Result result) {
        counts.arm();
        if (counts.arrive(1) || !counts.arrive(1, 2)) {
            result.r3 = -1;
        }
    }
}
