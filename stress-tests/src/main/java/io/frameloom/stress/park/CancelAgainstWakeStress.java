package io.frameloom.stress.park;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.parts.ThreadParker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A wake that meets a cancelled announcement leaves nothing behind that would end the next park early (race 11). */
@JCStressTest
@Outcome(
        id = {"true, false", "false, false"},
        expect = ACCEPTABLE,
        desc = "the next park waits for its own wake")
@Outcome(expect = FORBIDDEN, desc = "a stale wake ended the next park")
@State
public class CancelAgainstWakeStress {
    private final ThreadParker parker = new ThreadParker(null);

    /** Announces and takes it back. */
    @Actor
    public void sleeper() {
        parker.prepare();
        parker.cancel();
    }

    /** Wakes. */
    @Actor
    public void waker(ZZ_Result result) {
        result.r1 = parker.wake();
    }

    /** Parks with a deadline that has passed: true would mean that somebody had woken it. */
    @Arbiter
    public void next(ZZ_Result result) {
        parker.prepare();
        result.r2 = parker.parkUntil(System.nanoTime() - 1);
    }
}
