package io.frameloom.stress.deque;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.queue.WorkStealingDeque;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * While a thief is on its way, the array grows and all that the old one held is stolen (race 18). A thief
 * that takes the next item from the old array gets one of those again.
 */
@JCStressTest
@Outcome(id = "111", expect = ACCEPTABLE, desc = "every item was taken once")
@Outcome(expect = FORBIDDEN, desc = "an item was lost or taken twice")
@State
public class GrowAgainstLateThiefStress {
    private final WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, Long.MAX_VALUE);
    private int takenByOwner;

    /** The array is full. */
    public GrowAgainstLateThiefStress() {
        deque.push(1);
        deque.push(10);
    }

    /** The owner, who may steal as anybody. */
    @Actor
    public void owner() {
        deque.push(100);
        int first = Items.number(deque.steal());
        takenByOwner = first + Items.number(deque.steal());
    }

    /** The thief. */
    @Actor
    public void thief(I_Result result) {
        result.r1 = Items.number(deque.steal());
    }

    /** Takes what is left. */
    @Arbiter
    public void rest(I_Result result) {
        result.r1 += takenByOwner;
        while (deque.size() > 0) {
            result.r1 += Items.number(deque.pop());
        }
    }
}
