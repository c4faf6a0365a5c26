package io.frameloom.stress.deque;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.queue.WorkStealingDeque;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The array grows, across the overflow of the index, while a thief steals from it (race 18). */
@JCStressTest
@Outcome(id = "12, 43", expect = ACCEPTABLE, desc = "every item was taken once, from both ends in order")
@Outcome(expect = FORBIDDEN, desc = "an item was lost, taken twice or out of order")
@State
public class GrowAgainstStealStress {
    private final WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, Long.MAX_VALUE);

    /** The array is full. */
    public GrowAgainstStealStress() {
        deque.push(1);
        deque.push(2);
    }

    /** The owner. */
    @Actor
    public void owner() {
        deque.push(3);
        deque.push(4);
    }

    /** The thief. */
    @Actor
    public void thief(II_Result result) {
        int first = Items.number(deque.steal());
        result.r1 = Items.append(first, Items.number(deque.steal()));
    }

    /** Takes what is left. */
    @Arbiter
    public void rest(II_Result result) {
        result.r2 = Items.poppedFrom(deque);
    }
}
