package io.frameloom.rdg.compile;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * When resources are in use, in terms of happens-before over all queues: one precedes another if every use of the first
 * is complete before any use of the second starts. A linear index would be wrong here: passes on different queues overlap.
 */
final class Lifetimes {
    private final int queueCount;
    private final Synchronization sync;
    /** Position of each node in the topological order. */
    private final int[] position;
    /** The nodes of each queue in its order. */
    private final int[][] nodesOf;
    /** Position of the last use of each resource on each queue, -1 for none. */
    private final int[] last;
    /** Node of the first use of each resource on each queue, -1 for none. */
    private final int[] first;
    /** Position on each queue of the latest node that is complete before any use of each resource starts, -1 for none. */
    private final int[] complete;
    /** Numbers of {@link #lastKey} and {@link #completeKey} for each resource: one for two queues. */
    private final int words;
    /** One more than {@link #last}, two queues to a number. */
    private final long[] lastKey;
    /** One more than {@link #complete}, two queues to a number, above each a bit that a larger {@link #lastKey} borrows. */
    private final long[] completeKey;

    /** Position in the topological order of the first and the last use of each resource, -1 for none. */
    private final int[] firstAt;

    private final int[] lastAt;

    /** The bits above two positions in one number; such a position takes 31 bits. */
    private static final long BORROWED = 0x8000_0000_8000_0000L;

    /** Tells the resources that a node uses. */
    @FunctionalInterface
    interface Uses {
        void of(int node, IntConsumer resource);
    }

    /** What a pass uses, its whole shared render pass uses: the barriers of all members come before the first one. */
    Lifetimes(
            SubresourceMap map,
            Transitions transitions,
            Synchronization sync,
            RenderPassMerge renderPasses,
            int resources,
            int queueCount) {
        this(transitions.order, transitions.queue, sync, resources, queueCount);
        int passes = map.touchBase.length - 1;
        for (int node : transitions.order) {
            if (node >= passes) {
                use(transitions.addedResource[node - passes], node, transitions.queue[node]);
                continue;
            }
            int begin = renderPasses.firstMember(node);
            int end = renderPasses.lastMember(node);
            int queue = transitions.queue[node];
            for (int t = map.touchBase[node], behind = map.touchBase[node + 1]; t < behind; t++) {
                use(map.cellResource[map.touchCell[t]], begin, end, queue);
            }
        }
        finish(resources);
    }

    Lifetimes(int[] order, int[] queue, Synchronization sync, int resources, int queueCount, Uses uses) {
        this(order, queue, sync, resources, queueCount);
        for (int node : order) {
            uses.of(node, resource -> use(resource, node, queue[node]));
        }
        finish(resources);
    }

    private Lifetimes(int[] order, int[] queue, Synchronization sync, int resources, int queueCount) {
        this.queueCount = queueCount;
        this.sync = sync;
        position = new int[queue.length];
        for (int i = 0; i < order.length; i++) {
            position[order[i]] = i;
        }
        nodesOf = nodesOf(order, queue, queueCount);
        last = new int[resources * queueCount];
        first = new int[resources * queueCount];
        firstAt = new int[resources];
        lastAt = new int[resources];
        Arrays.fill(firstAt, -1);
        Arrays.fill(lastAt, -1);
        Arrays.fill(last, -1);
        Arrays.fill(first, -1);
        complete = new int[resources * queueCount];
        words = (queueCount + 1) / 2;
        lastKey = new long[resources * words];
        completeKey = new long[resources * words];
    }

    private void finish(int resources) {
        complete(resources);
        fill(lastKey, last, resources, 0);
        fill(completeKey, complete, resources, BORROWED);
    }

    private void fill(long[] keys, int[] positions, int resources, long above) {
        Arrays.fill(keys, above);
        for (int r = 0; r < resources; r++) {
            for (int q = 0; q < queueCount; q++) {
                keys[r * words + (q >> 1)] |= (positions[r * queueCount + q] + 1L) << (Integer.SIZE * (q & 1));
            }
        }
    }

    private static int[][] nodesOf(int[] order, int[] queue, int queueCount) {
        int[] count = new int[queueCount];
        for (int node : order) {
            count[queue[node]]++;
        }
        int[][] nodes = new int[queueCount][];
        for (int q = 0; q < queueCount; q++) {
            nodes[q] = new int[count[q]];
        }
        Arrays.fill(count, 0);
        for (int node : order) {
            nodes[queue[node]][count[queue[node]]++] = node;
        }
        return nodes;
    }

    private void use(int resource, int node, int queue) {
        use(resource, node, node, queue);
    }

    /** Notes a use that takes from one node to another of the same queue. */
    private void use(int resource, int begin, int end, int queue) {
        int at = resource * queueCount + queue;
        if (first[at] < 0) {
            first[at] = begin;
        }
        last[at] = sync.indexOnQueue[end];
        firstAt[resource] = firstAt[resource] < 0 ? position[begin] : Math.min(firstAt[resource], position[begin]);
        lastAt[resource] = Math.max(lastAt[resource], position[end]);
    }

