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
 * The owner pops by a claim, without a fence of its own, and pushes another item at the same index, while a thief is
 * after it (race 17).
 */
@JCStressTest
@Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "the thief found nothing that it could claim")
@Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "the thief got the new item")
@Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "the thief got the old item")
@Outcome(expect = FORBIDDEN, desc = "an item was taken twice or by nobody")
@State
public class ClaimAgainstStealStress {
    private final WorkStealingDeque<ClaimedItem> deque = new WorkStealingDeque<>(2, -1);
    private final ClaimedItem second = new ClaimedItem(2);

    /** One item. */
    public ClaimAgainstStealStress() {
        deque.push(new ClaimedItem(1));
    }

    /** The owner. */
    @Actor
    public void owner(III_Result result) {
        result.r1 = ClaimedItem.number(deque.pop(ClaimedItem::claim));
        deque.push(second);
    }

    /** The thief. */
    @Actor
    public void thief(III_Result result) {
        ClaimedItem stolen = deque.steal();
        result.r2 = stolen != null && stolen.claim() ? ClaimedItem.number(stolen) : 0;
    }

    /** Takes what is left. */
    @Arbiter
    public void rest(III_Result result) {
        result.r3 = ClaimedItem.number(deque.pop(ClaimedItem::claim));
    }
}
