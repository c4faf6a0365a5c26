package io.frameloom.stress.compiled;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.CompiledGraph;
import io.frameloom.taskgraph.GraphBuilder;
import io.frameloom.taskgraph.TaskGraph;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads execute one compiled graph: each runs it whole or is refused, never both at once (race 32). */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "one was refused")
@Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "one after the other")
@Outcome(expect = FORBIDDEN, desc = "both refused, or a run without its body, or lost what the other body wrote")
@State
public class SecondRunStress {
    private static final TaskGraph GRAPH =
            TaskGraph.builder().name("second run").workers(1).build();

    private final CompiledGraph graph;
    private int bodies;
    private int one;
    private int other;

    /** Compiles a graph of one node, which counts in a plain field. */
    public SecondRunStress() {
        GraphBuilder builder = GRAPH.graphBuilder("graph").maxHelpers(0);
        builder.node("node", () -> bodies++);
        graph = builder.build();
    }

    private int tryExecute() {
        try {
            graph.execute();
            return 1;
        } catch (IllegalStateException refused) {
            return 0;
        }
    }

    /** Executes. */
    @Actor
    public void one() {
        one = tryExecute();
    }

    /** Executes, too. */
    @Actor
    public void other() {
        other = tryExecute();
    }

    /** Compares. */
    @Arbiter
    public void count(II_Result result) {
        result.r1 = one + other;
        result.r2 = bodies;
    }
}
