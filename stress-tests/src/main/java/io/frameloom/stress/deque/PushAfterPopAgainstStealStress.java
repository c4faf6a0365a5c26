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

/** The owner pops an item and pushes another one at the same index, while a thief is after it (races 17, 19). */
@JCStressTest
@Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "the thief found nothing")
@Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "the thief got the new item")
@Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "the thief got the old item")
@Outcome(expect = FORBIDDEN, desc = "an item was taken twice or by nobody")
@State
public class PushAfterPopAgainstStealStress {
    private final WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, -1);

    /** One item. */
    public PushAfterPopAgainstStealStress() {
        deque.push(1);
    }

    /** The owner. */
    @Actor
    public void owner(III_Result result) {
        result.r1 = Items.number(deque.pop());
        deque.push(2);
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
