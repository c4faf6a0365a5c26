package io.frameloom.stress.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.queue.InjectionQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tasks offered around the change from one segment to the next are each taken once, whoever takes them. */
@JCStressTest
@Outcome(id = "1111, 0", expect = ACCEPTABLE, desc = "every task was taken once")
@Outcome(expect = FORBIDDEN, desc = "a task was lost or taken twice, or the queue does not report empty")
@State
public class InjectionSegmentStress {
    private final InjectionQueue<Integer> queue = new InjectionQueue<>(2);
    private int takenByConsumer;

    /** The segment is full. */
    public InjectionSegmentStress() {
        queue.offer(1);
        queue.offer(10);
    }

    /** Offers two more. */
    @Actor
    public void producer() {
        queue.offer(100);
        queue.offer(1000);
    }

    /** Takes up to three. */
    @Actor
    public void consumer() {
        int sum = 0;
        for (int turn = 0; turn < 3; turn++) {
            Integer item = queue.poll();
            sum += item == null ? 0 : item;
        }
        takenByConsumer = sum;
    }

    /** Takes the rest. */
    @Arbiter
    public void rest(II_Result result) {
        int sum = takenByConsumer;
        Integer item;
        while ((item = queue.poll()) != null) {
            sum += item;
        }
        result.r1 = sum;
        result.r2 = queue.isEmpty() ? 0 : 1;
    }
}
