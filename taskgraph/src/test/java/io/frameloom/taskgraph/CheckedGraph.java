package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A compiled graph that checks itself: order, lanes, and that no two runs are mixed. */
final class CheckedGraph {
    /** Long enough for a run to be shared and for its helpers to pay. */
    private static final Duration LONG = Duration.ofMillis(1);

    /** A node, and what it has done in all runs. The scheduler orders all accesses. */
    static final class Node {
        final String name;
        final GraphNode declared;
        final ExecutionTarget target;
        final List<Node> prerequisites;
        int begun;
        int ended;

        Node(String name, GraphNode declared, ExecutionTarget target, List<Node> prerequisites) {
            this.name = name;
            this.declared = declared;
            this.target = target;
            this.prerequisites = prerequisites;
        }
    }

    final DeterministicScheduler scheduler;
    final GraphBuilder builder;
    final List<Node> nodes = new ArrayList<>();
    final List<String> problems = new ArrayList<>();
    boolean takesTime;

    CheckedGraph(DeterministicScheduler scheduler, TaskGraph graph) {
        this.scheduler = scheduler;
        this.builder = graph.graphBuilder("frame");
    }

    Node node(String name, ExecutionTarget target, Node... prerequisites) {
        int index = nodes.size();
        GraphNode declared = builder.node(name, () -> body(nodes.get(index))).on(target);
        for (Node prerequisite : prerequisites) {
            declared.after(prerequisite.declared);
        }
        Node node = new Node(name, declared, target, List.of(prerequisites));
        nodes.add(node);
        return node;
    }

    private void require(boolean condition, String problem) {
        if (!condition) {
            problems.add(problem);
        }
    }

    private void body(Node node) {
        int before = node.begun++;
        require(node.ended == before, node.name + " is run by two threads");
        for (Node prerequisite : node.prerequisites) {
            require(prerequisite.ended == before + 1, node.name + " before " + prerequisite.name);
        }
        for (Node other : nodes) {
            require(
                    other.ended == before || other.begun == before + 1,
                    node.name + " in run " + before + " meets " + other.name + " of another run");
        }
        String lane = node.target instanceof NamedThread thread
                ? thread.name()
                : node.target instanceof NamedThread.Local local
                        ? local.thread().name()
                        : null;
        require(
                lane == null || Thread.currentThread().getName().endsWith(lane),
                node.name + " on " + Thread.currentThread().getName());
        scheduler.point("in " + node.name);
        if (takesTime) {
            scheduler.sleep(LONG);
        }
        node.ended++;
        scheduler.point("after " + node.name);
    }

    /** What must hold when the given number of runs is over. */
    void check(int runs) {
        assertThat(problems).isEmpty();
        for (Node node : nodes) {
            assertThat(node.ended).as("runs of %s", node.name).isEqualTo(runs);
            assertThat(node.begun).as("begun runs of %s", node.name).isEqualTo(runs);
        }
    }
}
