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
 * The same object goes round the array again and again, while thieves take it (race 19). A thief that was
 * stopped after winning would clear the slot of a later push, were it used before.
 */
@JCStressTest
@Outcome(id = "8", expect = ACCEPTABLE, desc = "every push was taken once")
@Outcome(expect = FORBIDDEN, desc = "a push was lost or taken twice")
@State
public class SameObjectAgainStress {
    private static final int PUSHES = 8;

    private final WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, Long.MAX_VALUE - 1);

    /** The owner. */
    @Actor
    public void owner() {
        for (int i = 0; i < PUSHES; i++) {
            deque.push(1);
        }
    }

    /** The thief. */
    @Actor
    public void thief(I_Result result) {
        int stolen = 0;
        for (int turn = 0; turn < PUSHES; turn++) {
            stolen += Items.number(deque.steal());
        }
        result.r1 = stolen;
    }

    /** Takes what is left; a slot that was cleared too early yields nothing. */
    @Arbiter
    public void rest(I_Result result) {
        while (deque.size() > 0) {
            result.r1 += Items.number(deque.pop());
        }
    }
}
