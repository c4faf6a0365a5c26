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

/** A thief meets the first push into a deque that has no memory before (race 6). */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "came early: the item is left")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "stole the item and saw what was written before it")
@Outcome(expect = FORBIDDEN, desc = "the item was lost or doubled, or stolen without what was written before it")
@State
public class DequeFirstPushStress {
    private final RangeDeque deque = new RangeDeque(0);
    private int written;

    /** Writes and pushes. */
    @Actor
    public void owner() {
        written = 1;
        deque.push(1);
    }

    /** Steals once. */
    @Actor
    public void thief(JJ_Result result) {
        result.r2 = deque.steal() == 1 ? (written == 1 ? 1 : -2) : 0;
    }

    /** What is left. */
    @Arbiter
    public void rest(JJ_Result result) {
        result.r1 = Math.max(0L, deque.steal());
    }
}
