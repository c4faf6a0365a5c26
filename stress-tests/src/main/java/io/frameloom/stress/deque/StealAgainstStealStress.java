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

/** Two thieves are after two items: each gets one, or one of them gets both (race 17). */
@JCStressTest
@Outcome(
        id = {"12, 0, 0", "0, 12, 0"},
        expect = ACCEPTABLE,
        desc = "one thief got both items")
@Outcome(
        id = {"10, 20, 0", "20, 10, 0"},
        expect = ACCEPTABLE,
        desc = "each got one")
@Outcome(expect = FORBIDDEN, desc = "an item was taken twice or by nobody, or out of order")
@State
public class StealAgainstStealStress {
    private final WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, Long.MAX_VALUE);

    /** Two items. */
    public StealAgainstStealStress() {
        deque.push(1);
        deque.push(2);
    }

    /** A thief. */
    @Actor
    public void thief(III_Result result) {
        int first = Items.number(deque.steal());
        result.r1 = Items.append(first, Items.number(deque.steal()));
    }

    /** Another thief. */
    @Actor
    public void other(III_Result result) {
        int first = Items.number(deque.steal());
        result.r2 = Items.append(first, Items.number(deque.steal()));
    }

    /** Takes what is left. */
    @Arbiter
    public void rest(III_Result result) {
        result.r3 = Items.poppedFrom(deque);
    }
}
