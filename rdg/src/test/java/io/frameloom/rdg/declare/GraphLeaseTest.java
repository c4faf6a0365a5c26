package io.frameloom.rdg.declare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who keeps the memory of a plan's graph; race 44. */
class GraphLeaseTest {
    private final SpareGraphs spares = new SpareGraphs(1);
    private final DeclaredGraph graph = spares.copy(new DeclaredGraph("first"));
    private final GraphLease lease = Objects.requireNonNull(graph.lease());

    private DeclaredGraph next() {
        return spares.copy(new DeclaredGraph("next"));
    }

    @Test
    void theMemoryGoesBackWithTheLastHold() {
        assertThat(lease.hold()).isTrue();
        lease.letGo();
        assertThat(lease.isOver()).isFalse();
        assertThat(next()).isNotSameAs(graph);
        assertThat(graph.name()).isEqualTo("first");
        lease.letGo();
        assertThat(lease.isOver()).isTrue();
        assertThat(next()).isSameAs(graph);
        assertThat(graph.name()).isEqualTo("next");
    }

    @Test
    void memoryThatIsGoneIsNotHeldAgain() {
        lease.letGo();
        assertThat(lease.hold()).isFalse();
        assertThat(lease.isOver()).isTrue();
        assertThat(next().lease()).isNotSameAs(lease);
    }

    @Test
    void noMoreIsSpareThanAskedFor() {
        DeclaredGraph second = next();
        lease.letGo();
        Objects.requireNonNull(second.lease()).letGo();
        assertThat(next()).isSameAs(graph);
        assertThat(next()).isNotSameAs(second);
    }
}
