package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.CompiledGraphException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The reads and writes of nodes: derives edges from them, or finds the ones that the edges leave unordered. Static
 * procedures of the building thread.
 */
public final class DeclaredAccesses {
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

    /** Edges in declaration order, each as the node that comes then and the one before it. */
    public static int[] edges(DeclaredNodes nodes) {
        IntStream.Builder edges = IntStream.builder();
        for (List<Use> uses : usesByResource(nodes).values()) {
            conflicts(uses, (first, then) -> edges.add(then).add(first));
        }
        return edges.build().toArray();
    }

    /**
     * The conflicts of one resource from which all others follow: a reader after the last writer, a writer after the
     * readers before it, or after the last writer if there are none.
     */
    private static void conflicts(List<Use> uses, EdgeSink sink) {
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
                sink.edge(reader, use.node);
            }
            readers.clear();
            lastWriter = use.node;
        }
    }

    /**
     * Checks that conflicting accesses are ordered.
     *
     * @throws CompiledGraphException naming every pair that is not
     */
    public static void check(String graph, DeclaredNodes nodes, GraphPlan plan) {
        if (nodes.accesses().isEmpty()) {
            return;
        }
        int[] numberOf = new int[plan.nodes];
        for (int node = 0; node < plan.nodes; node++) {
            numberOf[plan.declared(node)] = node;
        }
        Map<Pair, Set<Object>> conflicts = new LinkedHashMap<>();
        usesByResource(nodes).forEach((resource, uses) -> conflictsOf(resource, uses, numberOf, conflicts));
        if (conflicts.isEmpty()) {
            return;
        }
        removeOrdered(conflicts, plan);
        if (conflicts.isEmpty()) {
            return;
        }
        NodeLabels labels = new NodeLabels(nodes);
        StringBuilder text = new StringBuilder("nodes with conflicting accesses are not ordered:");
        conflicts.forEach((pair, resources) -> {
            for (Object resource : resources) {
                text.append(text.charAt(text.length() - 1) == ':' ? " " : ", ");
                text.append(labels.of(plan.declared(pair.first))).append(" and ");
                text.append(labels.of(plan.declared(pair.then))).append(" on '");
                text.append(resource).append('\'');
            }
        });
        text.append("; put one of each pair after the other, or call deriveEdges()");
        throw new CompiledGraphException(graph, text.toString());
    }

    /** The uses of each resource in declaration order, one per node. */
    private static Map<Object, List<Use>> usesByResource(DeclaredNodes nodes) {
        Map<Object, List<Use>> byResource = new LinkedHashMap<>();
        nodes.accesses().forEach((node, accesses) -> {
            Map<Object, Boolean> own = new LinkedHashMap<>();
            for (DeclaredNodes.Access access : accesses) {
                own.merge(access.resource(), access.writes(), Boolean::logicalOr);
            }
            own.forEach((resource, writes) ->
                    byResource.computeIfAbsent(resource, r -> new ArrayList<>()).add(new Use(node, writes)));
        });
        return byResource;
    }

    private static void conflictsOf(Object resource, List<Use> uses, int[] numberOf, Map<Pair, Set<Object>> conflicts) {
        List<Use> inOrder = new ArrayList<>(uses.size());
        for (Use use : uses) {
            inOrder.add(new Use(numberOf[use.node], use.writes));
        }
        inOrder.sort(Comparator.comparingInt(Use::node));
        conflicts(
                inOrder,
                (first, then) -> conflicts
                        .computeIfAbsent(new Pair(first, then), p -> new LinkedHashSet<>())
                        .add(resource));
    }

    /**
     * Removes the pairs whose second node can be reached from the first: most by an edge between the two, then by walks
     * over the nodes between them.
     */
    private static void removeOrdered(Map<Pair, Set<Object>> conflicts, GraphPlan plan) {
        removeNeighbours(conflicts, plan);
        Map<Integer, List<Pair>> byFirst = new TreeMap<>();
        for (Pair pair : conflicts.keySet()) {
            byFirst.computeIfAbsent(pair.first, f -> new ArrayList<>()).add(pair);
        }
        List<Integer> sources = new ArrayList<>(byFirst.keySet());
        for (int from = 0; from < sources.size(); from += BLOCK) {
            List<Integer> block = sources.subList(from, Math.min(from + BLOCK, sources.size()));
            int last = 0;
            for (int source : block) {
                for (Pair pair : byFirst.getOrDefault(source, List.of())) {
                    last = Math.max(last, pair.then);
                }
            }
            int base = block.get(0);
            long[] reached = reachedFrom(block, last, plan);
            for (int bit = 0; bit < block.size(); bit++) {
                for (Pair pair : byFirst.getOrDefault(block.get(bit), List.of())) {
                    if ((reached[pair.then - base] >>> bit & 1L) != 0) {
                        conflicts.remove(pair);
                    }
                }
            }
        }
    }

    private static void removeNeighbours(Map<Pair, Set<Object>> conflicts, GraphPlan plan) {
        Map<Integer, List<Pair>> byThen = new HashMap<>();
        for (Pair pair : conflicts.keySet()) {
            byThen.computeIfAbsent(pair.then, t -> new ArrayList<>()).add(pair);
        }
        int[] neededBy = new int[plan.nodes];
        byThen.forEach((then, pairs) -> {
            for (int edge = plan.prerequisiteStarts[then]; edge < plan.prerequisiteStarts[then + 1]; edge++) {
                neededBy[plan.prerequisites[edge]] = then + 1;
            }
            for (Pair pair : pairs) {
                if (neededBy[pair.first] == then + 1) {
                    conflicts.remove(pair);
                }
            }
        });
    }

    /** By node from the first source to the last node of interest, a bit for each of the sources, which ascend. */
    private static long[] reachedFrom(List<Integer> sources, int last, GraphPlan plan) {
        int base = sources.get(0);
        long[] reached = new long[last - base + 1];
        for (int bit = 0; bit < sources.size(); bit++) {
            reached[sources.get(bit) - base] |= 1L << bit;
        }
        for (int node = base; node <= last; node++) {
            for (int edge = plan.prerequisiteStarts[node]; edge < plan.prerequisiteStarts[node + 1]; edge++) {
                int before = plan.prerequisites[edge];
                if (before >= base) {
                    reached[node - base] |= reached[before - base];
                }
            }
        }
        return reached;
    }
}
