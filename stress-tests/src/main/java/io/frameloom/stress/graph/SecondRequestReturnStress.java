package io.frameloom.stress.graph;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.NamedThread;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two requests end two pumps, also when both were made while the first pump ran (race 20). */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "the second request ended the second pump")
@Outcome(expect = FORBIDDEN, desc = "the second request was lost: the second pump went on to later work")
@State
public class SecondRequestReturnStress {
    private final NamedThread lane = Shared.lane();
    private int late;

    /** Pumps until told to return. */
    @Actor
    public void pump() {
        Shared.GRAPH.attach(lane);
        Shared.GRAPH.processUntilReturnRequested(lane);
        Shared.GRAPH.detach(lane);
    }

    /** Requests two returns. */
    @Actor
    public void requester() {
        Shared.GRAPH.requestReturn(lane);
        Shared.GRAPH.requestReturn(lane);
    }

    /** Pumps again; a task and a third request behind the second one keep a lost request from hanging. */
    @Arbiter
    public void again(I_Result result) {
        Shared.GRAPH.attach(lane);
        Shared.GRAPH.task("late", () -> late++).on(lane).fireAndForget();
        Shared.GRAPH.requestReturn(lane);
        Shared.GRAPH.processUntilReturnRequested(lane);
        result.r1 = late;
        Shared.GRAPH.processUntilIdle(lane);
        Shared.GRAPH.processUntilReturnRequested(lane);
        Shared.GRAPH.detach(lane);
    }
}
