package io.frameloom.rdg.compile.barrier;

import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;
import java.util.Arrays;

/** Nodes that carry barriers where no pass can: numbered after the passes, with dependencies of their own. */
final class AddedNodes {
    private final int passes;
    private final IntList queues;
    private final IntList positions;
    private final IntList resources;
    /** Of each node its first edge; those from the passes before it come first, then those to the passes after it. */
    private final IntList firstEdge;

    private final IntList sources;
    private final IntList targets;
    private final IntList from;
    private final IntList to;

    /** No nodes after a number of passes; what is noted of them lies in scratch memory. */
    AddedNodes(int passes, Scratch scratch) {
        this.passes = passes;
        queues = scratch.list();
        positions = scratch.list();
        resources = scratch.list();
        firstEdge = scratch.list();
        sources = scratch.list();
        targets = scratch.list();
        from = scratch.list();
        to = scratch.list();
    }

    int count() {
        return resources.size();
    }

    int queue(int node) {
        return queues.get(node - passes);
    }

    int[] resources() {
        return resources.toArray();
    }

    /**
     * Adds a node between two sides of a boundary, or finds the one that another cell of the resource has there.
     *
     * @param position the pass before which it stands
     */
    int between(EpochSide before, EpochSide next, int resource, int position, int host) {
        int[] wantedFrom = before.members();
        int[] wantedTo = next.members();
        for (int n = resources.size() - 1; n >= 0 && resources.get(n) == resource; n--) {
            if (positions.get(n) == position && queues.get(n) == host && sameEdges(n, wantedFrom, wantedTo)) {
                return passes + n;
            }
        }
        int node = passes + resources.size();
        resources.add(resource);
        positions.add(position);
        queues.add(host);
        firstEdge.add(from.size());
        sources.add(wantedFrom.length);
        targets.add(wantedTo.length);
        for (int member : wantedFrom) {
            from.add(member);
            to.add(node);
        }
        for (int member : wantedTo) {
            from.add(node);
            to.add(member);
        }
        return node;
    }

    private boolean sameEdges(int added, int[] wantedFrom, int[] wantedTo) {
        if (sources.get(added) != wantedFrom.length || targets.get(added) != wantedTo.length) {
            return false;
        }
        int edge = firstEdge.get(added);
        for (int source : wantedFrom) {
            if (from.get(edge++) != source) {
                return false;
            }
        }
        for (int target : wantedTo) {
            if (to.get(edge++) != target) {
                return false;
            }
        }
        return true;
    }

    /** Lets a node come after another one. */
    void addEdge(int earlier, int later) {
        from.add(earlier);
        to.add(later);
    }

    /** Returns the queues of passes with those of the nodes after them. */
    int[] queues(int[] passQueue) {
        return concat(passQueue, passes, queues);
    }

    int edges() {
        return from.size();
    }

    /** Returns where dependencies begin, with those of the nodes after them. */
    int[] from(int[] dependencies, int count) {
        return concat(dependencies, count, from);
    }

    /** Returns where dependencies end, with those of the nodes after them. */
    int[] to(int[] dependencies, int count) {
        return concat(dependencies, count, to);
    }

    /** Writes all nodes in a topological order, each added one right before the pass at its position; returns their number. */
    int order(int[] passQueue, int[] result) {
        int added = resources.size();
        int end = 0;
        int[] byPosition = new int[added];
        for (int n = 0; n < added; n++) {
            int at = n;
            while (at > 0 && positions.get(byPosition[at - 1]) > positions.get(n)) {
                byPosition[at] = byPosition[at - 1];
                at--;
            }
            byPosition[at] = n;
        }
        int at = 0;
        for (int p = 0; p <= passes; p++) {
            while (at < added && positions.get(byPosition[at]) == p) {
                result[end++] = passes + byPosition[at++];
            }
            if (p < passes && passQueue[p] >= 0) {
                result[end++] = p;
            }
        }
        return end;
    }

    private static int[] concat(int[] first, int count, IntList second) {
        if (second.size() == 0) {
            return first;
        }
        int[] result = Arrays.copyOf(first, count + second.size());
        for (int i = 0; i < second.size(); i++) {
            result[count + i] = second.get(i);
        }
        return result;
    }
}
