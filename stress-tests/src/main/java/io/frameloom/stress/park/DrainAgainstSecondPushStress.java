package io.frameloom.stress.park;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.queue.NamedThreadQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * A consumer that drains the first task and goes back to park is not left asleep with the second one
 * (race 11).
 */
@JCStressTest
@Outcome(
        id = {"true, 12", "false, 12"},
        expect = ACCEPTABLE,
        desc = "both tasks were taken, in order, and the sleeper was woken where it had to be")
@Outcome(expect = FORBIDDEN, desc = "stranded: asleep with the second task in the queue, or a task was lost")
@State
public class DrainAgainstSecondPushStress {
    private static final int STRANDED = 1_000;

    private final NamedThreadQueue<Integer> queues = new NamedThreadQueue<>(8, null);
    private boolean sleeps;
    private int taken;

    /** Takes what is there, then announces and looks again, as a pump does. */
    @Actor
    public void consumer() {
        drain();
        queues.parker().prepare();
        sleeps = queues.isEmpty(false);
        if (!sleeps) {
            queues.parker().cancel();
        }
    }

    /** Pushes and wakes twice. */
    @Actor
    public void producer() {
        queues.offer(1, false, false);
        queues.wakeConsumer();
        queues.offer(2, false, false);
        queues.wakeConsumer();
    }

    /** A sleeper that nobody woke must have found, and must now find, nothing. */
    @Arbiter
    public void judge(ZI_Result result) {
        result.r1 = sleeps;
        boolean asleep = sleeps && !queues.parker().parkUntil(System.nanoTime() - 1);
        if (asleep && !queues.isEmpty(false)) {
            taken += STRANDED;
        }
        drain();
        result.r2 = taken;
    }

    private void drain() {
        Integer item;
        while ((item = queues.poll(false)) != null) {
            taken = taken * 10 + item;
        }
    }
}
