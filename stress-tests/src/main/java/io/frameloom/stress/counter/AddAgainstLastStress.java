package io.frameloom.stress.counter;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** A child is either counted before the body's own count is taken off, or refused (race 8). */
@JCStressTest
@Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "the child was counted, the event waits for it")
@Outcome(id = "false, true, 0", expect = ACCEPTABLE, desc = "the event completed, the child was refused")
@Outcome(expect = FORBIDDEN, desc = "completed with a counted child, or never")
@State
public class AddAgainstLastStress {
    private final OpenCounter counter = new OpenCounter(1);

    /** Registers a child. */
    @Actor
    public void addChild(ZZI_Result result) {
        result.r1 = counter.addOne();
    }

    /** The body returns. */
    @Actor
    public void bodyReturns(ZZI_Result result) {
        result.r2 = counter.several(1);
    }

    /** Reads what is left. */
    @Arbiter
    public void left(ZZI_Result result) {
        result.r3 = counter.left();
    }
}
