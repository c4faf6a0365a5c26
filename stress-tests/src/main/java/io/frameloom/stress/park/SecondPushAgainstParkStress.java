package io.frameloom.stress.park;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.queue.NamedThreadQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * The second of two pushes does not rely on the wake of the first, and high overtakes normal (race 11).
 *
 * <p>The consumer stops before the park itself: whether it would sleep on is read from the parker by a
 * park whose deadline has passed.
 */
@JCStressTest
@Outcome(id = "false, true, 12", expect = ACCEPTABLE, desc = "the second look found the work; the wake came too")
@Outcome(
        id = "false, false, 12",
        expect = ACCEPTABLE,
        desc = "the wake came before the announcement; the work was seen")
@Outcome(id = "true, true, 12", expect = ACCEPTABLE, desc = "all queues looked empty, and the wake came")
@Outcome(expect = FORBIDDEN, desc = "asleep with work in a queue and no wake on its way, or work lost")
@State
public class SecondPushAgainstParkStress {
    private final NamedThreadQueue<Integer> queues = new NamedThreadQueue<>(8, null);

    /** Announces the park and looks at all queues. */
    @Actor
    public void consumer(ZZI_Result result) {
        queues.parker().prepare();
        result.r1 = queues.isEmpty(false);
    }

    /** Pushes and wakes twice. */
    @Actor
    public void producer() {
        queues.offer(2, false, false);
        queues.wakeConsumer();
        queues.offer(1, false, true);
        queues.wakeConsumer();
    }

    /** Whether the park would have returned, and what is in the queues. */
    @Arbiter
    public void wake(ZZI_Result result) {
        result.r2 = queues.parker().parkUntil(System.nanoTime() - 1);
        Integer item;
        while ((item = queues.poll(false)) != null) {
            result.r3 = result.r3 * 10 + item;
        }
    }
}
