package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.barrier.Transitions;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.order.VectorClocks;
import io.frameloom.rdg.compile.renderpass.RenderPassMerge;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * When resources are in use, in terms of happens-before over all queues. One precedes another if every use of the first
 * is complete before any use of the second starts. A linear index would be wrong here: passes on different queues
 * overlap. Lives in scratch memory, until that is reset.
 */
public final class Lifetimes {
    private final int queueCount;
    private final int resources;
    private final VectorClocks clocks;
    /** Position of each node in the topological order. */
    private final int[] position;

    /** Position of the last use of each resource on each queue, -1 for none. */
    private final int[] last;
    /** Node of the first use of each resource on each queue, -1 for none. */
    private final int[] first;
    /**
     * Position on each queue of the latest node that is complete before any use of each resource starts, -1 for none.
     */
    private final int[] complete;
    /** Numbers of {@link #lastKey} and {@link #completeKey} for each resource: one for two queues. */
    private final int words;
    /** One more than {@link #last}, two queues to a number. */
    private final long[] lastKey;
    /**
     * One more than {@link #complete}, two queues to a number, above each a bit that a larger {@link #lastKey} borrows.
     */
    private final long[] completeKey;

    /** Position in the topological order of the first use of each resource, the largest number for none. */
    private final int[] firstAt;
    /** Position in the topological order of the last use of each resource, -1 for none. */
    private final int[] lastAt;

    private final int[] accesses;
    /** Positions in the topological order. */
    private final int positions;

    /** The bits above two positions in one number; such a position takes 31 bits. */
    private static final long BORROWED = 0x8000_0000_8000_0000L;

    /** Notes the resources that a node uses. */
    @FunctionalInterface
    public interface Uses {
        void of(int node, IntConsumer resource);
    }

    /** What a pass uses, its whole shared render pass uses: the barriers of all members come before the first one. */
    public Lifetimes(
            SubresourceMap map,
            Transitions transitions,
            VectorClocks clocks,
            RenderPassMerge renderPasses,
            DeclaredGraph graph,
            Scratch scratch) {
        this(transitions.order, transitions.ordered, transitions.queue.length, clocks, graph.resources(), scratch);
        int passes = graph.passes();
        // Mostly none does, and then nobody has to guess which passes are raster passes.
        boolean shared = renderPasses.anyShared();
        for (int i = 0; i < transitions.ordered; i++) {
            int node = transitions.order[i];
            if (node >= passes) {
                use(transitions.addedResource[node - passes], node, transitions.queue[node]);
                continue;
            }
            int begin = shared ? renderPasses.firstMember(node) : node;
            int end = shared ? renderPasses.lastMember(node) : node;
            int queue = transitions.queue[node];
            int index = clocks.position(end);
            int from = position[begin];
            int to = position[end];
            for (int t = map.touchBase[node], behind = map.touchBase[node + 1]; t < behind; t++) {
                int resource = map.cellResource[map.touchCell[t]];
                use(resource, queue, begin, index, from, to);
                accesses[resource] |= SubresourceMap.access(map.scope(t));
            }
        }
        finish();
    }

    public Lifetimes(int[] order, VectorClocks clocks, int resources, Uses uses) {
        this(order, order.length, order.length, clocks, resources, new Scratch());
        for (int node : order) {
            uses.of(node, resource -> use(resource, node, clocks.queue(node)));
        }
        finish();
    }

    private Lifetimes(int[] order, int ordered, int nodes, VectorClocks clocks, int resources, Scratch scratch) {
        this.queueCount = clocks.queueCount();
        this.clocks = clocks;
        this.resources = resources;
        position = scratch.ints(nodes);
        for (int i = 0; i < ordered; i++) {
            position[order[i]] = i;
        }
        last = scratch.ints(resources * queueCount, -1);
        first = scratch.ints(resources * queueCount, -1);
        firstAt = scratch.ints(resources, Integer.MAX_VALUE);
        lastAt = scratch.ints(resources, -1);
        accesses = scratch.ints(resources, 0);
        positions = ordered;
        // One less than the most, so that the difference to -1 is a number, too.
        complete = scratch.ints(resources * queueCount, Integer.MAX_VALUE - 1);
        words = (queueCount + 1) / 2;
        lastKey = scratch.longs(resources * words);
        completeKey = scratch.longs(resources * words);
    }