    private void complete(int resources) {
        int[] known = complete;
        // One less than the most, so that the difference to -1 is a number, too.
        Arrays.fill(known, Integer.MAX_VALUE - 1);
        for (int r = 0; r < resources; r++) {
            for (int other = 0; other < queueCount; other++) {
                int start = first[r * queueCount + other];
                for (int q = 0; start >= 0 && q < queueCount; q++) {
                    int before = q == other ? sync.indexOnQueue[start] - 1 : sync.known(start, q);
                    known[r * queueCount + q] = Math.min(known[r * queueCount + q], before);
                }
            }
        }
    }

    boolean isUsed(int resource) {
        return firstAt[resource] >= 0;
    }

    /** Returns the node of the first use on any queue, by node number; for a stable order of resources. */
    int firstNode(int resource) {
        int node = Integer.MAX_VALUE;
        for (int q = 0; q < queueCount; q++) {
            int f = first[resource * queueCount + q];
            node = f >= 0 ? Math.min(node, f) : node;
        }
        return node;
    }

    /** Returns the number of positions on all queues between first and last use: a measure of length. */
    long length(int resource) {
        long length = 0;
        for (int q = 0; q < queueCount; q++) {
            int at = resource * queueCount + q;
            length += first[at] < 0 ? 0 : last[at] - sync.indexOnQueue[first[at]] + 1;
        }
        return length;
    }

    /** Returns whether every use of {@code a} happens before every use of {@code b}. */
    boolean precedes(int a, int b) {
        if (words == 1) {
            return behind(lastKey[a], completeKey[b]) == 0;
        }
        long behind = 0;
        for (int w = 0; w < words; w++) {
            behind |= behind(lastKey[a * words + w], completeKey[b * words + w]);
        }
        return behind == 0;
    }

    /** Returns whether {@link #lastKey} and {@link #completeKey} say all: whether there are no more than two queues. */
    boolean keysSayAll() {
        return words == 1;
    }

    /** Returns where a resource is last used on the first two queues, to be compared with {@link #completeKey}. */
    long lastKey(int resource) {
        return lastKey[resource * words];
    }

    /** Returns what is complete on the first two queues before a resource is used, to be compared with {@link #lastKey}. */
    long completeKey(int resource) {
        return completeKey[resource * words];
    }

    /** Returns 0 if of two queues nothing keeps the owner of the last uses from preceding the other, else another number. */
    static long behind(long lastKey, long completeKey) {
        return ~(completeKey - lastKey) & BORROWED;
    }

    /** Returns 1 if what {@link #behind} returned is not 0, without a branch. */
    static int one(long behind) {
        return (int) ((behind | behind << Integer.SIZE) >>> (Long.SIZE - 1));
    }

    /** Returns the position in the topological order of the first use; the resource must be used. */
    int firstPosition(int resource) {
        return firstAt[resource];
    }

    /** Returns the position in the topological order of the last use; the resource must be used. */
    int lastPosition(int resource) {
        return lastAt[resource];
    }

    /**
     * Returns the position in the topological order of the first node that may still run when a resource is first used: of
     * two resources neither of which precedes the other, each is last used there or later.
     */
    int horizon(int resource) {
        int horizon = Integer.MAX_VALUE;
        for (int q = 0; q < queueCount; q++) {
            int index = complete[resource * queueCount + q] + 1;
            horizon = index < nodesOf[q].length ? Math.min(horizon, position[nodesOf[q][index]]) : horizon;
        }
        return horizon;
    }

    /**
     * Returns the most bytes in use around one node, of which no two can share memory: those with a use before or at it and
     * one on its queue after or at it.
     */
    long mostInUse(int[] resources, long[] bytesOf) {
        long most = 0;
        for (int queue = 0; queue < queueCount; queue++) {
            int[][] learned = learned(queue);
            long[] change = new long[nodesOf[queue].length + 1];
            for (int resource : resources) {
                int end = last[resource * queueCount + queue];
                if (end >= 0) {
                    change[started(resource, learned)] += bytesOf[resource];
                    change[end + 1] -= bytesOf[resource];
                }
            }
            long inUse = 0;
            for (long bytes : change) {
                inUse += bytes;
                most = Math.max(most, inUse);
            }
        }
        return most;
    }

    /** Returns, by queue and position there, the first position on {@code queue} that knows that node to be complete, or is it. */
    private int[][] learned(int queue) {
        int[] nodes = nodesOf[queue];
        int[][] learned = new int[queueCount][];
        for (int q = 0; q < queueCount; q++) {
            int[] first = new int[nodesOf[q].length];
            int at = 0;
            for (int index = 0; index < first.length; index++) {
                while (at < nodes.length && sync.known(nodes[at], q) < index) {
                    at++;
                }
                first[index] = at;
            }
            learned[q] = first;
        }
        return learned;
    }

    /** Returns the first position on a queue at which a use of a resource, on whatever queue, is complete or begins. */
    private int started(int resource, int[][] learned) {
        int begin = Integer.MAX_VALUE;
        for (int q = 0; q < queueCount; q++) {
            int use = first[resource * queueCount + q];
            if (use >= 0) {
                begin = Math.min(begin, learned[q][sync.indexOnQueue[use]]);
            }
        }
        return begin;
    }
}
