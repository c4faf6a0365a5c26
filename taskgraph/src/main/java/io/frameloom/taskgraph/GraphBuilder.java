package io.frameloom.taskgraph;

import io.frameloom.taskgraph.compiled.DeclaredAccesses;
import io.frameloom.taskgraph.compiled.DeclaredNodes;
import io.frameloom.taskgraph.compiled.GraphPlan;
import io.frameloom.taskgraph.compiled.PlanCompiler;
import io.frameloom.taskgraph.compiled.RunCore;
import io.frameloom.taskgraph.graph.GraphParts;

/**
 * Collects the nodes of a graph that is compiled once and run again and again, or is run once.
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
 * <p>Graphs of thousands of nodes that change every time are launched whole, which costs less than as many tasks:
 *
 * <pre>{@code
 * GraphBuilder batch = graph.graphBuilder("meshes");
 * while (running) {
 *     GraphNode atlas = batch.node("atlas", this::packAtlas);
 *     for (Chunk chunk : changed) {
 *         batch.node("mesh", chunk::mesh).after(atlas);
 *     }
 *     RunEvent packed = atlas.event();
 *     RunEvent meshed = batch.runOnce(); // the builder is empty again
 *     packed.await();
 *     ...
 *     meshed.await();
 * }
 * }</pre>
 *
 * <p>Used by one thread. Obtained from {@link TaskGraph#graphBuilder}.
 */
public final class GraphBuilder {
    private static final int[] NO_EDGES = {};

    private final GraphParts graph;
    private final String name;
    private DeclaredNodes nodes;
    private int maxHelpers;
    private boolean deriveEdges;

    GraphBuilder(GraphParts graph, String name) {
        this.graph = graph;
        this.name = name;
        this.nodes = new DeclaredNodes(graph, name, null);
        this.maxHelpers = graph.workerCount();
    }

    /**
     * Adds a node.
     *
     * @param name non-blank name, shown in errors and traces; need not be unique
     * @param body the work; what it throws fails the run
     * @throws IllegalArgumentException if the name is blank
     */
    public GraphNode node(String name, TaskBody body) {
        DeclaredNodes declared = nodes;
        return new GraphNode(this, declared, declared.add(name, body));
    }

    /**
     * Limits how many workers help per level; all workers unless set. With 0 the caller of {@code execute}, or one
     * worker, runs the nodes that are not bound to named threads, one after the other.
     *
     * @param n 0 or more
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
     * @throws CompiledGraphException if the edges form a cycle, or accesses conflict, of which the message names
     *     all pairs, or a node was asked for its {@linkplain GraphNode#event() event}
     * @throws TaskGraphClosedException if the task graph was closed
     */
    public CompiledGraph build() {
        nodes.requireNoEvents();
        return new CompiledGraph(graph, compile(false));
    }

    /**
     * Runs the nodes once, by workers and named threads. They belong to that run from then on, and the builder is as
     * empty as in the beginning: {@link #maxHelpers} and {@link #deriveEdges} stay. A builder that is used
     * again reserves as much memory as the batch before took, so it pays to keep it.
     *
     * <p>Nodes need no order of declaration, but cost least if each is given its prerequisites before the next is
     * added. All switches are on. One thread runs all nodes, unless bodies are long: then it shares them.
     *
     * @return the completion of the run
     * @throws CompiledGraphException if the edges form a cycle, or accesses conflict, of which the message names
     *     all pairs; the builder keeps its nodes, see {@link #clear()}
     * @throws TaskGraphClosedException if the task graph was closed
     */
    public RunEvent runOnce() {
        RunCore run = once();
        run.start(CompiledGraph.ALL_ON);
        return run;
    }

    /**
     * Runs the nodes once as {@link #runOnce()} does, with the calling thread taking part as in {@link
     * CompiledGraph#execute()}, and returns when the run is complete.
     *
     * @throws RunFailedException if a body failed
     * @throws CompiledGraphException if the edges form a cycle, or accesses conflict, of which the message names
     *     all pairs; the builder keeps its nodes
     * @throws TaskGraphClosedException if the task graph was closed
     */
    public void executeOnce() {
        once().execute(CompiledGraph.ALL_ON);
    }

    /**
     * Drops all nodes, for another attempt where {@link #build()} or {@link #runOnce()} refused them. The builder is as
     * empty as after {@code runOnce}: {@link #maxHelpers} and {@link #deriveEdges} stay. Dropped nodes cannot be
     * used, and events of them never complete.
     */
    public void clear() {
        DeclaredNodes dropped = nodes;
        nodes = new DeclaredNodes(graph, name, dropped);
        dropped.close("was dropped by clear() of its builder; add it again");
    }

    private RunCore once() {
        RunCore run = new RunCore(graph, compile(true));
        // The builder keeps its nodes if the graph was closed meanwhile.
        graph.requireOpen("graph", name);
        DeclaredNodes launched = nodes;
        nodes = new DeclaredNodes(graph, name, launched);
        launched.close("was launched and belongs to that run; a builder begins anew after runOnce() and executeOnce()");
        graph.compiledRuns().add(run);
        return run;
    }

    private GraphPlan compile(boolean once) {
        graph.requireOpen("graph", name);
        int[] derived = deriveEdges ? DeclaredAccesses.edges(nodes) : NO_EDGES;
        GraphPlan plan = new PlanCompiler(graph, name, nodes, derived, maxHelpers, once).compile();
        if (!deriveEdges) {
            DeclaredAccesses.check(name, nodes, plan);
        }
        return plan;
    }

    String name() {
        return name;
    }
}
