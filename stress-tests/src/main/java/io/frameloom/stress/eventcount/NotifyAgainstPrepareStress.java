package io.frameloom.stress.eventcount;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.parts.EventCount;
import io.frameloom.taskgraph.queue.InjectionQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Push and notify against prepare and second look: the worker sees the task or the notifier sees the
 * worker (race 14). The version starts just before its wrap-around.
 */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "seen and notified")
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "seen; the notifier came before the announcement")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "not seen, but notified")
@Outcome(expect = FORBIDDEN, desc = "lost wake-up: the worker would sleep with a task in the queue")
@State
public class NotifyAgainstPrepareStress {
    private static final long LAST_VERSION = (1L << 34) - 1;

    private final EventCount eventCount = new EventCount(1, LAST_VERSION, null);
    private final InjectionQueue<Integer> queue = new InjectionQueue<>(4);

    /** Announces, looks again. */
    @Actor
    public void worker(ZZ_Result result) {
        eventCount.prepareWait();
        result.r1 = !queue.isEmpty();
    }

    /** Pushes, notifies. */
    @Actor
    public void producer(ZZ_Result result) {
        queue.offer(1);
        result.r2 = eventCount.notifyOne();
    }
}
