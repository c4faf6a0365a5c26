package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.CompiledGraphException;
import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.GraphNode;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.parts.Arguments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the {@linkplain GraphNode nodes} of a builder were given, in arrays by the number of the node. What few graphs
 * have, has no array before a node is given it. Used by the building thread.
 *
 * <p>Nearly every edge is given to the node that was added last, and comes from an older one. Such edges stand in
 * compressed rows at once. Others are kept apart.
 */
public final class DeclaredNodes {
    static final FailurePolicy[] POLICIES = FailurePolicy.values();
    /** The ordinal of the policy of an edge that has no byte in an array of policies. */
    static final byte SKIP = 0;

    private static final int[] NONE = {};
    private static final int LEAST = 16;
    /** Ints of an edge that is kept apart: the node, its prerequisite, the policy. */
    static final int LATE = 3;

    /** One declared access. */
    record Access(Object resource, boolean writes) {}

    private final GraphParts graph;
    private final String graphName;

    private final int leastNodes;
    private final int leastEdges;

    private final NodeNames names;
    private TaskBody[] bodies = GraphPlan.NO_BODIES;
    private int count;

    /** Where the edges of each node begin in {@link #edges}. */
    private int[] starts = NONE;

    private int[] edges = NONE;
    private int edgeCount;
    private byte @Nullable [] policies;
    private int[] late = NONE;
    private int lateCount;
    /** Whether each prerequisite was added before the node that has it. */
    private boolean ascending = true;

    private ExecutionTarget @Nullable [] targets;
    private @Nullable BitSet high;
    private long @Nullable [] switches;
    private @Nullable Map<Integer, List<Access>> accesses;
    private NodeEvent @Nullable [] events;
    /** What became of the nodes, or null while they can be changed. */
    private @Nullable String closed;

    /**
     * No nodes.
     *
     * @param former what the same builder launched before, or null. There are likely to be as many nodes again.
     */
    public DeclaredNodes(GraphParts graph, String graphName, @Nullable DeclaredNodes former) {
        this.graph = graph;
        this.graphName = graphName;
        names = NodeNames.none(former == null ? null : former.names);
        leastNodes = former == null ? LEAST : Math.max(LEAST, former.count);
        leastEdges = former == null ? LEAST : Math.max(LEAST, former.edgeCount);
    }

    /**
     * Adds a node. Returns its number.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public int add(String name, TaskBody body) {
        TaskBody given = body == null ? Arguments.required(body, "body", "node", name) : body;
        int index = count;
        if (index == bodies.length) {
            grow(Math.max(leastNodes, 2 * index));
        }
        names.add(name, index);
        bodies[index] = given;
        starts[index] = edgeCount;
        count = index + 1;
        return index;
    }

    private void grow(int capacity) {
        bodies = Arrays.copyOf(bodies, capacity);
        starts = Arrays.copyOf(starts, capacity + 1);
        if (targets != null) {
            targets = Arrays.copyOf(targets, capacity);
        }
        if (switches != null) {
            switches = Arrays.copyOf(switches, capacity);
        }
        if (events != null) {
            events = Arrays.copyOf(events, capacity);
        }
    }

    /**
     * Checks that the nodes can still be changed.
     *
     * @throws IllegalStateException if they were launched or dropped
     */
    public void requireOpen(int node) {
        if (closed != null) {
            throw new IllegalStateException("node '" + name(node) + "' of graph '" + graphName + "' " + closed);
        }
    }

    public void addEdge(int node, int prerequisite, FailurePolicy policy) {
        if (node != count - 1 || prerequisite == node) {
            addLate(node, prerequisite, policy);
            return;
        }
        int edge = edgeCount;
        if (edge == edges.length) {
            edges = Arrays.copyOf(edges, Math.max(leastEdges, 2 * edge));
        }
        edges[edge] = prerequisite;
        edgeCount = edge + 1;
        if (policies != null || policy != FailurePolicy.SKIP) {
            setPolicy(edge, policy);
        }
    }

    private void setPolicy(int edge, FailurePolicy policy) {
        byte[] known = policies == null ? new byte[edges.length] : policies;
        known = known.length < edges.length ? Arrays.copyOf(known, edges.length) : known;
        known[edge] = (byte) policy.ordinal();
        policies = known;
    }

