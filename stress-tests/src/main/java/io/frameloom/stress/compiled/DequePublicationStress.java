package io.frameloom.stress.compiled;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.compiled.RangeDeque;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A thief sees what the owner did before it pushed, also when the array of the deque grows meanwhile (race 6). */
@JCStressTest
@Outcome(id = "6, 0", expect = ACCEPTABLE, desc = "came early: all three items are left, in order")
@Outcome(id = "5, 1", expect = ACCEPTABLE, desc = "stole the first item and saw what was written before it")
@Outcome(expect = FORBIDDEN, desc = "an item was lost or doubled, or stolen without what was written before it")
@State
public class DequePublicationStress {
    private final RangeDeque deque = new RangeDeque(1);
    private int written;

    /** Writes and pushes; the second push makes the array grow. */
    @Actor
    public void owner() {
        written = 1;
        deque.push(1);
        deque.push(2);
        deque.push(3);
    }

    /** Steals once. */
    @Actor
    public void thief(JJ_Result result) {
        result.r2 = deque.steal() == 1 ? (written == 1 ? 1 : -2) : 0;
    }

    /** Sums up what is left. */
    @Arbiter
    public void rest(JJ_Result result) {
        for (long item = deque.steal(); item != RangeDeque.NOTHING; item = deque.steal()) {
            result.r1 += item;
        }
    }
}
