package io.frameloom.stress.deque;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.queue.WorkStealingDeque;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Owner and thief are after the last item, which the owner has looked at: one gets it (race 17). */
@JCStressTest
@Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "the owner got it")
@Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "the thief got it")
@Outcome(expect = FORBIDDEN, desc = "taken twice or by nobody, or the deque is not empty afterwards")
@State
public class PopIfLastAgainstStealStress {
    private final WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, Long.MAX_VALUE);

    /** One item. */
    public PopIfLastAgainstStealStress() {
        deque.push(1);
    }

    /** The owner. */
    @Actor
    public void owner(III_Result result) {
        result.r1 = deque.popIfLast(1) ? 1 : 0;
    }

    /** The thief. */
    @Actor
    public void thief(III_Result result) {
        result.r2 = Items.number(deque.steal());
    }

    /** Takes what is left. */
    @Arbiter
    public void rest(III_Result result) {
        result.r3 = Items.poppedFrom(deque);
    }
}
