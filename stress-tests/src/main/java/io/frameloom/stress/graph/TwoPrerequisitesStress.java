package io.frameloom.stress.graph;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.GraphEvent;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A task whose two prerequisites complete at the same time runs once and sees both outputs (races 3, 7). */
@JCStressTest
@Outcome(id = "1, 3", expect = ACCEPTABLE, desc = "ran once and saw both outputs")
@Outcome(expect = FORBIDDEN, desc = "never ran, ran twice, or did not see an output")
@State
public class TwoPrerequisitesStress {
    private final GraphEvent one = Shared.GRAPH.event("one");
    private final GraphEvent other = Shared.GRAPH.event("other");
    private final GraphEvent task;
    private int outputOfOne;
    private int outputOfOther;
    private int runs;
    private int seen;

    /** Dispatches the task. */
    public TwoPrerequisitesStress() {
        task = Shared.GRAPH
                .task("task", () -> {
                    runs++;
                    seen = outputOfOne + outputOfOther;
                })
                .after(one, other)
                .dispatch();
    }

    /** Completes one. */
    @Actor
    public void completeOne() {
        outputOfOne = 1;
        one.trigger();
    }

    /** Completes the other. */
    @Actor
    public void completeOther() {
        outputOfOther = 2;
        other.trigger();
    }

    /** Waits for the task. */
    @Arbiter
    public void await(II_Result result) {
        if (task.await(Shared.PATIENCE)) {
            result.r1 = runs;
            result.r2 = seen;
        }
    }
}
