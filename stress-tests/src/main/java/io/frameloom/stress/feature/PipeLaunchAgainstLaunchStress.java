package io.frameloom.stress.feature;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.Pipe;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tasks launched in one pipe by two threads run one after the other, on two workers, each seeing the other's end. */
@JCStressTest
@Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "both ran, one after the other")
@Outcome(expect = FORBIDDEN, desc = "they overlapped, or one was lost")
@State
public class PipeLaunchAgainstLaunchStress {
    private final Pipe pipe = Features.GRAPH.pipe("pipe");
    /** Plain on purpose: an overlap or a missing happens-before loses an increment. */
    private int count;

    private int whole;

    private void add() {
        int before = count;
        Thread.onSpinWait();
        count = before + 1;
        whole++;
    }

    /** Launches one task. */
    @Actor
    public void one() {
        pipe.task("one", this::add).dispatch();
    }

    /** Launches the other. */
    @Actor
    public void other() {
        pipe.task("other", this::add).dispatch();
    }

    /** Waits for both. */
    @Arbiter
    public void await(II_Result result) {
        if (pipe.whenIdle().await(Features.PATIENCE)) {
            result.r1 = count;
            result.r2 = whole;
        }
    }
}
