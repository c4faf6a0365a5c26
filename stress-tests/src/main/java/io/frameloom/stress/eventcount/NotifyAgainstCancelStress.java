package io.frameloom.stress.eventcount;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.parts.EventCount;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** A notification that meets a cancelled wait is either not given or known to have been consumed (races 14, 16). */
@JCStressTest
@Outcome(id = "true, true, false", expect = ACCEPTABLE, desc = "the canceller knows that it consumed the notification")
@Outcome(id = "false, false, false", expect = ACCEPTABLE, desc = "the notifier found nobody")
@Outcome(expect = FORBIDDEN, desc = "a notification was swallowed unseen, or a signal or waiter was left behind")
@State
public class NotifyAgainstCancelStress {
    private final EventCount eventCount = new EventCount(1, 0L, null);

    /** A worker has announced itself. */
    public NotifyAgainstCancelStress() {
        eventCount.prepareWait();
    }

    /** Found work after all. */
    @Actor
    public void canceller(ZZZ_Result result) {
        result.r1 = eventCount.cancelWait();
    }

    /** Notifies. */
    @Actor
    public void notifier(ZZZ_Result result) {
        result.r2 = eventCount.notifyOne();
    }

    /** Whether a notification would find somebody. */
    @Arbiter
    public void left(ZZZ_Result result) {
        result.r3 = eventCount.notifyOne();
    }
}
