package io.frameloom.stress.eventcount;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.parts.EventCount;
import io.frameloom.taskgraph.parts.ThreadParker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A waiter for which alone there is something, published while it goes to sleep, gets to it, although another
 * waiter takes the signal that was meant for it (race 35). A lost call shows as a run that does not end.
 */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the waiter saw it, nothing is left behind")
@Outcome(expect = FORBIDDEN, desc = "the waiter did not see it, or a waiter or signal was left")
@State
public class CallAgainstSleepStress {
    private static final long LAST_VERSION = (1L << 34) - 1;

    private final EventCount eventCount = new EventCount(2, LAST_VERSION, null);
    private volatile boolean mail;

    /** Sleeps unless there is mail. */
    @Actor
    public void waiter(ZZ_Result result) {
        while (!mail) {
            eventCount.prepareWait();
            if (mail) {
                eventCount.cancelWait();
            } else {
                eventCount.commitWait(0, () -> mail, ThreadParker::park);
            }
        }
        result.r1 = true;
    }

    /** Publishes, calls, and takes a signal away again if there is one. */
    @Actor
    public void caller() {
        mail = true;
        eventCount.notifyAllWaiters();
        eventCount.prepareWait();
        eventCount.commitWait(1, () -> true, ThreadParker::park);
    }

    /** Whether a notification would find somebody. */
    @Arbiter
    public void left(ZZ_Result result) {
        result.r2 = eventCount.notifyOne();
    }
}
