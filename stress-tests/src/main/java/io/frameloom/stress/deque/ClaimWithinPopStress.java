package io.frameloom.stress.deque;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.queue.WorkStealingDeque;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The owner claims the second of two items between the halves of its pop, while a thief comes up to it and claims what it
 * steals (race 17). The claim decides who has an item, and no entry is left or lost.
 */
@JCStressTest
@Outcome(id = "2, 1, 0", expect = ACCEPTABLE, desc = "the owner got the second item")
@Outcome(id = "0, 12, 0", expect = ACCEPTABLE, desc = "the thief got both items")
@Outcome(expect = FORBIDDEN, desc = "an item was claimed by nobody, or is still in the deque")
@State
public class ClaimWithinPopStress {
    private final WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, Long.MAX_VALUE);
    private final AtomicIntegerArray claims = new AtomicIntegerArray(3);

    /** Two items. */
    public ClaimWithinPopStress() {
        deque.push(1);
        deque.push(2);
    }

    private boolean claim(int item) {
        return claims.compareAndSet(item, 0, 1);
    }

    /** The owner. */
    @Actor
    public void owner(III_Result result) {
        int last = Items.number(deque.last());
        if (last != 0) {
            deque.beginPop();
            boolean claimed = claim(last);
            deque.endPop();
            result.r1 = claimed ? last : 0;
        }
    }

    /** The thief. */
    @Actor
    public void thief(III_Result result) {
        for (Integer item = deque.steal(); item != null; item = deque.steal()) {
            if (claim(item)) {
                result.r2 = Items.append(result.r2, item);
            }
        }
    }

    /** What is left. */
    @Arbiter
    public void rest(III_Result result) {
        result.r3 = Items.poppedFrom(deque);
    }
}
