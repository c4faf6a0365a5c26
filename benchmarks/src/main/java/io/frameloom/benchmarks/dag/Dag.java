package io.frameloom.benchmarks.dag;

import java.util.Arrays;

/**
 * An immutable directed acyclic graph in compressed rows. Nodes are numbered in a topological order:
 * every prerequisite of a node has a smaller number.
 */
public final class Dag {
    private final int[] prerequisiteOffsets;
    private final int[] prerequisites;
    private final int[] successorOffsets;
    private final int[] successors;

    private Dag(int[] prerequisiteOffsets, int[] prerequisites) {
        this.prerequisiteOffsets = prerequisiteOffsets;
        this.prerequisites = prerequisites;
        int nodes = prerequisiteOffsets.length - 1;
        successorOffsets = new int[nodes + 1];
        for (int prerequisite : prerequisites) {
            successorOffsets[prerequisite + 1]++;
        }
        for (int node = 0; node < nodes; node++) {
            successorOffsets[node + 1] += successorOffsets[node];
        }
        successors = new int[prerequisites.length];
        int[] next = Arrays.copyOf(successorOffsets, nodes);
        for (int node = 0; node < nodes; node++) {
            for (int edge = prerequisiteOffsets[node]; edge < prerequisiteOffsets[node + 1]; edge++) {
                successors[next[prerequisites[edge]]++] = node;
            }
        }
    }

    /** Number of nodes. */
    public int nodes() {
        return prerequisiteOffsets.length - 1;
    }

    /** Number of edges. */
    public int edges() {
        return prerequisites.length;
    }

    /** Number of prerequisites of a node. */
    public int inDegree(int node) {
        return prerequisiteOffsets[node + 1] - prerequisiteOffsets[node];
    }

    /** Number of successors of a node. */
    public int outDegree(int node) {
        return successorOffsets[node + 1] - successorOffsets[node];
    }

    /** The {@code index}-th prerequisite of a node. */
    public int prerequisite(int node, int index) {
        return prerequisites[prerequisiteOffsets[node] + index];
    }

    /** The {@code index}-th successor of a node. */
    public int successor(int node, int index) {
        return successors[successorOffsets[node] + index];
    }

    /** The nodes without prerequisites, ascending. */
    public int[] roots() {
        return nodesWhere(prerequisiteOffsets);
    }

    /** The nodes without successors, ascending. */
    public int[] sinks() {
        return nodesWhere(successorOffsets);
    }

    /** Number of nodes on the longest path. */
    public int depth() {
        int[] level = new int[nodes()];
        int deepest = 0;
        for (int node = 0; node < level.length; node++) {
            level[node] = 1;
            for (int index = 0; index < inDegree(node); index++) {
                level[node] = Math.max(level[node], level[prerequisite(node, index)] + 1);
            }
            deepest = Math.max(deepest, level[node]);
        }
        return deepest;
    }

    private int[] nodesWhere(int[] offsets) {
        int[] found = new int[nodes()];
        int count = 0;
        for (int node = 0; node < found.length; node++) {
            if (offsets[node] == offsets[node + 1]) {
                found[count++] = node;
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** Collects nodes in topological order. */
    public static final class Builder {
        private int[] offsets;
        private int[] edges;
        private int nodes;
        private int edgeCount;

        /**
         * Starts an empty graph.
         *
         * @param nodes expected number of nodes
         * @param edges expected number of edges
         */
        public Builder(int nodes, int edges) {
            offsets = new int[nodes + 1];
            this.edges = new int[edges];
        }

        /**
         * Adds the next node.
         *
         * @param prerequisites numbers of earlier nodes, each at most once
         * @return the number of the new node
         */
        public int node(int... prerequisites) {
            return node(prerequisites, prerequisites.length);
        }

        /**
         * Adds the next node.
         *
         * @param prerequisites numbers of earlier nodes, each at most once
         * @param count how many of them are meant
         * @return the number of the new node
         */
        public int node(int[] prerequisites, int count) {
            if (nodes + 2 > offsets.length) {
                offsets = Arrays.copyOf(offsets, offsets.length * 2 + 1);
            }
            if (edgeCount + count > edges.length) {
                edges = Arrays.copyOf(edges, (edgeCount + count) * 2);
            }
            for (int index = 0; index < count; index++) {
                if (prerequisites[index] < 0 || prerequisites[index] >= nodes) {
                    throw new IllegalArgumentException("prerequisite " + prerequisites[index] + " of node " + nodes
                            + " is no earlier node; add nodes in topological order");
                }
                edges[edgeCount++] = prerequisites[index];
            }
            offsets[++nodes] = edgeCount;
            return nodes - 1;
        }

        /** The graph of all nodes added. */
        public Dag build() {
            return new Dag(Arrays.copyOf(offsets, nodes + 1), Arrays.copyOf(edges, edgeCount));
        }
    }
}
