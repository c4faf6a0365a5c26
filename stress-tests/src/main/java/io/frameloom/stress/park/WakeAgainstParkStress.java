package io.frameloom.stress.park;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.parts.ThreadParker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread that really parks is woken by whoever published its condition, and sees it (race 10). */
@JCStressTest
@Outcome(id = "42, 0", expect = ACCEPTABLE, desc = "the condition was seen at once or after the wake")
@Outcome(expect = FORBIDDEN, desc = "slept through the wake-up, or woke without seeing the condition")
@State
public class WakeAgainstParkStress {
    private static final long DEADLINE_NANOS = 10_000_000_000L;
    private static final int OVERSLEPT = -1;

    private final ThreadParker parker = new ThreadParker(null);
    private int payload;
    private volatile boolean published;

    /** Announces, looks, parks. */
    @Actor
    public void sleeper(II_Result result) {
        boolean woken = true;
        while (!published && woken) {
            parker.prepare();
            if (published) {
                parker.cancel();
            } else {
                woken = parker.parkUntil(System.nanoTime() + DEADLINE_NANOS);
            }
        }
        result.r1 = woken ? payload : OVERSLEPT;
    }

    /** Publishes, wakes. */
    @Actor
    public void waker() {
        payload = 42;
        published = true;
        parker.wake();
    }
}
