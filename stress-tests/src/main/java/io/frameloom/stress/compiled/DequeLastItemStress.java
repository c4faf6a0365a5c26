package io.frameloom.stress.compiled;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.compiled.RangeDeque;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** The owner and a thief go for the last item of a deque: one of them gets it. */
@JCStressTest
@Outcome(id = "7, -1, -1", expect = ACCEPTABLE, desc = "the owner got it")
@Outcome(id = "-1, 7, -1", expect = ACCEPTABLE, desc = "the thief got it")
@Outcome(expect = FORBIDDEN, desc = "taken twice, lost, or left behind")
@State
public class DequeLastItemStress {
    private final RangeDeque deque = new RangeDeque(2, Integer.MAX_VALUE);

    /** Pushes the item. */
    public DequeLastItemStress() {
        deque.push(7);
    }

    /** The owner. */
    @Actor
    public void owner(JJJ_Result result) {
        result.r1 = deque.pop();
    }

    /** The thief. */
    @Actor
    public void thief(JJJ_Result result) {
        result.r2 = deque.steal();
    }

    /** What is left. */
    @Arbiter
    public void rest(JJJ_Result result) {
        result.r3 = deque.steal();
    }
}
