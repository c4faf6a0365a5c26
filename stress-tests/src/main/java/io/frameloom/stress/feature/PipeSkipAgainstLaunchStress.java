package io.frameloom.stress.feature;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.Pipe;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * A task launched in a pipe while the task before it is skipped, which ends on the thread of the failing
 * event itself and so right beside the launch, runs once.
 */
@JCStressTest
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "the follower ran once")
@Outcome(expect = FORBIDDEN, desc = "the follower was lost or ran twice")
@State
public class PipeSkipAgainstLaunchStress {
    private static final Exception FAILURE = new IllegalStateException("on purpose");

    private final Pipe pipe = Features.GRAPH.pipe("pipe");
    private final GraphEvent input = Features.GRAPH.event("input");
    private @Nullable GraphEvent follower;
    private int runs;

    /** Makes the pipe busy. */
    public PipeSkipAgainstLaunchStress() {
        pipe.task("skipped", () -> runs += 100).after(input).dispatch();
    }

    /** Fails the input, and the skipped task with it. */
    @Actor
    public void failer() {
        input.fail(FAILURE);
    }

    /** Launches the follower. */
    @Actor
    public void launcher() {
        follower = pipe.task("follower", () -> runs++).dispatch();
    }

    /** Waits for the follower and for the pipe. */
    @Arbiter
    public void await(ZI_Result result) {
        if (follower != null && follower.await(Features.PATIENCE)) {
            result.r1 = pipe.isIdle();
            result.r2 = runs;
        }
    }
}
