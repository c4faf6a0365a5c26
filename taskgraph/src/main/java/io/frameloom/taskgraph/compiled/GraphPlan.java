package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.named.NamedLane;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a compiled graph in flat arrays. Immutable; shared by all runs and threads.
 *
 * <p>Nodes are numbered in an order in which one thread may run them: every prerequisite has a smaller
 * number. Four ints per node stand in {@link #rows}:
 *
 * <pre>
 *   FREE_FIRST  FREE_END  nodes [first, end) have no other prerequisite and the level of this one
 *   EDGES                 where the counted successors of the same level begin in {@link #successors};
 *                         they end where those of the next node begin
 *   SPECIAL               where all other successors begin in {@link #specials}, likewise
 * </pre>
 *
 * <p>All other successors are those on named threads or on another level, those of a node on a named
 * thread, and joins with so many prerequisites that arrivals are collected.
 */
public final class GraphPlan {
    static final int FREE_FIRST = 0;
    static final int FREE_END = 1;
    static final int EDGES = 2;
    static final int SPECIAL = 3;
    static final int ROW_SHIFT = 2;

    /** Kinds of nodes: a worker level's rank, or this and the number of the lane. */
    static final int FIRST_LANE = 3;

    /** From this many prerequisites on, a thread collects its arrivals before it reports them. */
    public static final int WIDE_JOIN = 32;

    public final String name;
    public final int nodes;
    final int maxHelpers;
    final String[] names;
    final TaskBody[] bodies;
    public final ExecutionTarget[] targets;
    final int[] rows;
    final int[] successors;
    final int[] specials;
    final int[] kinds;
    /** Prerequisites that are counted; zero for nodes that only ever become free. */
    final int[] counts;

    final int[] prerequisiteStarts;
    final int[] prerequisites;
    final FailurePolicy[] policies;
    /** Ranges of roots, each of one kind: first, end, first, end. */
    final int[] roots;

    /** Per node; null if no node has a switch. */
    final long @Nullable [] switches;

    final long usedSwitches;
    final boolean hasFailureEdges;
    /** Bit per worker level. */
    final int levels;

    final LaneTarget[] lanes;
    /** The number of a node in the order of its declaration, to its number here. */
    final int[] numberOf;

    /**
     * A queue of a named thread.
     *
     * @param target the named thread, or its local queue
     * @param lane the lane of the named thread
     * @param high with high priority
     */
    record LaneTarget(ExecutionTarget target, NamedLane lane, boolean high) {}

    GraphPlan(
            String name,
            int maxHelpers,
            PlanCompiler.Nodes nodes,
            PlanCompiler.Edges edges,
            LaneTarget[] lanes,
            int[] numberOf) {
        this.name = name;
        this.maxHelpers = maxHelpers;
        this.nodes = nodes.names().length;
        this.names = nodes.names();
        this.bodies = nodes.bodies();
        this.targets = nodes.targets();
        this.kinds = nodes.kinds();
        this.rows = edges.rows();
        this.successors = edges.successors();
        this.specials = edges.specials();
        this.counts = edges.counts();
        this.prerequisiteStarts = edges.prerequisiteStarts();
        this.prerequisites = edges.prerequisites();
        this.policies = edges.policies();
        this.roots = edges.roots();
        this.lanes = lanes;
        this.numberOf = numberOf;
        long used = 0;
        for (long mask : nodes.switches()) {
            used |= mask;
        }
        this.usedSwitches = used;
        this.switches = used == 0 ? null : nodes.switches();
        boolean failureEdges = false;
        for (FailurePolicy policy : policies) {
            failureEdges |= policy == FailurePolicy.RUN_ON_FAILURE;
        }
        this.hasFailureEdges = failureEdges;
        int bits = 0;
        for (int kind : kinds) {
            bits |= kind < FIRST_LANE ? 1 << kind : 0;
        }
        this.levels = bits;
    }

    /** The lane of a node on a named thread, else null. */
    public @Nullable NamedLane laneOf(int node) {
        return kinds[node] < FIRST_LANE ? null : lanes[kinds[node] - FIRST_LANE].lane();
    }

    boolean isWide(int node) {
        return counts[node] >= WIDE_JOIN;
    }
}
