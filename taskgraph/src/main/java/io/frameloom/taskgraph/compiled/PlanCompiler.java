package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.CompiledGraphException;
import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.named.NamedLane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Turns declared nodes into a {@link GraphPlan}: numbers them topologically (Kahn, "Topological sorting of
 * large networks"), more urgent ones first, so that the nodes that one node sets free stand in a row, and
 * sorts every edge into the list in which the run looks for it. Used once, by one thread.
 */
public final class PlanCompiler {
    /** Two for each worker level; lane nodes are numbered like normal ones. */
    private static final int BUCKETS = 6;

    private final GraphParts graph;
    private final String name;
    private final List<DeclaredNode> nodes;
    private final int maxHelpers;
    private final int count;
    private final int[][] before;
    private final FailurePolicy[][] policies;
    private final List<GraphPlan.LaneTarget> lanes = new ArrayList<>();
    private final int[] kindOf;

    /** Nodes in their new order. */
    @SuppressWarnings("ArrayRecordComponent")
    record Nodes(String[] names, TaskBody[] bodies, ExecutionTarget[] targets, int[] kinds, long[] switches) {}

    /** Edges in the new numbers. */
    @SuppressWarnings("ArrayRecordComponent")
    record Edges(
            int[] rows,
            int[] successors,
            int[] specials,
            int[] counts,
            int[] prerequisiteStarts,
            int[] prerequisites,
            FailurePolicy[] policies,
            int[] roots) {}

    public PlanCompiler(GraphParts graph, String name, List<DeclaredNode> nodes, int maxHelpers) {
        this.graph = graph;
        this.name = name;
        this.nodes = nodes;
        this.maxHelpers = maxHelpers;
        count = nodes.size();
        before = new int[count][];
        policies = new FailurePolicy[count][];
        kindOf = new int[count];
        collectEdges();
        chooseKinds();
    }

    /** Takes every edge once; of an edge that was given twice the last policy counts. */
    private void collectEdges() {
        int[] seenAt = new int[count];
        for (DeclaredNode node : nodes) {
            int edges = node.edgeCount();
            int[] others = new int[edges];
            FailurePolicy[] kept = new FailurePolicy[edges];
            int distinct = 0;
            for (int edge = 0; edge < edges; edge++) {
                int other = node.prerequisite(edge);
                int place = seenAt[other] - 1;
                if (place < 0) {
                    place = distinct++;
                    others[place] = other;
                    seenAt[other] = place + 1;
                }
                kept[place] = node.policy(edge);
            }
            for (int edge = 0; edge < distinct; edge++) {
                seenAt[others[edge]] = 0;
            }
            before[node.index()] = Arrays.copyOf(others, distinct);
            policies[node.index()] = Arrays.copyOf(kept, distinct);
        }
    }

    /** Adds edges, by the node that comes then, except those that are there. */
    public void addEdges(Map<Integer, List<Integer>> firstsByThen) {
        int[] knownTo = new int[count];
        firstsByThen.forEach((then, firsts) -> {
            int declared = before[then].length;
            int[] all = Arrays.copyOf(before[then], declared + firsts.size());
            for (int edge = 0; edge < declared; edge++) {
                knownTo[all[edge]] = then + 1;
            }
            int edges = declared;
            for (int first : firsts) {
                if (knownTo[first] != then + 1) {
                    knownTo[first] = then + 1;
                    all[edges++] = first;
                }
            }
            before[then] = Arrays.copyOf(all, edges);
            policies[then] = Arrays.copyOf(policies[then], edges);
            Arrays.fill(policies[then], declared, edges, FailurePolicy.SKIP);
        });
    }

    /** With no helpers one thread runs the nodes of all levels, at the most urgent one. */
    private void chooseKinds() {
        int urgent = WorkerLevel.BACKGROUND.ordinal();
        for (DeclaredNode node : nodes) {
            if (node.target() instanceof WorkerLevel level) {
                urgent = Math.min(urgent, level.ordinal());
            }
        }
        for (DeclaredNode node : nodes) {
            if (node.target() instanceof WorkerLevel level) {
                kindOf[node.index()] = maxHelpers == 0 ? urgent : level.ordinal();
            } else {
                kindOf[node.index()] = GraphPlan.FIRST_LANE + laneOf(node);
            }
        }
    }

    private int laneOf(DeclaredNode node) {
        for (int lane = 0; lane < lanes.size(); lane++) {
            GraphPlan.LaneTarget known = lanes.get(lane);
            if (known.high() == node.isHigh() && known.target().equals(node.target())) {
                return lane;
            }
        }
        NamedLane lane = graph.lanes().of(node.target());
        if (lane == null) {
            throw new IllegalArgumentException("node '" + node.name() + "' has an unknown target " + node.target());
        }
        lanes.add(new GraphPlan.LaneTarget(node.target(), lane, node.isHigh()));
        return lanes.size() - 1;
    }

    public GraphPlan compile() {
        int[][] behind = reverse(before);
        int[] order = number(behind);
        int[] numberOf = new int[count];
        for (int number = 0; number < count; number++) {
            numberOf[order[number]] = number;
        }
        return new GraphPlan(
                name,
                maxHelpers,
                nodesIn(order),
                edgesIn(order, numberOf, behind),
                lanes.toArray(new GraphPlan.LaneTarget[0]),
                numberOf);
    }

    private static int[][] reverse(int[][] edges) {
        int[] sizes = new int[edges.length];
        for (int[] others : edges) {
            for (int other : others) {
                sizes[other]++;
            }
        }
        int[][] reversed = new int[edges.length][];
        for (int node = 0; node < edges.length; node++) {
            reversed[node] = new int[sizes[node]];
        }
        for (int node = 0; node < edges.length; node++) {
            for (int other : edges[node]) {
                reversed[other][reversed[other].length - sizes[other]--] = node;
            }
        }
        return reversed;
    }

    private int bucketOf(int node) {
        DeclaredNode declared = nodes.get(node);
        int rank = declared.target() instanceof WorkerLevel level ? level.ordinal() : WorkerLevel.NORMAL.ordinal();
        return 2 * rank + (declared.isHigh() ? 0 : 1);
    }

    private int[] number(int[][] behind) {
        int[][] buckets = new int[BUCKETS][count];
        int[] heads = new int[BUCKETS];
        int[] tails = new int[BUCKETS];
        int[] open = new int[count];
        for (int node = 0; node < count; node++) {
            open[node] = before[node].length;
            if (open[node] == 0) {
                int bucket = bucketOf(node);
                buckets[bucket][tails[bucket]++] = node;
            }
        }
        int[] order = new int[count];
        int numbered = 0;
        while (true) {
            int bucket = 0;
            while (bucket < BUCKETS && heads[bucket] == tails[bucket]) {
                bucket++;
            }
            if (bucket == BUCKETS) {
                break;
            }
            int node = buckets[bucket][heads[bucket]++];
            order[numbered++] = node;
            for (int pass = 0; pass < 2; pass++) {
                for (int next : behind[node]) {
                    boolean free = before[next].length == 1 && kindOf[next] == kindOf[node];
                    if (free == (pass == 0) && --open[next] == 0) {
                        int place = bucketOf(next);
                        buckets[place][tails[place]++] = next;
                    }
                }
            }
        }
        if (numbered < count) {
            throw cycle(open);
        }
        return order;
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
            for (int other : before[node]) {
                if (open[other] > 0) {
                    node = other;
                    break;
                }
            }
        }
        List<Integer> cycle = new ArrayList<>(path.subList(placeOf[node] - 1, path.size()));
        java.util.Collections.reverse(cycle);
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

    private Nodes nodesIn(int[] order) {
        Nodes made = new Nodes(
                new String[count], new TaskBody[count], new ExecutionTarget[count], new int[count], new long[count]);
        for (int number = 0; number < count; number++) {
            DeclaredNode node = nodes.get(order[number]);
            made.names[number] = node.name();
            made.bodies[number] = node.body();
            made.targets[number] = node.target();
            made.kinds[number] = kindOf[node.index()];
            made.switches[number] = node.switches();
        }
        return made;
    }

    private Edges edgesIn(int[] order, int[] numberOf, int[][] behind) {
        int edges = 0;
        for (int[] others : before) {
            edges += others.length;
        }
        int[] starts = new int[count + 1];
        int[] prerequisites = new int[edges];
        FailurePolicy[] edgePolicies = new FailurePolicy[edges];
        int[] counts = new int[count];
        int at = 0;
        for (int number = 0; number < count; number++) {
            int node = order[number];
            starts[number] = at;
            counts[number] = before[node].length;
            for (int edge = 0; edge < before[node].length; edge++) {
                prerequisites[at] = numberOf[before[node][edge]];
                edgePolicies[at++] = policies[node][edge];
            }
        }
        starts[count] = at;
        SuccessorLists lists = new SuccessorLists(count, edges, counts);
        for (int number = 0; number < count; number++) {
            int[] next = new int[behind[order[number]].length];
            for (int i = 0; i < next.length; i++) {
                next[i] = numberOf[behind[order[number]][i]];
            }
            Arrays.sort(next);
            lists.add(number, next, n -> kindOf[order[n]]);
        }
        lists.end();
        return new Edges(
                lists.rows(),
                lists.successors(),
                lists.specials(),
                counts,
                starts,
                prerequisites,
                edgePolicies,
                roots(order, starts));
    }

    private int[] roots(int[] order, int[] starts) {
        int[] ranges = new int[4];
        int size = 0;
        for (int number = 0; number < count; number++) {
            if (starts[number] != starts[number + 1]) {
                continue;
            }
            boolean extends1 =
                    size > 0 && ranges[size - 1] == number && kindOf[order[number]] == kindOf[order[number - 1]];
            if (extends1) {
                ranges[size - 1]++;
            } else {
                ranges = size + 2 > ranges.length ? Arrays.copyOf(ranges, size * 2) : ranges;
                ranges[size++] = number;
                ranges[size++] = number + 1;
            }
        }
        return Arrays.copyOf(ranges, size);
    }
}
