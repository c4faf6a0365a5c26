package io.frameloom.stress.feature;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.CancellationToken;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskCancelledException;
import java.util.concurrent.CompletionException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIZ_Result;

/** A task that becomes ready while its token is cancelled runs or is cancelled, and what is behind it goes on (race 30). */
@JCStressTest
@Outcome(id = "1, 1, false", expect = ACCEPTABLE, desc = "it ran, and what is behind it saw that")
@Outcome(id = "0, 0, true", expect = ACCEPTABLE, desc = "it was cancelled and did not run")
@Outcome(expect = FORBIDDEN, desc = "it ran and was cancelled, or neither, or what is behind was left waiting")
@State
public class CancelAgainstStartStress {
    private final CancellationToken token = new CancellationToken();
    private final GraphEvent gate = Features.GRAPH.event("gate");
    private final GraphEvent task;
    private final GraphEvent behind;
    private int runs;
    private int seen;

    /** Sets the task up, and one behind it that runs in any case. */
    public CancelAgainstStartStress() {
        task = Features.GRAPH
                .task("task", () -> runs++)
                .after(gate)
                .cancelledBy(token)
                .dispatch();
        behind = Features.GRAPH
                .task("behind", () -> seen = runs)
                .after(task)
                .onPrerequisiteFailure(io.frameloom.taskgraph.FailurePolicy.RUN_ANYWAY)
                .dispatch();
    }

    /** Lets the task start. */
    @Actor
    public void starter() {
        gate.trigger();
    }

    /** Cancels. */
    @Actor
    public void canceller() {
        token.cancel();
    }

    /** Waits for what is behind. */
    @Arbiter
    public void await(IIZ_Result result) {
        if (!behind.await(Features.PATIENCE)) {
            throw new CompletionException(new IllegalStateException("what is behind never ran"));
        }
        result.r1 = runs;
        result.r2 = seen;
        result.r3 = task.failure() instanceof TaskCancelledException;
    }
}
