package io.frameloom.stress.frame;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.GraphLease;
import io.frameloom.rdg.declare.SpareGraphs;
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The last plan of a graph is released while a search begins, and the next graph is written (race 44). */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the memory was gone")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the search has kept the memory while it read")
@Outcome(expect = FORBIDDEN, desc = "the search has read the next graph, or the memory is held for ever")
@State
public class HoldAgainstLastStress {
    private static final String NAME = "declared";

    private final SpareGraphs spares = new SpareGraphs(1);
    private final DeclaredGraph graph = spares.copy(new DeclaredGraph(NAME));
    private final GraphLease lease = Objects.requireNonNull(graph.lease());

    /** Releases the plan, and compiles the next one. */
    @Actor
    public void release() {
        lease.letGo();
        spares.copy(new DeclaredGraph("next"));
    }

    /** Searches. */
    @Actor
    public void search(II_Result result) {
        if (lease.hold()) {
            result.r1 = graph.name().equals(NAME) ? 1 : -1;
            lease.letGo();
        }
    }

    /** Looks whether the memory is gone. */
    @Arbiter
    public void end(II_Result result) {
        result.r2 = lease.isOver() ? 1 : 0;
    }
}