    private void finish() {
        if (queueCount == 2) {
            finishTwo();
            return;
        }
        complete();
        fill(lastKey, last, 0);
        fill(completeKey, complete, BORROWED);
    }

    /** As for any number of queues, in one go: most devices have a graphics and a compute queue. */
    private void finishTwo() {
        for (int r = 0; r < resources; r++) {
            int at = 2 * r;
            int first0 = first[at];
            int first1 = first[at + 1];
            int complete0 = complete[at];
            int complete1 = complete[at + 1];
            if (first0 >= 0) {
                complete0 = Math.min(complete0, clocks.position(first0) - 1);
                complete1 = Math.min(complete1, clocks.known(first0, 1));
            }
            if (first1 >= 0) {
                complete0 = Math.min(complete0, clocks.known(first1, 0));
                complete1 = Math.min(complete1, clocks.position(first1) - 1);
            }
            complete[at] = complete0;
            complete[at + 1] = complete1;
            lastKey[r] = key(last[at], last[at + 1]);
            completeKey[r] = BORROWED | key(complete0, complete1);
        }
    }

    private static long key(int first, int second) {
        return (second + 1L) << Integer.SIZE | (first + 1L);
    }

    private void fill(long[] keys, int[] positions, long above) {
        for (int r = 0; r < resources; r++) {
            for (int w = 0; w < words; w++) {
                int q = 2 * w;
                int at = r * queueCount + q;
                keys[r * words + w] = above | key(positions[at], q + 1 < queueCount ? positions[at + 1] : -1);
            }
        }
    }

    private void use(int resource, int node, int queue) {
        use(resource, queue, node, clocks.position(node), position[node], position[node]);
    }

    /**
     * Notes a use by nodes of one queue: from {@code begin}, at position {@code from}, to the one at {@code index},
     * {@code to}.
     */
    private void use(int resource, int queue, int begin, int index, int from, int to) {
        int at = resource * queueCount + queue;
        int known = first[at];
        // Without branches, which would be guessed wrong.
        first[at] = known < 0 ? begin : known;
        last[at] = index;
        firstAt[resource] = Math.min(firstAt[resource], from);
        lastAt[resource] = Math.max(lastAt[resource], to);
    }

    private void complete() {
        int[] known = complete;
        for (int r = 0; r < resources; r++) {
            for (int other = 0; other < queueCount; other++) {
                int start = first[r * queueCount + other];
                for (int q = 0; start >= 0 && q < queueCount; q++) {
                    int before = q == other ? clocks.position(start) - 1 : clocks.known(start, q);
                    known[r * queueCount + q] = Math.min(known[r * queueCount + q], before);
                }
            }
        }
    }

    public boolean isUsed(int resource) {
        return lastAt[resource] >= 0;
    }

    int accesses(int resource) {
        return accesses[resource];
    }

    int positions() {
        return positions;
    }

    /** Returns the first {@code count} members in the order of their first uses, in scratch memory. */
    public int[] byFirstUse(int[] members, int count, Scratch scratch) {
        int[] sorted = scratch.ints(count);
        long mark = scratch.mark();
        int[] at = scratch.ints(positions + 1, 0);
        for (int i = 0; i < count; i++) {
            at[firstAt[members[i]] + 1]++;
        }
        for (int p = 0; p < positions; p++) {
            at[p + 1] += at[p];
        }
        for (int i = 0; i < count; i++) {
            sorted[at[firstAt[members[i]]]++] = members[i];
        }
        scratch.release(mark);
        return sorted;
    }

