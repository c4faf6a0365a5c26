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

/** With two announced workers, one cancelling does not take the notification away from the other (race 16). */
@JCStressTest
@Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "the other worker has its signal")
@Outcome(expect = FORBIDDEN, desc = "the other worker would sleep though somebody was notified")
@State
public class CancelKeepsTheOtherSignalStress {
    private final EventCount eventCount = new EventCount(2, 0L, null);

    /** Two workers have announced themselves. */
    public CancelKeepsTheOtherSignalStress() {
        eventCount.prepareWait();
        eventCount.prepareWait();
    }

    /** One of them found work. */
    @Actor
    public void canceller(ZZZ_Result result) {
        result.r1 = eventCount.cancelWait();
    }

    /** Notifies. */
    @Actor
    public void notifier(ZZZ_Result result) {
        result.r2 = eventCount.notifyOne();
    }

    /** Whether the other worker is still without a signal. */
    @Arbiter
    public void left(ZZZ_Result result) {
        result.r3 = eventCount.notifyOne();
    }
}
