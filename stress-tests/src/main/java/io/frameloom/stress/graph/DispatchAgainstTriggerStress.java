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
 * A task dispatched while its only prerequisite completes runs once, on a worker that is going to sleep or
 * waking up, and sees the prerequisite's output and its own captured state (races 1, 4, 6, 7, 14).
 */
@JCStressTest
@Outcome(id = "1, 42", expect = ACCEPTABLE, desc = "ran once and saw everything")
@Outcome(expect = FORBIDDEN, desc = "never ran, ran twice, or did not see an output")
@State
public class DispatchAgainstTriggerStress {
    private final GraphEvent prerequisite = Shared.GRAPH.event("prerequisite");
    private @Nullable GraphEvent task;
    private int output;
    private int runs;
    private int seen;

    /** What the body captures; its field is plain on purpose. */
    private static final class Captured {
        int value;
    }

    /** Dispatches the task. */
    @Actor
    public void dispatcher() {
        Captured captured = new Captured();
        captured.value = 40;
        task = Shared.GRAPH
                .task("task", () -> {
                    runs++;
                    seen = output + captured.value;
                })
                .after(prerequisite)
                .dispatch();
    }

    /** Completes the prerequisite. */
    @Actor
    public void completer() {
        output = 2;
        prerequisite.trigger();
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
