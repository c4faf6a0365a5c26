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
import org.openjdk.jcstress.infra.results.II_Result;

/** A task launched in a pipe while the task before it ends runs once, after it, and sees what it wrote. */
@JCStressTest
@Outcome(id = "42, 1", expect = ACCEPTABLE, desc = "the second ran once and saw the first")
@Outcome(expect = FORBIDDEN, desc = "the hand-over was lost or doubled, or the order was broken")
@State
public class PipeLaunchAgainstEndStress {
    private final Pipe pipe = Features.GRAPH.pipe("pipe");
    private final GraphEvent gate = Features.GRAPH.event("gate");
    private @Nullable GraphEvent second;
    /** Plain on purpose. */
    private int output;

    private int seen;
    private int runs;

    /** Makes the pipe busy with a task that ends inside of the trigger's aftermath. */
    public PipeLaunchAgainstEndStress() {
        pipe.task("first", () -> output = 42).after(gate).dispatch();
    }

    /** Lets the first task run and end. */
    @Actor
    public void ender() {
        gate.trigger();
    }

    /** Launches the second. */
    @Actor
    public void launcher() {
        second = pipe.task("second", () -> {
                    seen = output;
                    runs++;
                })
                .dispatch();
    }

    /** Waits for the second. */
    @Arbiter
    public void await(II_Result result) {
        if (second != null && second.await(Features.PATIENCE)) {
            result.r1 = seen;
            result.r2 = runs;
        }
    }
}
