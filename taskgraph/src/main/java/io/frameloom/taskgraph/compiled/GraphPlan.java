package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.named.NamedLane;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a compiled graph in flat arrays; shared by all runs and threads. Arrays per node and per edge can be
 * longer than needed.
 *
 * <p>Nodes are numbered in an order in which one thread may run them: every prerequisite has a smaller number. A thread
 * that has a run to itself needs bodies alone, and one that is shared later prerequisites besides (see {@link
 * Frontier}). {@link #link()} makes the rest of a graph that is built, for runs that are shared from the first node.
 * Nothing changes afterwards, except that the end of the only run drops the bodies.
 *
 * <p>Four ints per node stand in {@link #rows}:
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

    static final TaskBody[] NO_BODIES = {};
    static final LaneTarget[] NO_LANES = {};
    static final WorkerLevel[] LEVELS = WorkerLevel.values();

    private static final int[] NONE = {};

    public final String name;
    public final int nodes;
    /** Whether there is one run only. */
    final boolean once;

    final int maxHelpers;
    TaskBody[] bodies;

    final int[] prerequisiteStarts;
    final int[] prerequisites;

    int[] rows = NONE;
    int[] successors = NONE;
    int[] specials = NONE;
    /** Prerequisites that are counted; zero for nodes that only ever become free. */
    int[] counts = NONE;
    /** Ranges of roots, each of one kind: first, end, first, end. */
    int[] roots = NONE;

    /** Per node; null if no node has a switch. */
    final long @Nullable [] switches;

    final long usedSwitches;
    final boolean hasFailureEdges;
    /** Bit per worker level. */
    final int levels;

    final LaneTarget[] lanes;
    /** Per node, the completion that was asked for; null if none was. */
    final NodeEvent @Nullable [] events;

    private final ExecutionTarget @Nullable [] targets;
    /** Per node; null if all are of the normal level. */
    private final int @Nullable [] kinds;

    private final byte @Nullable [] policies;
    private final NodeNames names;
    /** The place of each node in the declaration; null if that is its number. */
    private final int @Nullable [] order;

    /**
     * A queue of a named thread.
     *
     * @param target the named thread, or its local queue
     */
    record LaneTarget(ExecutionTarget target, NamedLane lane, boolean high) {}

    /** Nodes in their new order; null where none has what stands there. */
    @SuppressWarnings("ArrayRecordComponent")
    record Nodes(
            TaskBody[] bodies,
            ExecutionTarget @Nullable [] targets,
            int @Nullable [] kinds,
            long @Nullable [] switches,
            NodeEvent @Nullable [] events) {}

    /** Edges in the new numbers: where those of each node begin, its prerequisites, and their policies if they differ. */
    @SuppressWarnings("ArrayRecordComponent")
    record Edges(int[] starts, int[] prerequisites, byte @Nullable [] policies) {}

    GraphPlan(
            String name,
            DeclaredNodes declared,
            int @Nullable [] order,
            boolean once,
            int maxHelpers,
            Nodes nodes,
            Edges edges,
            LaneTarget[] lanes) {
        int count = declared.count();
        this.name = name;
        this.nodes = count;
        this.once = once;
        this.maxHelpers = maxHelpers;
        this.names = once ? declared.names() : new NodeNames(declared.names());
        this.order = order;
        this.bodies = nodes.bodies();
        this.targets = nodes.targets();
        this.kinds = nodes.kinds();
        this.switches = nodes.switches();
        this.events = nodes.events();
        this.prerequisiteStarts = edges.starts();
        this.prerequisites = edges.prerequisites();
        this.policies = edges.policies();
        this.lanes = lanes;
        long used = 0;
        for (int node = 0; switches != null && node < count; node++) {
            used |= switches[node];
        }
        this.usedSwitches = used;
        boolean failureEdges = false;
        for (int edge = 0; policies != null && edge < prerequisiteStarts[count]; edge++) {
            failureEdges |= policies[edge] == FailurePolicy.RUN_ON_FAILURE.ordinal();
        }
        this.hasFailureEdges = failureEdges;
        int bits = count == 0 || kinds != null ? 0 : 1 << WorkerLevel.NORMAL.ordinal();
        for (int node = 0; kinds != null && node < count; node++) {
            bits |= kinds[node] < FIRST_LANE ? 1 << kinds[node] : 0;
        }
        this.levels = bits;
    }

    /** The only run is over: what refers to it must not hold what its bodies hold. */
    void dropBodies() {
        bodies = NO_BODIES;
    }

    /** Makes what runs need that are shared from the first node. By the thread that builds the graph. */
    void link() {
        transpose();
        counts = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            counts[node] = inDegree(node);
        }
        roots = rootRanges();
        int wide = 0;
        int kept = 0;
        int from = 0;
        for (int node = 0; node < nodes; node++) {
            int row = node << ROW_SHIFT;
            int to = rows[row + EDGES];
            rows[row + EDGES] = kept;
            rows[row + SPECIAL] = wide;
            setFree(node, from, to);
            for (int at = from; at < to; at++) {
                int successor = successors[at];
                if (isSpecial(node, successor)) {
                    specials = wide < specials.length ? specials : Arrays.copyOf(specials, Math.max(16, 2 * wide));
                    specials[wide++] = successor;
                } else if (successor >= rows[row + FREE_FIRST] && successor < rows[row + FREE_END]) {
                    counts[successor] = 0;
                } else {
                    successors[kept++] = successor;
                }
            }
            from = to;
        }
        int last = nodes << ROW_SHIFT;
        rows[last + EDGES] = kept;
        rows[last + SPECIAL] = wide;
        successors = Arrays.copyOf(successors, kept);
        specials = Arrays.copyOf(specials, wide);
    }

    /** Sorts all edges by the node before, which comes to the same as counting; each row says where its own end. */
    private void transpose() {
        int edges = prerequisiteStarts[nodes];
        rows = new int[(nodes + 1) << ROW_SHIFT];
        successors = new int[edges];
        for (int edge = 0; edge < edges; edge++) {
            rows[(prerequisites[edge] << ROW_SHIFT) + EDGES]++;
        }
        int sum = 0;
        for (int row = EDGES; row < rows.length; row += 1 << ROW_SHIFT) {
            int degree = rows[row];
            rows[row] = sum;
            sum += degree;
        }
        for (int node = 0; node < nodes; node++) {
            for (int edge = prerequisiteStarts[node]; edge < prerequisiteStarts[node + 1]; edge++) {
                successors[rows[(prerequisites[edge] << ROW_SHIFT) + EDGES]++] = node;
            }
        }
    }

    /** The longest row of consecutive numbers among what becomes free becomes the range; the rest is counted, from one. */
    private void setFree(int node, int from, int to) {
        int bestFirst = 0;
        int bestEnd = 0;
        int first = 0;
        int end = 0;
        for (int at = from; at < to; at++) {
            int successor = successors[at];
            if (counts[successor] == 1 && !isSpecial(node, successor)) {
                first = successor == end ? first : successor;
                end = successor + 1;
                if (end - first > bestEnd - bestFirst) {
                    bestFirst = first;
                    bestEnd = end;
                }
            }
        }
        rows[(node << ROW_SHIFT) + FREE_FIRST] = bestFirst;
        rows[(node << ROW_SHIFT) + FREE_END] = bestEnd;
    }

    private boolean isSpecial(int node, int successor) {
        int kind = kind(node);
        return kind >= FIRST_LANE || kind(successor) != kind || isWide(successor);
    }

    private int[] rootRanges() {
        int[] ranges = new int[4];
        int size = 0;
        for (int node = 0; node < nodes; node++) {
            if (inDegree(node) != 0) {
                continue;
            }
            if (size > 0 && ranges[size - 1] == node && kind(node) == kind(node - 1)) {
                ranges[size - 1]++;
            } else {
                ranges = size + 2 > ranges.length ? Arrays.copyOf(ranges, size * 2) : ranges;
                ranges[size++] = node;
                ranges[size++] = node + 1;
            }
        }
        return Arrays.copyOf(ranges, size);
    }

    private int inDegree(int node) {
        return prerequisiteStarts[node + 1] - prerequisiteStarts[node];
    }

    int declared(int node) {
        return order == null ? node : order[node];
    }

    String name(int node) {
        return names.of(declared(node));
    }

    /** The level or named thread of a node. */
    public ExecutionTarget target(int node) {
        ExecutionTarget target = targets == null ? null : targets[node];
        return target == null ? WorkerLevel.NORMAL : target;
    }

    int kind(int node) {
        return kinds == null ? WorkerLevel.NORMAL.ordinal() : kinds[node];
    }

    /** What becomes of a node for the end of a prerequisite. */
    FailurePolicy policy(int edge) {
        return DeclaredNodes.POLICIES[policies == null ? DeclaredNodes.SKIP : policies[edge]];
    }

    /** The completions of nodes that were asked for. */
    Stream<NodeEvent> nodeEvents() {
        return events == null ? Stream.empty() : Arrays.stream(events, 0, nodes).filter(Objects::nonNull);
    }

    /** The lane of a node on a named thread, else null. */
    public @Nullable NamedLane laneOf(int node) {
        return kind(node) < FIRST_LANE ? null : lanes[kind(node) - FIRST_LANE].lane();
    }

    boolean isWide(int node) {
        return inDegree(node) >= WIDE_JOIN;
    }
}
