package io.frameloom.stress.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.queue.NamedThreadQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Who takes a task out of a named thread's queue sees all its plain fields (race 6). */
@JCStressTest
@Outcome(id = "42, -1", expect = ACCEPTABLE, desc = "taken while being offered, fields visible")
@Outcome(id = "-1, 42", expect = ACCEPTABLE, desc = "not there yet, taken later")
@Outcome(expect = FORBIDDEN, desc = "fields not visible, or the task was lost or taken twice")
@State
public class NamedQueuePublicationStress {
    private static final int NONE = -1;

    private final NamedThreadQueue<Box> queue = new NamedThreadQueue<>(2, null);

    /** Stands for a task; its fields are plain on purpose. */
    private static final class Box {
        int low;
        int high;
    }

    /** Fills a box and offers it. */
    @Actor
    public void producer() {
        Box box = new Box();
        box.low = 2;
        box.high = 40;
        queue.offer(box, false, false);
    }

    /** Tries to take it. */
    @Actor
    public void consumer(II_Result result) {
        result.r1 = take();
    }

    /** Takes what is left. */
    @Arbiter
    public void rest(II_Result result) {
        result.r2 = take();
    }

    private int take() {
        Box box = queue.poll(false);
        return box == null ? NONE : box.low + box.high;
    }
}
