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

/** The owner moves to a shorter array, because the old one is due, while a thief steals (race 18). */
@JCStressTest
@Outcome(
        id = {"10, 32", "12, 3"},
        expect = ACCEPTABLE,
        desc = "every item was taken once, from both ends in order")
@Outcome(expect = FORBIDDEN, desc = "an item was lost, taken twice or out of order")
@State
public class RenewAgainstStealStress {
    private final WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, Long.MAX_VALUE - 9, 1);

    /** The array has grown to four items; one is in, and with the next the array is due. */
    public RenewAgainstStealStress() {
        for (int i = 0; i < 3; i++) {
            deque.push(0);
        }
        for (int i = 0; i < 6; i++) {
            deque.push(0);
            deque.steal();
            deque.steal();
        }
        deque.push(1);
    }

    /** The owner. */
    @Actor
    public void owner() {
        deque.push(2);
        deque.push(3);
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