    private void addLate(int node, int prerequisite, FailurePolicy policy) {
        if (lateCount == late.length) {
            late = Arrays.copyOf(late, Math.max(LATE * LEAST, 2 * lateCount));
        }
        ascending &= prerequisite < node;
        late[lateCount++] = node;
        late[lateCount++] = prerequisite;
        late[lateCount++] = policy.ordinal();
    }

    public void setTarget(int node, ExecutionTarget target) {
        ExecutionTarget[] known = targets;
        if (known == null) {
            if (target == WorkerLevel.NORMAL) {
                return;
            }
            known = new ExecutionTarget[bodies.length];
            targets = known;
        }
        known[node] = target;
    }

    public void setHigh(int node, boolean highPriority) {
        BitSet known = high;
        if (known == null) {
            if (!highPriority) {
                return;
            }
            known = new BitSet();
            high = known;
        }
        known.set(node, highPriority);
    }

    /** Adds switches, a bit each. */
    public void enableBy(int node, long mask) {
        long[] known = switches;
        if (known == null) {
            known = new long[bodies.length];
            switches = known;
        }
        known[node] |= mask;
    }

    public void addAccesses(int node, Object[] resources, boolean writes) {
        Map<Integer, List<Access>> known = accesses;
        if (known == null) {
            known = new TreeMap<>();
            accesses = known;
        }
        List<Access> own = known.computeIfAbsent(node, n -> new ArrayList<>(resources.length));
        for (Object resource : resources) {
            own.add(new Access(resource, writes));
        }
    }

    /** The event of a node in the only run. */
    public NodeEvent event(int node) {
        NodeEvent[] known = events;
        if (known == null) {
            known = new NodeEvent[bodies.length];
            events = known;
        }
        NodeEvent made = known[node];
        if (made == null) {
            made = new NodeEvent(graph, graphName, name(node));
            known[node] = made;
        }
        return made;
    }

    /**
     * Checks that the graph can be run again and again.
     *
     * @throws CompiledGraphException if a node was asked for the event of its end
     */
    public void requireNoEvents() {
        for (int node = 0; events != null && node < count; node++) {
            if (events[node] != null) {
                throw new CompiledGraphException(
                        graphName,
                        "event() of " + new NodeLabels(this).of(node)
                                + " was called, which completes once; call runOnce() instead of build()");
            }
        }
    }

    /**
     * The nodes cannot be changed any more: a run has their arrays, or they were dropped. Only names and numbers are kept.
     *
     * @param why what became of them, for messages
     */
    public void close(String why) {
        closed = why;
        bodies = GraphPlan.NO_BODIES;
        starts = NONE;
        edges = NONE;
        policies = null;
        late = NONE;
        targets = null;
        high = null;
        switches = null;
        accesses = null;
        events = null;
    }

    public String name(int node) {
        return names.of(node);
    }

    NodeNames names() {
        return names;
    }

    TaskBody[] bodies() {
        return bodies;
    }

    int count() {
        return count;
    }

    boolean isAscending() {
        return ascending;
    }

    /** Where the edges of each node begin in {@link #edges}, and where those of the last one end. */
    int[] starts() {
        if (count == 0) {
            starts = new int[1];
        }
        starts[count] = edgeCount;
        return starts;
    }

    int[] edges() {
        return edges;
    }

    /** Per edge, the ordinal of its policy; null if all are {@link FailurePolicy#SKIP}. */
    byte @Nullable [] policies() {
        if (policies != null && policies.length < edges.length) {
            policies = Arrays.copyOf(policies, edges.length);
        }
        return policies;
    }

    /** The edges that are kept apart, {@link #LATE} ints each. */
    int[] late() {
        return late;
    }

    /** How many of {@link #late()} are used. */
    int lateCount() {
        return lateCount;
    }

    /** Null where it is the normal level; null altogether if it is so everywhere. */
    ExecutionTarget @Nullable [] targets() {
        return targets;
    }

    ExecutionTarget target(int node) {
        ExecutionTarget target = targets == null ? null : targets[node];
        return target == null ? WorkerLevel.NORMAL : target;
    }

    boolean isHigh(int node) {
        return high != null && high.get(node);
    }

    /** Whether all nodes are on the normal level, and none is of high priority. */
    boolean areAlike() {
        return targets == null && (high == null || high.isEmpty());
    }

    long @Nullable [] switches() {
        return switches;
    }

    /** By node. */
    Map<Integer, List<Access>> accesses() {
        Map<Integer, List<Access>> known = accesses;
        return known == null ? Map.of() : known;
    }

    NodeEvent @Nullable [] events() {
        return events;
    }
}
