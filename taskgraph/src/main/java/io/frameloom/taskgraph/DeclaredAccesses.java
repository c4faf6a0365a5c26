package io.frameloom.taskgraph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What nodes read and write: derives edges from it, or finds what the edges leave unordered. Static
 * procedures of the building thread.
 */
final class DeclaredAccesses {
    /** Nodes whose descendants are found in one pass: a bit each. */
    private static final int BLOCK = Long.SIZE;

    private DeclaredAccesses() {}

    /** Receives an edge. */
    @FunctionalInterface
    interface EdgeSink {
        void edge(int first, int then);
    }

    private record Use(int node, boolean writes) {}

    private record Pair(int first, int then) {}

    /** Edges in declaration order: a reader after the last writer, a writer after it and its readers. */
    static void addEdges(List<GraphNode> nodes, EdgeSink sink) {
        for (List<Use> uses : usesByResource(nodes).values()) {
            int lastWriter = -1;
            List<Integer> readers = new ArrayList<>();
            for (Use use : uses) {
                if (lastWriter >= 0 && (!use.writes || readers.isEmpty())) {
                    sink.edge(lastWriter, use.node);
                }
                if (!use.writes) {
                    readers.add(use.node);
                    continue;
                }
                for (int reader : readers) {
                    if (reader != use.node) {
                        sink.edge(reader, use.node);
                    }
                }
                readers.clear();
                lastWriter = use.node;
            }
        }
    }

    /**
     * Checks that conflicting accesses are ordered.
     *
     * @throws CompiledGraphException naming every pair that is not
     */
    static void check(String graph, List<GraphNode> nodes, GraphPlan plan) {
        Map<Pair, Set<Object>> conflicts = new LinkedHashMap<>();
        usesByResource(nodes).forEach((resource, uses) -> conflictsOf(resource, uses, plan, conflicts));
        if (conflicts.isEmpty()) {
            return;
        }
        removeOrdered(conflicts, plan);
        if (conflicts.isEmpty()) {
            return;
        }
        int[] declared = new int[plan.nodes];
        for (int index = 0; index < plan.nodes; index++) {
            declared[plan.numberOf[index]] = index;
        }
        NodeLabels labels = new NodeLabels(nodes);
        StringBuilder text = new StringBuilder("nodes with conflicting accesses are not ordered:");
        conflicts.forEach((pair, resources) -> {
            for (Object resource : resources) {
                text.append(text.charAt(text.length() - 1) == ':' ? " " : ", ");
                text.append(labels.of(declared[pair.first])).append(" and ");
                text.append(labels.of(declared[pair.then])).append(" on '");
                text.append(resource).append('\'');
            }
        });
        text.append("; put one of each pair after the other, or call deriveEdges()");
        throw new CompiledGraphException(graph, text.toString());
    }

    /** The uses of each resource in declaration order, one per node. */
    private static Map<Object, List<Use>> usesByResource(List<GraphNode> nodes) {
        Map<Object, List<Use>> byResource = new LinkedHashMap<>();
        for (GraphNode node : nodes) {
            Map<Object, Boolean> own = new LinkedHashMap<>();
            for (GraphNode.Access access : node.accesses()) {
                own.merge(access.resource(), access.writes(), Boolean::logicalOr);
            }
            own.forEach((resource, writes) ->
                    byResource.computeIfAbsent(resource, r -> new ArrayList<>()).add(new Use(node.index(), writes)));
        }
        return byResource;
    }

    private static void conflictsOf(Object resource, List<Use> uses, GraphPlan plan, Map<Pair, Set<Object>> conflicts) {
        for (int i = 0; i < uses.size(); i++) {
            for (int j = i + 1; j < uses.size(); j++) {
                if (uses.get(i).writes || uses.get(j).writes) {
                    int one = plan.numberOf[uses.get(i).node];
                    int other = plan.numberOf[uses.get(j).node];
                    conflicts
                            .computeIfAbsent(
                                    new Pair(Math.min(one, other), Math.max(one, other)), p -> new LinkedHashSet<>())
                            .add(resource);
                }
            }
        }
    }

    /** Takes out the pairs of which the second can be reached from the first. */
    private static void removeOrdered(Map<Pair, Set<Object>> conflicts, GraphPlan plan) {
        Map<Integer, List<Pair>> byFirst = new HashMap<>();
        for (Pair pair : conflicts.keySet()) {
            byFirst.computeIfAbsent(pair.first, f -> new ArrayList<>()).add(pair);
        }
        List<Integer> sources = new ArrayList<>(byFirst.keySet());
        for (int from = 0; from < sources.size(); from += BLOCK) {
            List<Integer> block = sources.subList(from, Math.min(from + BLOCK, sources.size()));
            long[] reached = reachedFrom(block, plan);
            for (int bit = 0; bit < block.size(); bit++) {
                for (Pair pair : byFirst.getOrDefault(block.get(bit), List.of())) {
                    if ((reached[pair.then] >>> bit & 1L) != 0) {
                        conflicts.remove(pair);
                    }
                }
            }
        }
    }

    private static long[] reachedFrom(List<Integer> sources, GraphPlan plan) {
        long[] reached = new long[plan.nodes];
        for (int bit = 0; bit < sources.size(); bit++) {
            reached[sources.get(bit)] |= 1L << bit;
        }
        for (int node = 0; node < plan.nodes; node++) {
            for (int edge = plan.prerequisiteStarts[node]; edge < plan.prerequisiteStarts[node + 1]; edge++) {
                reached[node] |= reached[plan.prerequisites[edge]];
            }
        }
        return reached;
    }
}
