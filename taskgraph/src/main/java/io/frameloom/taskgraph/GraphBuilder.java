package io.frameloom.taskgraph;

import io.frameloom.taskgraph.compiled.DeclaredAccesses;
import io.frameloom.taskgraph.compiled.DeclaredNode;
import io.frameloom.taskgraph.compiled.GraphPlan;
import io.frameloom.taskgraph.compiled.PlanCompiler;
import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.parts.Arguments;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the nodes of a graph that is compiled once and run again and again.
 *
 * <pre>{@code
 * GraphBuilder b = graph.graphBuilder("frame");
 * GraphNode cull = b.node("cull", this::cull);
 * b.node("draw", this::draw).after(cull).on(NamedThread.RENDER);
 * CompiledGraph frame = b.build();
 * while (running) {
 *     frame.execute();
 * }
 * }</pre>
 *
 * <p>Used by one thread. Obtained from {@link TaskGraph#graphBuilder}.
 */
public final class GraphBuilder {
    private final GraphParts graph;
    private final String name;
    private final List<DeclaredNode> nodes = new ArrayList<>();
    private final List<GraphSwitch> switches = new ArrayList<>();
    private int maxHelpers;
    private boolean deriveEdges;

    GraphBuilder(GraphParts graph, String name) {
        this.graph = graph;
        this.name = name;
        this.maxHelpers = graph.workerCount();
    }

    /**
     * Adds a node.
     *
     * @param name non-blank name, shown in errors and traces; need not be unique
     * @param body the work; what it throws fails the run
     * @return the node
     * @throws IllegalArgumentException if the name is blank
     */
    public GraphNode node(String name, TaskBody body) {
        GraphNode node = new GraphNode(
                this,
                Arguments.requiredName(name, "a node"),
                nodes.size(),
                Arguments.required(body, "body", "node", name));
        nodes.add(node.declared);
        return node;
    }

    /**
     * Makes a switch that turns nodes on and off from run to run.
     *
     * @param name non-blank name
     * @return the switch; its bit is the lowest that this builder has not given away
     * @throws IllegalStateException if there are 64 already
     */
    public GraphSwitch graphSwitch(String name) {
        Arguments.requiredName(name, "a switch");
        if (switches.size() == Long.SIZE) {
            throw new IllegalStateException("graph '" + this.name + "' has 64 switches already; '" + name
                    + "' is one too many: share switches between nodes");
        }
        GraphSwitch made = new GraphSwitch(name, switches.size());
        switches.add(made);
        return made;
    }

    /**
     * Limits how many workers help per level; all workers unless set. With 0 the caller of {@code execute}, or one
     * worker, runs the nodes that are not bound to named threads, one after the other.
     *
     * @param n 0 or more
     * @return this
     */
    public GraphBuilder maxHelpers(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("graph '" + name + "': maxHelpers must not be negative, but is " + n);
        }
        maxHelpers = n;
        return this;
    }

    /**
     * Lets {@link #build()} order nodes with conflicting accesses in the order of their declaration, instead
     * of refusing them.
     *
     * @return this
     */
    public GraphBuilder deriveEdges() {
        deriveEdges = true;
        return this;
    }

    /**
     * Compiles the graph. The builder can be used on; later changes do not reach the compiled graph.
     *
     * <p>Two accesses of one resource conflict if at least one writes. Conflicting nodes must be ordered by
     * edges, or be ordered by {@link #deriveEdges()}. Switches do not matter for this.
     *
     * @return the compiled graph
     * @throws CompiledGraphException if the edges form a cycle, or accesses conflict; the message names
     *     all conflicting pairs
     * @throws TaskGraphClosedException if the task graph was closed
     */
    public CompiledGraph build() {
        graph.requireOpen("graph", name);
        PlanCompiler compiler = new PlanCompiler(graph, name, nodes, maxHelpers);
        if (deriveEdges) {
            compiler.addEdges(DeclaredAccesses.edges(nodes));
        }
        GraphPlan plan = compiler.compile();
        if (!deriveEdges) {
            DeclaredAccesses.check(name, nodes, plan);
        }
        return new CompiledGraph(graph, plan);
    }

    String name() {
        return name;
    }

    void requireOwn(GraphSwitch graphSwitch, String node) {
        int bit = graphSwitch.bit();
        if (bit >= switches.size() || switches.get(bit) != graphSwitch) {
            throw new IllegalArgumentException("switch '" + graphSwitch.name() + "', given to node '" + node
                    + "', was not made by the builder of graph '" + name + "'; use its graphSwitch method");
        }
    }
}
