package io.frameloom.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The shapes have exactly the published counts, so results compare with those of other programs. */
@Timeout(60)
class ShapesTest {
    @ParameterizedTest
    @CsvSource({
        "chain, 100000, 99999, 100000, 1, 1",
        "fan, 100002, 200000, 3, 1, 1",
        "fan-1024, 1026, 2048, 3, 1, 1",
        "fan-64, 66, 128, 3, 1, 1",
        "flood, 100000, 0, 1, 100000, 100000",
        "tree, 131071, 131070, 17, 1, 65536",
        "wavefront, 65536, 130560, 511, 1, 1",
        "random, 50000, 199746, 80, 5524, 9986",
        "frame, 100, 270, 10, 10, 14",
        "frame-inside, 100, 270, 10, 10, 14"
    })
    void shapeHasThePublishedCounts(String name, int nodes, int edges, int depth, int roots, int sinks) {
        Shape shape = Main.shapes().stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow();
        Dag dag = shape.dag();
        assertThat(dag.nodes()).isEqualTo(nodes);
        assertThat(dag.edges()).isEqualTo(edges);
        assertThat(dag.depth()).isEqualTo(depth);
        assertThat(dag.roots()).hasSize(roots);
        assertThat(dag.sinks()).hasSize(sinks);
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void successorsMirrorPrerequisites(Shape shape) {
        Dag dag = shape.dag();
        List<Long> forward = new ArrayList<>();
        List<Long> backward = new ArrayList<>();
        for (int node = 0; node < dag.nodes(); node++) {
            for (int index = 0; index < dag.outDegree(node); index++) {
                forward.add((long) node << 32 | dag.successor(node, index));
            }
            for (int index = 0; index < dag.inDegree(node); index++) {
                backward.add((long) dag.prerequisite(node, index) << 32 | node);
            }
        }
        backward.sort(null);
        assertThat(forward).isEqualTo(backward);
    }

    static List<Shape> shapes() {
        return Main.shapes();
    }

    @Test
    void prerequisiteOfALaterNodeIsRefused() {
        Dag.Builder builder = new Dag.Builder(2, 1);
        builder.node();
        assertThatThrownBy(() -> builder.node(1)).hasMessageContaining("topological order");
    }
}
