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
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Two notifications with two announced workers reach both, so both commits return at once (race 15). */
@JCStressTest
@Outcome(id = "true, true, false", expect = ACCEPTABLE, desc = "both workers were notified, once each")
@Outcome(expect = FORBIDDEN, desc = "two notifications went to one worker")
@State
public class NotifyAgainstNotifyStress {
    private final EventCount eventCount = new EventCount(2, 0L, null);

    /** Two workers have announced themselves. */
    public NotifyAgainstNotifyStress() {
        eventCount.prepareWait();
        eventCount.prepareWait();
    }

    /** Notifies. */
    @Actor
    public void one(ZZZ_Result result) {
        result.r1 = eventCount.notifyOne();
    }

    /** Notifies too. */
    @Actor
    public void other(ZZZ_Result result) {
        result.r2 = eventCount.notifyOne();
    }

    /** Both signals are there to be taken; nobody is left to notify. */
    @Arbiter
    public void commit(ZZZ_Result result) {
        result.r3 = eventCount.notifyOne();
        eventCount.commitWait(0, () -> false, ThreadParker::park);
        eventCount.commitWait(1, () -> false, ThreadParker::park);
    }
}
