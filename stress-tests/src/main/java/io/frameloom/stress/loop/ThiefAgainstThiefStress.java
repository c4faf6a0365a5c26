package io.frameloom.stress.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.worker.RangeShares;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two thieves share the pieces of a share whose owner never came, and rob each other (race 37). */
@JCStressTest
@Outcome(id = "1111", expect = ACCEPTABLE, desc = "each piece was given out once")
@Outcome(expect = FORBIDDEN, desc = "a piece was lost or given out twice")
@State
public class ThiefAgainstThiefStress {
    private final RangeShares shares = new RangeShares(4, 3);
    private int first;
    private int second;

    /** Begins with a share of one piece. */
    @Actor
    public void one() {
        first = takeAll(0);
    }

    /** The same from the other side. */
    @Actor
    public void other() {
        second = takeAll(2);
    }

    /** Adds up a decimal digit per piece; a participant that found nothing may have missed what was on its way. */
    @Arbiter
    public void judge(I_Result result) {
        result.r1 = first + second + takeAll(0) + takeAll(2);
    }

    private int takeAll(int share) {
        int digits = 0;
        for (int piece = shares.next(share); piece != RangeShares.NONE; piece = shares.next(share)) {
            int digit = 1;
            for (int i = 0; i < piece; i++) {
                digit *= 10;
            }
            digits += digit;
        }
        return digits;
    }
}
