package io.frameloom.stress.compiled;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.CompiledGraph;
import io.frameloom.taskgraph.GraphBuilder;
import io.frameloom.taskgraph.GraphNode;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Nodes become ready for a named thread while that thread works its queue off and stops: none of them is
 * left without an entry in the queue (the reusable task is set idle while it is invited again).
 */
@JCStressTest
@Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "both nodes ran on the named thread and the run completed")
@Outcome(expect = FORBIDDEN, desc = "a node was lost or ran twice")
@State
public class CompiledLaneStress {
    private static final TaskGraph GRAPH =
            TaskGraph.builder().name("lane").workers(1).build();
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** More than jcstress keeps states alive at a time. */
    private static final int LANES = 12_288;

    private static final AtomicInteger NEXT = new AtomicInteger();

    private final NamedThread lane = NamedThread.of("LANE" + Math.floorMod(NEXT.getAndIncrement(), LANES));
    private final CompiledGraph graph;
    private final AtomicInteger runs = new AtomicInteger();

    /** Compiles a lane node, a worker node behind it, and a lane node behind that. */
    public CompiledLaneStress() {
        GraphBuilder builder = GRAPH.graphBuilder("graph");
        GraphNode first = builder.node("first", runs::incrementAndGet).on(lane);
        GraphNode between = builder.node("between", () -> {}).after(first);
        builder.node("last", runs::incrementAndGet).on(lane).after(between);
        graph = builder.build();
    }

    /** Begins the run. */
    @Actor
    public void begins() {
        graph.run();
    }

    /** Works the queue off while it is filled. */
    @Actor
    public void pumps() {
        GRAPH.attach(lane);
        GRAPH.processUntilIdle(lane);
        GRAPH.processUntilIdle(lane);
        GRAPH.detach(lane);
    }

    /** Works off the rest. */
    @Arbiter
    public void rest(II_Result result) {
        GRAPH.attach(lane);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!graph.event().isComplete() && System.nanoTime() < deadline) {
            GRAPH.processUntilIdle(lane);
            Thread.onSpinWait();
        }
        GRAPH.processUntilIdle(lane);
        GRAPH.detach(lane);
        result.r1 = runs.get();
        result.r2 = graph.event().isComplete() ? 1 : 0;
    }
}
