package io.frameloom.taskgraph.compiled;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.CompiledGraphException;
import io.frameloom.taskgraph.GraphBuilder;
import io.frameloom.taskgraph.GraphNode;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes of the same name can be told apart in what a build complains of. */
@Timeout(60)
final class NodeLabelsTest {
    private final TaskGraph graph = TaskGraph.builder().workers(1).build();
    private final GraphBuilder builder = graph.graphBuilder("g");

    @AfterEach
    void close() {
        graph.close();
    }

    private GraphNode node(String name) {
        return builder.node(name, () -> {});
    }

    @Test
    void inACycle() {
        GraphNode first = node("blur");
        GraphNode only = node("tonemap").after(first);
        node("blur");
        first.after(node("blur").after(only));
        assertThatThrownBy(builder::build)
                .isInstanceOf(CompiledGraphException.class)
                .hasMessageContaining(
                        ": 'blur' (node 1 of 4) -> 'tonemap' -> 'blur' (node 4 of 4) -> 'blur' (node 1 of 4);");
    }

    @Test
    void inAConflict() {
        node("first").on(NamedThread.RENDER);
        node("blur").on(WorkerLevel.BACKGROUND).writes("a");
        node("blur").on(WorkerLevel.HIGH).writes("a", "b");
        node("reader").after(node("last")).reads("b");
        assertThatThrownBy(builder::build)
                .isInstanceOf(CompiledGraphException.class)
                .hasMessageContaining("'blur' (node 3 of 5) and 'blur' (node 2 of 5) on 'a'")
                .hasMessageContaining("'blur' (node 3 of 5) and 'reader' on 'b'");
    }
}
