package io.frameloom.stress.graph;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.NamedThread;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A pump returns by a request made before it began or while it runs or parks, and runs first what the
 * requester had dispatched (races 10, 20). A missed request shows as a run that does not end.
 */
@JCStressTest
@Outcome(id = "1, 42", expect = ACCEPTABLE, desc = "the task ran once, then the pump returned")
@Outcome(expect = FORBIDDEN, desc = "returned before the task, or ran it twice, or without its captured state")
@State
public class RequestReturnAgainstPumpStress {
    private final NamedThread lane = Shared.lane();
    private int runs;
    private int seen;

    /** Pumps until told to return. */
    @Actor
    public void pump(II_Result result) {
        Shared.GRAPH.attach(lane);
        Shared.GRAPH.processUntilReturnRequested(lane);
        Shared.GRAPH.detach(lane);
        result.r1 = runs;
        result.r2 = seen;
    }

    /** Dispatches, then requests the return. */
    @Actor
    public void requester() {
        int[] captured = {42};
        Shared.GRAPH
                .task("task", () -> {
                    runs++;
                    seen = captured[0];
                })
                .on(lane)
                .fireAndForget();
        Shared.GRAPH.requestReturn(lane);
    }
}
