package io.frameloom.stress.deque;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.queue.WorkStealingDeque;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Who steals an item sees what the owner wrote into it, with plain stores, before it pushed it (race 6);
 * the second push also grows the array.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing was there yet")
@Outcome(
        id = {"1, 0", "0, 1"},
        expect = ACCEPTABLE,
        desc = "the first item was there")
@Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "both were there")
@Outcome(expect = FORBIDDEN, desc = "a field of a stolen item was not visible, or out of order")
@State
public class DequePublicationStress {
    private final WorkStealingDeque<Body> deque = new WorkStealingDeque<>(2, Long.MAX_VALUE);
    private final Body first = new Body();
    private final Body second = new Body();
    private final Body third = new Body();

    /** A body with a plain field. */
    private static final class Body {
        int captured;
    }

    /** The owner. */
    @Actor
    public void owner() {
        first.captured = 1;
        deque.push(first);
        second.captured = 2;
        deque.push(second);
        third.captured = 3;
        deque.push(third);
    }

    /** The thief. */
    @Actor
    public void thief(II_Result result) {
        result.r1 = run(deque.steal());
        result.r2 = run(deque.steal());
    }

    private static int run(@Nullable Body body) {
        if (body == null) {
            return 0;
        }
        return body.captured == 0 ? -1 : body.captured;
    }
}
