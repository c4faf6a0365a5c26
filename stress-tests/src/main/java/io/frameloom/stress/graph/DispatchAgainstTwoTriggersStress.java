package io.frameloom.stress.graph;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.GraphEvent;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A task dispatched while its two prerequisites complete runs once, after its set-up has ended, and sees
 * both outputs: the set-up holds a count of its own (races 3, 4, 5, 7).
 */
@JCStressTest
@Outcome(id = "1, 42", expect = ACCEPTABLE, desc = "ran once and saw everything")
@Outcome(expect = FORBIDDEN, desc = "never ran, ran twice, or did not see an output")
@State
public class DispatchAgainstTwoTriggersStress {
    private final GraphEvent first = Shared.GRAPH.event("first");
    private final GraphEvent second = Shared.GRAPH.event("second");
    private @Nullable GraphEvent task;
    private int output;
    private int laterOutput;
    private int runs;
    private int seen;

    /** Dispatches the task. */
    @Actor
    public void dispatcher() {
        task = Shared.GRAPH
                .task("task", () -> {
                    runs++;
                    seen = output + laterOutput;
                })
                .after(first, second)
                .dispatch();
    }

    /** Completes both prerequisites. */
    @Actor
    public void completer() {
        output = 2;
        first.trigger();
        laterOutput = 40;
        second.trigger();
    }

    /** Waits for the task. */
    @Arbiter
    public void await(II_Result result) {
        if (task != null && task.await(Shared.PATIENCE)) {
            result.r1 = runs;
            result.r2 = seen;
        }
    }
}
