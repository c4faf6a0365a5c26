package io.frameloom.stress.compiled;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.CompiledGraph;
import io.frameloom.taskgraph.GraphBuilder;
import io.frameloom.taskgraph.GraphNode;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A shared run follows the one before at once, while a helper may still be on its way out, and another
 * thread awaits whatever run there is: no body is lost, doubled, or early (races 7 and 31).
 */
@JCStressTest
@Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "two whole runs")
@Outcome(expect = FORBIDDEN, desc = "bodies were lost, doubled or early, or the waiter did not return")
@State
public class CompiledRerunStress {
    private static final TaskGraph GRAPH =
            TaskGraph.builder().name("rerun").workers(1).build();
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final CompiledGraph graph;
    private int left;
    private int right;
    private int joins;
    private int wrong;
    private boolean returned;

    /** Compiles two nodes that may run at once, and one behind both. */
    public CompiledRerunStress() {
        GraphBuilder builder = GRAPH.graphBuilder("graph");
        GraphNode one = builder.node("left", () -> left++);
        GraphNode other = builder.node("right", () -> right++);
        builder.node("join", () -> {
                    joins++;
                    wrong += left == joins && right == joins ? 0 : 1;
                })
                .after(one, other);
        graph = builder.build();
    }

    /** Runs twice. */
    @Actor
    public void runs() {
        graph.execute();
        graph.run();
    }

    /** Waits for whatever run there is. */
    @Actor
    public void waits() {
        returned = graph.event().await(PATIENCE);
    }

    /** Waits for the last run. */
    @Arbiter
    public void count(II_Result result) {
        returned &= graph.event().await(PATIENCE);
        result.r1 = joins;
        result.r2 = wrong + (returned ? 0 : 100);
    }
}
