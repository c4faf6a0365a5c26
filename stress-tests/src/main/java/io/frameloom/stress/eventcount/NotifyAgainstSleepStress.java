package io.frameloom.stress.eventcount;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.parts.EventCount;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.queue.InjectionQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * A worker that really sleeps gets both tasks that are pushed while it goes to sleep, and leaves no
 * waiter and no signal behind (race 14). A lost wake-up shows as a run that does not end.
 */
@JCStressTest
@Outcome(id = "2, false", expect = ACCEPTABLE, desc = "both tasks were taken, nobody waits")
@Outcome(expect = FORBIDDEN, desc = "a task was taken twice, or a waiter or signal was left")
@State
public class NotifyAgainstSleepStress {
    private static final long LAST_VERSION = (1L << 34) - 1;

    private final EventCount eventCount = new EventCount(1, LAST_VERSION, null);
    private final InjectionQueue<Integer> queue = new InjectionQueue<>(4);

    /** Takes two tasks, sleeping where there is none. */
    @Actor
    public void worker(IZ_Result result) {
        while (result.r1 < 2) {
            if (queue.poll() != null) {
                result.r1++;
                continue;
            }
            eventCount.prepareWait();
            if (queue.isEmpty()) {
                eventCount.commitWait(0, () -> false, ThreadParker::park);
            } else {
                eventCount.cancelWait();
            }
        }
    }

    /** Pushes and notifies twice. */
    @Actor
    public void producer() {
        queue.offer(1);
        eventCount.notifyOne();
        queue.offer(2);
        eventCount.notifyOne();
    }

    /** Whether a notification would find somebody. */
    @Arbiter
    public void left(IZ_Result result) {
        result.r2 = eventCount.notifyOne();
    }
}
