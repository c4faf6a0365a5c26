package io.frameloom.stress.feature;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.GraphEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Delays scheduled while the timer thread goes to sleep for a day, or wakes up for another one, are not overslept. */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both completed")
@Outcome(expect = FORBIDDEN, desc = "the timer slept through a delay")
@State
public class DelayAgainstDelayStress {
    private @Nullable GraphEvent first;
    private @Nullable GraphEvent second;

    /** Schedules one. */
    @Actor
    public void one() {
        first = Features.GRAPH.delay("one", Duration.ofNanos(1_000));
    }

    /** Schedules another. */
    @Actor
    public void other() {
        second = Features.GRAPH.delay("other", Duration.ofNanos(2_000));
    }

    /** Waits for both. */
    @Arbiter
    public void await(ZZ_Result result) {
        result.r1 = first != null && first.await(Features.PATIENCE);
        result.r2 = second != null && second.await(Features.PATIENCE);
    }
}
