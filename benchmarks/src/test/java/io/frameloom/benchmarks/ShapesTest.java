package io.frameloom.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shapes have exactly the published counts, so results compare with those of other programs. */
@Timeout(60)
class ShapesTest {
    @ParameterizedTest
    @CsvSource({
        "chain, 100000, 99999, 100000, 1, 1",
        "fan, 100002, 200000, 3, 1, 1",
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

    @Test
    void successorsMirrorPrerequisites() {
        for (Shape shape : Main.shapes()) {
            Dag dag = shape.dag();
            int edges = 0;
            for (int node = 0; node < dag.nodes(); node++) {
                for (int index = 0; index < dag.outDegree(node); index++) {
                    int successor = dag.successor(node, index);
                    boolean mirrored = false;
                    for (int back = 0; back < dag.inDegree(successor) && !mirrored; back++) {
                        mirrored = dag.prerequisite(successor, back) == node;
                    }
                    assertThat(mirrored)
                            .as("%s: edge %d -> %d", shape.name(), node, successor)
                            .isTrue();
                    edges++;
                    if (dag.inDegree(successor) > 1_000) {
                        break;
                    }
                }
            }
            assertThat(edges).isPositive();
        }
    }

    @Test
    void prerequisiteOfALaterNodeIsRefused() {
        Dag.Builder builder = new Dag.Builder(2, 1);
        builder.node();
        assertThatThrownBy(() -> builder.node(1)).hasMessageContaining("topological order");
    }
}
