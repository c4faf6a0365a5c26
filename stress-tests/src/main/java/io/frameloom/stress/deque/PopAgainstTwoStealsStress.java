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

/**
 * The owner pops the second of two items without a compare-and-set if top seems to be before it, while a
 * thief comes up to it (race 17). Without the store-load fence of {@code pop} both get it.
 */
@JCStressTest
@Outcome(id = "2, 10, 0", expect = ACCEPTABLE, desc = "the owner got the second item")
@Outcome(id = "0, 12, 0", expect = ACCEPTABLE, desc = "the thief got both items")
@Outcome(expect = FORBIDDEN, desc = "an item was taken twice or by nobody, or out of order")
@State
public class PopAgainstTwoStealsStress {
    private final WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, Long.MAX_VALUE);

    /** Two items. */
    public PopAgainstTwoStealsStress() {
        deque.push(1);
        deque.push(2);
    }

    /** The owner. */
    @Actor
    public void owner(III_Result result) {
        result.r1 = Items.number(deque.pop());
    }

    /** The thief. */
    @Actor
    public void thief(III_Result result) {
        int first = Items.number(deque.steal());
        result.r2 = Items.append(first, Items.number(deque.steal()));
    }

    /** Takes what is left. */
    @Arbiter
    public void rest(III_Result result) {
        result.r3 = Items.poppedFrom(deque);
    }
}