    /** Returns the number of positions on all queues between first and last use: a measure of length. */
    long length(int resource) {
        long length = 0;
        for (int q = 0; q < queueCount; q++) {
            int at = resource * queueCount + q;
            length += first[at] < 0 ? 0 : last[at] - clocks.position(first[at]) + 1;
        }
        return length;
    }

    /** Returns whether every use of {@code a} happens before every use of {@code b}. */
    public boolean precedes(int a, int b) {
        if (words == 1) {
            return behind(lastKey[a], completeKey[b]) == 0;
        }
        long behind = 0;
        for (int w = 0; w < words; w++) {
            behind |= behind(lastKey[a * words + w], completeKey[b * words + w]);
        }
        return behind == 0;
    }

    /** Returns the numbers of the keys of one resource. */
    int words() {
        return words;
    }

    /**
     * Writes the keys of a resource: where it is last used on each two queues, and what is complete there before it is
     * used. {@link #behind} compares those of two resources.
     */
    void copyKeys(int resource, long[] lastOf, long[] completeOf, int to) {
        for (int w = 0; w < words; w++) {
            lastOf[to + w] = lastKey[resource * words + w];
            completeOf[to + w] = completeKey[resource * words + w];
        }
    }

    /**
     * Returns 0 if of two queues nothing keeps the owner of the last uses from preceding the other, else another
     * number.
     */
    static long behind(long lastKey, long completeKey) {
        return ~(completeKey - lastKey) & BORROWED;
    }

    /** Returns the position in the topological order of the last use; the resource must be used. */
    int lastPosition(int resource) {
        return lastAt[resource];
    }

    /**
     * Returns the position in the topological order of the first node that may still run when a resource is first used.
     * If neither of two resources precedes the other, each is last used there or later.
     */
    int horizon(int resource) {
        int horizon = Integer.MAX_VALUE;
        for (int q = 0; q < queueCount; q++) {
            int next = complete[resource * queueCount + q] + 1;
            horizon = next < clocks.count(q) ? Math.min(horizon, position[clocks.node(q, next)]) : horizon;
        }
        return horizon;
    }

    /**
     * Returns the most bytes in use around one node. These are the resources with a use before or at it and one on its
     * queue after or at it; no two of them can share memory.
     */
    public long mostInUse(int[] members, int count, long[] bytesOf, Scratch scratch) {
        long most = 0;
        long mark = scratch.mark();
        // By place in the nodes the first position on the queue that knows the node to be complete, or is it.
        int[] learned = scratch.ints(clocks.places());
        long[] change = scratch.longs(clocks.places() + 1);
        for (int queue = 0; queue < queueCount; queue++) {
            learn(queue, learned);
            int length = clocks.count(queue);
            Arrays.fill(change, 0, length + 1, 0);
            for (int i = 0; i < count; i++) {
                int resource = members[i];
                int end = last[resource * queueCount + queue];
                if (end >= 0) {
                    change[started(resource, learned)] += bytesOf[resource];
                    change[end + 1] -= bytesOf[resource];
                }
            }
            long inUse = 0;
            for (int at = 0; at <= length; at++) {
                inUse += change[at];
                most = Math.max(most, inUse);
            }
        }
        scratch.release(mark);
        return most;
    }

    private void learn(int queue, int[] learned) {
        int length = clocks.count(queue);
        for (int q = 0; q < queueCount; q++) {
            int at = 0;
            for (int index = 0; index < clocks.count(q); index++) {
                while (at < length && clocks.known(clocks.node(queue, at), q) < index) {
                    at++;
                }
                learned[clocks.firstPlace(q) + index] = at;
            }
        }
    }

    /** Returns the first position on a queue at which a use of a resource, on whatever queue, is complete or begins. */
    private int started(int resource, int[] learned) {
        int begin = Integer.MAX_VALUE;
        for (int q = 0; q < queueCount; q++) {
            int use = first[resource * queueCount + q];
            if (use >= 0) {
                begin = Math.min(begin, learned[clocks.firstPlace(q) + clocks.position(use)]);
            }
        }
        return begin;
    }
}
