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

/**
 * The array grows and the owner pops until it finds nothing, which clears the copies; then it fills the
 * array anew. A thief that knows an item from the old array does no harm to the new one (races 18, 19).
 */
@JCStressTest
@Outcome(id = "7, 0", expect = ACCEPTABLE, desc = "every item was taken once")
@Outcome(expect = FORBIDDEN, desc = "an item was lost or taken twice, or the deque is not empty afterwards")
@State
public class CopiesAgainstStealStress {
    private final WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, Long.MAX_VALUE);
    private int poppedByOwner;

    /** The array is full. */
    public CopiesAgainstStealStress() {
        deque.push(1);
        deque.push(1);
    }

    /** The owner. */
    @Actor
    public void owner() {
        deque.push(1);
        while (deque.pop() != null) {
            poppedByOwner++;
        }
        for (int i = 0; i < 4; i++) {
            deque.push(1);
        }
    }

    /** The thief. */
    @Actor
    public void thief(II_Result result) {
        int stolen = 0;
        for (int turn = 0; turn < 3; turn++) {
            stolen += Items.number(deque.steal());
        }
        result.r1 = stolen;
    }

    /** Takes what is left. */
    @Arbiter
    public void rest(II_Result result) {
        result.r1 += poppedByOwner;
        while (deque.size() > 0) {
            result.r1 += Items.number(deque.pop());
        }
        result.r2 = deque.pop() == null ? 0 : 1;
    }
}
