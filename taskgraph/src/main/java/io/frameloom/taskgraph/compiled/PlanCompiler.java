package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.CompiledGraphException;
import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.named.NamedLane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns declared nodes into a {@link GraphPlan}: numbers them topologically (Kahn, "Topological sorting of
 * large networks"), more urgent ones first, so that the nodes that one node sets free stand in a row. Used once, by one
 * thread.
 *
 * <p>A graph that runs once mostly keeps the order of its declaration, and its plan the very arrays of that: if each
 * prerequisite was added before the node that has it, and no node is more urgent than another.
 */
public final class PlanCompiler {
    /** Two for each worker level; lane nodes are numbered like normal ones. */
    private static final int BUCKETS = 6;

    private static final int END = -1;

    private final GraphParts graph;
    private final String name;
    private final DeclaredNodes nodes;
    private final int maxHelpers;
    private final boolean once;
    private final int count;
    private final List<GraphPlan.LaneTarget> lanes = new ArrayList<>(0);
    private final int @Nullable [] kindOf;
    private int[] starts;
    private int[] before;
    private byte @Nullable [] policies;

    /**
     * A compiler of nodes.
     *
     * @param derived further edges, pairs of a node and its prerequisite; one that was declared has the policy of that
     * @param once whether there is one run only, to which the nodes belong then
     */
    public PlanCompiler(
            GraphParts graph, String name, DeclaredNodes nodes, int[] derived, int maxHelpers, boolean once) {
        this.graph = graph;
        this.name = name;
        this.nodes = nodes;
        this.maxHelpers = maxHelpers;
        this.once = once;
        count = nodes.count();
        starts = nodes.starts();
        before = nodes.edges();
        policies = nodes.policies();
        if (derived.length > 0 || nodes.lateCount() > 0) {
            merge(derived);
        }
        if (!once || policies != null) {
            removeRepeated();
        }
        kindOf = kinds();
    }

    /** Puts the edges that stand apart into the rows. Of an edge that was given twice the last policy is to count. */
    private void merge(int[] derived) {
        int[] late = nodes.late();
        int lateCount = nodes.lateCount();
        int[] next = new int[count + 1];
        for (int node = 0; node < count; node++) {
            next[node + 1] = starts[node + 1] - starts[node];
        }
        for (int at = 0; at < derived.length; at += 2) {
            next[derived[at] + 1]++;
        }
        for (int at = 0; at < lateCount; at += DeclaredNodes.LATE) {
            next[late[at] + 1]++;
        }
        for (int node = 0; node < count; node++) {
            next[node + 1] += next[node];
        }
        int[] merged = next.clone();
        int[] all = new int[merged[count]];
        byte[] allPolicies = new byte[all.length];
        for (int at = 0; at < derived.length; at += 2) {
            all[next[derived[at]]++] = derived[at + 1];
        }
        for (int node = 0; node < count; node++) {
            for (int edge = starts[node]; edge < starts[node + 1]; edge++) {
                allPolicies[next[node]] = policies == null ? DeclaredNodes.SKIP : policies[edge];
                all[next[node]++] = before[edge];
            }
        }
        boolean differ = policies != null;
        for (int at = 0; at < lateCount; at += DeclaredNodes.LATE) {
            int node = late[at];
            allPolicies[next[node]] = (byte) late[at + 2];
            differ |= late[at + 2] != DeclaredNodes.SKIP;
            all[next[node]++] = late[at + 1];
        }
        starts = merged;
        before = all;
        policies = differ ? allPolicies : null;
    }

    /** Takes every edge once, with the last policy, into arrays of just the size. */
    private void removeRepeated() {
        int[] placeOf = new int[count];
        int[] kept = new int[starts[count]];
        int[] keptStarts = new int[count + 1];
        byte[] known = policies;
        byte[] keptPolicies = known == null ? null : new byte[kept.length];
        int size = 0;
        for (int node = 0; node < count; node++) {
            int first = size;
            for (int edge = starts[node]; edge < starts[node + 1]; edge++) {
                int place = placeOf[before[edge]] - 1;
                // Places of former nodes are below the first of this one.
                if (place < first) {
                    place = size++;
                    placeOf[before[edge]] = place + 1;
                    kept[place] = before[edge];
                }
                if (known != null && keptPolicies != null) {
                    keptPolicies[place] = known[edge];
                }
            }
            keptStarts[node + 1] = size;
        }
        starts = keptStarts;
        before = size == kept.length ? kept : Arrays.copyOf(kept, size);
        policies = keptPolicies;
    }

    /** With no helpers one thread runs the nodes of all levels, at the most urgent one. Null if all are normal. */
    private int @Nullable [] kinds() {
        if (nodes.targets() == null) {
            return null;
        }
        int urgent = WorkerLevel.BACKGROUND.ordinal();
        for (int node = 0; node < count; node++) {
            if (nodes.target(node) instanceof WorkerLevel level) {
                urgent = Math.min(urgent, level.ordinal());
            }
        }
        int[] kinds = new int[count];
        for (int node = 0; node < count; node++) {
            if (nodes.target(node) instanceof WorkerLevel level) {
                kinds[node] = maxHelpers == 0 ? urgent : level.ordinal();
            } else {
                kinds[node] = GraphPlan.FIRST_LANE + laneOf(node);
            }
        }
        return kinds;
    }

    private int kind(int node) {
        return kindOf == null ? WorkerLevel.NORMAL.ordinal() : kindOf[node];
    }

    private int laneOf(int node) {
        ExecutionTarget target = nodes.target(node);
        for (int lane = 0; lane < lanes.size(); lane++) {
            GraphPlan.LaneTarget known = lanes.get(lane);
            if (known.high() == nodes.isHigh(node) && known.target().equals(target)) {
                return lane;
            }
        }
        NamedLane lane = graph.lanes().of(target);
        if (lane == null) {
            throw new IllegalArgumentException("node '" + nodes.name(node) + "' has an unknown target " + target);
        }
        lanes.add(new GraphPlan.LaneTarget(target, lane, nodes.isHigh(node)));
        return lanes.size() - 1;
    }

    public GraphPlan compile() {
        boolean asDeclared = once && nodes.areAlike() && nodes.isAscending();
        GraphPlan plan = asDeclared ? planAsDeclared() : planIn(number());
        if (!once) {
            plan.link();
        }
        return plan;
    }

    private GraphPlan planAsDeclared() {
        return plan(
                new GraphPlan.Nodes(nodes.bodies(), nodes.targets(), kindOf, nodes.switches(), nodes.events()),
                new GraphPlan.Edges(starts, before, policies),
                null);
    }

    private GraphPlan planIn(int[] order) {
        ExecutionTarget[] targets = nodes.targets();
        NodeEvent[] events = nodes.events();
        long[] switches = nodes.switches();
        int[] kinds = kindOf;
        GraphPlan.Nodes inOrder = new GraphPlan.Nodes(
                inOrder(nodes.bodies(), order),
                targets == null ? null : inOrder(targets, order),
                kinds == null ? null : inOrder(kinds, order),
                switches == null ? null : inOrder(switches, order),
                events == null ? null : inOrder(events, order));
        return plan(inOrder, edgesIn(order), order);
    }

    private static <T> T[] inOrder(T[] declared, int[] order) {
        T[] made = Arrays.copyOf(declared, order.length);
        for (int number = 0; number < order.length; number++) {
            made[number] = declared[order[number]];
        }
        return made;
    }

    private static int[] inOrder(int[] declared, int[] order) {
        return Arrays.stream(order).map(node -> declared[node]).toArray();
    }

    private static long[] inOrder(long[] declared, int[] order) {
        return Arrays.stream(order).mapToLong(node -> declared[node]).toArray();
    }

    private GraphPlan plan(GraphPlan.Nodes inOrder, GraphPlan.Edges edges, int @Nullable [] order) {
        return new GraphPlan(name, nodes, order, once, maxHelpers, inOrder, edges, lanes.toArray(GraphPlan.NO_LANES));
    }

    private GraphPlan.Edges edgesIn(int[] order) {
        int[] numberOf = new int[count];
        for (int number = 0; number < count; number++) {
            numberOf[order[number]] = number;
        }
        int edges = starts[count];
        int[] newStarts = new int[count + 1];
        int[] prerequisites = new int[edges];
        byte[] known = policies;
        byte[] newPolicies = known == null ? null : new byte[edges];
        int at = 0;
        for (int number = 0; number < count; number++) {
            int node = order[number];
            newStarts[number] = at;
            for (int edge = starts[node]; edge < starts[node + 1]; edge++) {
                prerequisites[at] = numberOf[before[edge]];
                if (known != null && newPolicies != null) {
                    newPolicies[at] = known[edge];
                }
                at++;
            }
        }
        newStarts[count] = at;
        return new GraphPlan.Edges(newStarts, prerequisites, newPolicies);
    }

    private int bucketOf(int node) {
        int rank = nodes.target(node) instanceof WorkerLevel level ? level.ordinal() : WorkerLevel.NORMAL.ordinal();
        return 2 * rank + (nodes.isHigh(node) ? 0 : 1);
    }

    /** The numbers of nodes that wait to be numbered, first come first served per bucket; linked through one array. */
    private static final class Buckets {
        private final int[] heads = new int[BUCKETS];
        private final int[] tails = new int[BUCKETS];
        private final int[] links;

        Buckets(int count) {
            links = new int[count];
            Arrays.fill(heads, END);
        }

        void add(int bucket, int node) {
            if (heads[bucket] == END) {
                heads[bucket] = node;
            } else {
                links[tails[bucket]] = node;
            }
            tails[bucket] = node;
            links[node] = END;
        }

        /** The oldest of the most urgent bucket, or END. */
        int take() {
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                int node = heads[bucket];
                if (node != END) {
                    heads[bucket] = links[node];
                    return node;
                }
            }
            return END;
        }
    }

    private int[] number() {
        int[] ends = new int[count + 1];
        int[] successors = successors(ends);
        int[] open = new int[count];
        Buckets ready = new Buckets(count);
        for (int node = 0; node < count; node++) {
            open[node] = starts[node + 1] - starts[node];
            if (open[node] == 0) {
                ready.add(bucketOf(node), node);
            }
        }
        int[] order = new int[count];
        int numbered = 0;
        for (int node = ready.take(); node != END; node = ready.take()) {
            order[numbered++] = node;
            int from = node == 0 ? 0 : ends[node - 1];
            for (int pass = 0; pass < 2; pass++) {
                for (int at = from; at < ends[node]; at++) {
                    int next = successors[at];
                    boolean free = starts[next + 1] - starts[next] == 1 && kind(next) == kind(node);
                    if (free == (pass == 0) && --open[next] == 0) {
                        ready.add(bucketOf(next), next);
                    }
                }
            }
        }
        if (numbered < count) {
            throw cycle(open);
        }
        return order;
    }

    /** All edges sorted by the node before; says where those of each node end. */
    private int[] successors(int[] ends) {
        int edges = starts[count];
        for (int edge = 0; edge < edges; edge++) {
            ends[before[edge] + 1]++;
        }
        for (int node = 0; node < count; node++) {
            ends[node + 1] += ends[node];
        }
        int[] successors = new int[edges];
        for (int node = 0; node < count; node++) {
            for (int edge = starts[node]; edge < starts[node + 1]; edge++) {
                successors[ends[before[edge]]++] = node;
            }
        }
        return successors;
    }

    /** Every node that was not numbered has a prerequisite that was not: going back must come around. */
    private CompiledGraphException cycle(int[] open) {
        int node = 0;
        while (open[node] == 0) {
            node++;
        }
        List<Integer> path = new ArrayList<>();
        int[] placeOf = new int[count];
        while (placeOf[node] == 0) {
            path.add(node);
            placeOf[node] = path.size();
            int edge = starts[node];
            while (open[before[edge]] == 0) {
                edge++;
            }
            node = before[edge];
        }
        List<Integer> cycle = new ArrayList<>(path.subList(placeOf[node] - 1, path.size()));
        Collections.reverse(cycle);
        int start = 0;
        for (int i = 1; i < cycle.size(); i++) {
            start = cycle.get(i) < cycle.get(start) ? i : start;
        }
        NodeLabels labels = new NodeLabels(nodes);
        StringBuilder text = new StringBuilder("its nodes wait for each other in a cycle: ");
        for (int i = 0; i <= cycle.size(); i++) {
            text.append(i == 0 ? "" : " -> ");
            text.append(labels.of(cycle.get((start + i) % cycle.size())));
        }
        return new CompiledGraphException(
                name, text.append("; take one of these edges out").toString());
    }
}
