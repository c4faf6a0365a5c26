package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.IntList;
import java.util.Arrays;

/**
 * The least memory that any placement of resources needs: the heaviest set of resources of which no two are ordered.
 *
 * <p>"All uses of a happen before all uses of b" is a partial order. So the heaviest antichain is the sum of weights
 * less the value of a maximum flow from a over the order to b (weighted form of R. P. Dilworth, "A decomposition
 * theorem for partially ordered sets", 1950; flow by Dinic's algorithm, 1970). Alignment is not counted.
 */
public final class AntichainBound {
    /** Above this many resources the flow costs more than the number is worth. */
    static final int LARGEST = 256;

    private final int[] head;
    private final IntList next = new IntList(64);
    private final IntList target = new IntList(64);
    private long[] capacity = new long[64];
    private int[] depth = new int[0];
    private int[] cursor = new int[0];

    private AntichainBound(int nodes) {
        head = new int[nodes];
        Arrays.fill(head, -1);
    }

    public static long compute(boolean[][] before, long[] size) {
        int n = size.length;
        int source = 2 * n;
        int sink = 2 * n + 1;
        AntichainBound flow = new AntichainBound(2 * n + 2);
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum += size[i];
            flow.edge(source, i, size[i]);
            flow.edge(n + i, sink, size[i]);
            for (int j = 0; j < n; j++) {
                if (before[i][j]) {
                    flow.edge(i, n + j, Long.MAX_VALUE);
                }
            }
        }
        return sum - flow.maximum(source, sink);
    }

    private void edge(int from, int to, long bytes) {
        half(from, to, bytes);
        half(to, from, 0);
    }

    private void half(int from, int to, long bytes) {
        if (target.size() == capacity.length) {
            capacity = Arrays.copyOf(capacity, capacity.length * 2);
        }
        capacity[target.size()] = bytes;
        target.add(to);
        next.add(head[from]);
        head[from] = target.size() - 1;
    }

    private long maximum(int source, int sink) {
        long total = 0;
        depth = new int[head.length];
        while (reach(source, sink)) {
            cursor = head.clone();
            long pushed = push(source, sink, Long.MAX_VALUE);
            while (pushed > 0) {
                total += pushed;
                pushed = push(source, sink, Long.MAX_VALUE);
            }
        }
        return total;
    }

    private boolean reach(int source, int sink) {
        Arrays.fill(depth, -1);
        int[] ring = new int[head.length];
        int count = 1;
        ring[0] = source;
        depth[source] = 0;
        for (int at = 0; at < count; at++) {
            for (int e = head[ring[at]]; e >= 0; e = next.get(e)) {
                int node = target.get(e);
                if (capacity[e] > 0 && depth[node] < 0) {
                    depth[node] = depth[ring[at]] + 1;
                    ring[count++] = node;
                }
            }
        }
        return depth[sink] >= 0;
    }

    /** Recursion is bounded by the length of a shortest path: at most the number of nodes. */
    private long push(int node, int sink, long limit) {
        if (node == sink) {
            return limit;
        }
        for (; cursor[node] >= 0; cursor[node] = next.get(cursor[node])) {
            int e = cursor[node];
            int to = target.get(e);
            if (capacity[e] > 0 && depth[to] == depth[node] + 1) {
                long pushed = push(to, sink, Math.min(limit, capacity[e]));
                if (pushed > 0) {
                    capacity[e] -= pushed;
                    capacity[e ^ 1] += pushed;
                    return pushed;
                }
            }
        }
        return 0;
    }
}
