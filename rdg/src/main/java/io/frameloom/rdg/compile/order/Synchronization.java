package io.frameloom.rdg.compile.order;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the waits between queues that are necessary and together sufficient: the cross-queue edges of the transitive
 * reduction of queue order and dependencies, which is unique (A. V. Aho, M. R. Garey, J. D. Ullman, "The transitive
 * reduction of a directed graph", 1972).
 *
 * <p>One sweep with {@link VectorClocks}. Of the dependencies of a node only the closest per queue counts. It needs a
 * wait unless its own queue has waited for it or another candidate knows it. O(edges + nodes x queues^2).
 *
 * <p>That holds for signals and waits over all commands: such a signal covers everything before it on its queue, and
 * such a wait everything after it.
 *
 * <p>If each wait holds back only the stages that need it, each stage of each queue has a clock of its own. A wait in
 * some stages orders what it waits for, and all that is known there, before these stages of the waiting node and of
 * every later node of its queue. It orders nothing before other stages. A signal still covers everything earlier on its
 * queue, in all stages, and so what these waited for. Barriers between passes of one queue are not counted beyond what
 * the edges leave out, since one of a resource makes nothing of another visible. The set is unique for the same reason,
 * applied to pairs of node and stage. O(edges x stages + nodes x queues^2 x stages^2).
 */
public final class Synchronization {
    private static final int NONE = VectorClocks.NONE;
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final int HOST = PipelineStage.HOST.bit();
    /** The stages that a clock is kept for are those before the host's, which no queue can hold back. */
    private static final int STAGE_COUNT = Integer.numberOfTrailingZeros(HOST);

    private static final int EVERY = HOST - 1;
    private static final int ONE_LANE = 1;

    /** What is complete before every stage of a node that its queue uses. In scratch memory, until that is reset. */
    public final VectorClocks clocks;
    /** By edge 1 if it crosses queues and needs a wait, else 0. In scratch memory. */
    private final int[] waited;
    /** The edges that need a wait, in order. In scratch memory. */
    final IntList waits;
    /** For each edge the stages that wait, null if all do. */
    public final int @Nullable [] stages;

    private final int queueCount;
    /** Stages that are told apart: one if all wait. */
    private final int lanes;

    private final int[] queue;
    private final int[] from;
    /** By node what a signal after it includes; with one lane that is what it knows. */
    private final long[] signalled;
    /** By queue and lane what is complete before that stage of what follows; with one lane of each node. */
    private final long[] known;
    /** Edge with the latest source by queue and lane of the node at hand. */
    private final int[] closest;

    /**
     * Finds waits over all commands.
     *
     * @param order nodes in a topological order that agrees with every queue's order
     * @param ordered number of these
     * @param queue queue of each node
     * @param edges number of edges
     * @param from earlier node of each edge
     * @param to later node of each edge
     */
    public Synchronization(
            int[] order, int ordered, int[] queue, int queueCount, int edges, int[] from, int[] to, Scratch scratch) {
        this(order, ordered, queue, queueCount, edges, from, to, null, null, null, scratch);
    }

    /**
     * Finds waits in the stages that need them, if these are given.
     *
     * @param edgeStages mask of the stages in which the later node of each edge needs it, 0 if other edges imply it
     * @param usedStages mask of the stages that each queue uses at all
     * @param doneStages mask of the stages of each node if an edge between nodes of one queue orders all that both do,
     *     and so hands on what the earlier one knows; null if it does not
     */
    public Synchronization(
            int[] order,
            int ordered,
            int[] queue,
            int queueCount,
            int edges,
            int[] from,
            int[] to,
            int @Nullable [] edgeStages,
            int @Nullable [] usedStages,
            int @Nullable [] doneStages,
            Scratch scratch) {
        this.queueCount = queueCount;
        this.queue = queue;
        this.from = from;
        clocks = new VectorClocks(order, ordered, queue, queueCount, scratch);
        waited = scratch.ints(edges, 0);
        waits = scratch.list();
        long mark = scratch.mark();
        if (edgeStages == null || usedStages == null) {
            lanes = ONE_LANE;
            stages = null;
            signalled = clocks.rows();
            known = signalled;
        } else {
            lanes = STAGE_COUNT;
            stages = new int[edges];
            for (int e = 0; e < stages.length; e++) {
                stages[e] = lanesOf(edgeStages[e]);
            }
            signalled = VectorClocks.table(queue.length, queueCount, scratch);
            known = VectorClocks.table(queueCount * lanes, queueCount, scratch);
        }
        closest = scratch.ints(queueCount * lanes, NONE);
        int[] edgeStart = scratch.ints(queue.length + 1, 0);
        long[] done = VectorClocks.table(doneStages == null ? 0 : queue.length, queueCount, scratch);
        IntList followed = followed(to, edges, doneStages != null, scratch);
        int[] grouped = groupByTarget(to, followed, edgeStart, scratch);
        for (int i = 0; i < ordered; i++) {
            int node = order[i];
            int own = queue[node];
            int index = clocks.position(node);
            if (index > 0) {
                int former = clocks.node(own, index - 1) * queueCount;
                for (int q = 0; q < queueCount; q++) {
                    signalled[node * queueCount + q] = signalled[former + q];
                }
            }
            if (edgeStart[node] < edgeStart[node + 1]) {
                follow(node, grouped, edgeStart[node], edgeStart[node + 1], done);
            }
            signalled[node * queueCount + own] = index;
            if (usedStages != null && lanes > ONE_LANE) {
                settle(node, lanesOf(usedStages[own]));
            }
            for (int rest = doneStages == null ? 0 : lanesOf(doneStages[node]); rest != 0; rest &= rest - 1) {
                VectorClocks.join(done, node * queueCount, known, knownAt(node, rest), queueCount);
            }
        }
        for (int i = 0; i < followed.size(); i++) {
            if (isWaited(followed.get(i))) {
                waits.add(followed.get(i));
            }
        }
        for (int e = 0; stages != null && e < stages.length; e++) {
            stages[e] = stages[e] == EVERY ? ALL : stages[e];
        }
        scratch.release(mark);
    }

    /** Returns the mask of the stages in which an edge that needs a wait is waited for; all for null. */
    public static int waitStages(int @Nullable [] stages, int edge) {
        return stages == null ? ALL : stages[edge];
    }

    /** Returns whether an edge crosses queues and needs a wait. */
    public boolean isWaited(int edge) {
        return waited[edge] != 0;
    }

    private static int lanesOf(int mask) {
        return (mask & (ALL | HOST)) != 0 ? EVERY : mask;
    }

    private int lanesOfEdge(int edge) {
        return stages == null ? ONE_LANE : stages[edge];
    }

    /** Returns where the row of what is known before the lowest of some lanes begins. */
    private int knownAt(int node, int mask) {
        return lanes == ONE_LANE
                ? node * queueCount
                : (queue[node] * lanes + Integer.numberOfTrailingZeros(mask)) * queueCount;
    }

    /** Lets a node come after the sources of its edges, and marks those that it has to wait for. */
    private void follow(int node, int[] edges, int begin, int end, long[] done) {
        int own = queue[node];
        Arrays.fill(closest, 0, queueCount * lanes, NONE);
        for (int i = begin; i < end; i++) {
            int edge = edges[i];
            int q = queue[from[edge]];
            if (q == own) {
                // A barrier between nodes of one queue: the stages after it know what those before it knew.
                learn(node, edge, done);
                continue;
            }
            for (int rest = lanesOfEdge(edge); rest != 0; rest &= rest - 1) {
                int at = q * lanes + Integer.numberOfTrailingZeros(rest);
                if (closest[at] == NONE || position(closest[at]) < position(edge)) {
                    closest[at] = edge;
                }
            }
        }
        for (int q = 0; q < queueCount; q++) {
            for (int lane = 0; lane < lanes; lane++) {
                int edge = closest[q * lanes + lane];
                if (edge != NONE && !isCovered(node, q, lane)) {
                    waited[edge] = 1;
                }
            }
        }
        for (int at = 0, count = queueCount * lanes; at < count; at++) {
            int edge = closest[at];
            if (edge != NONE) {
                VectorClocks.join(signalled, node * queueCount, signalled, from[edge] * queueCount, queueCount);
                if (lanes > ONE_LANE) {
                    // What an edge hands on is known in its stages, whether it is waited for or something covers it.
                    learn(node, edge, signalled);
                }
            }
        }
    }

    private int position(int edge) {
        return clocks.position(from[edge]);
    }

    /** Returns whether a node knows the closest of a queue in a lane anyway, or learns of it by another queue's. */
    private boolean isCovered(int node, int q, int lane) {
        int wanted = position(closest[q * lanes + lane]);
        if (known[knownAt(node, 1 << lane) + q] >= wanted) {
            return true;
        }
        for (int other = 0; other < queueCount; other++) {
            int edge = closest[other * lanes + lane];
            if (other != q && edge != NONE && signalled[from[edge] * queueCount + q] >= wanted) {
                return true;
            }
        }
        return false;
    }

    /** Makes known in the stages of an edge what a table says of its source. */
    private void learn(int node, int edge, long[] table) {
        for (int rest = lanesOfEdge(edge); rest != 0; rest &= rest - 1) {
            VectorClocks.join(known, knownAt(node, rest), table, from[edge] * queueCount, queueCount);
        }
    }

    /** A node knows to be complete what is complete before each of the stages that its queue uses. */
    private void settle(int node, int used) {
        long[] rows = clocks.rows();
        for (int q = 0; q < queueCount; q++) {
            long least = used == 0 ? NONE : Long.MAX_VALUE;
            for (int rest = used; rest != 0; rest &= rest - 1) {
                least = Math.min(least, known[knownAt(node, rest) + q]);
            }
            rows[node * queueCount + q] = q == queue[node] ? clocks.position(node) : least;
        }
    }

    /** Returns the edges between queues, or all, in order. */
    private IntList followed(int[] to, int edges, boolean all, Scratch scratch) {
        IntList followed = scratch.list();
        int[] found = followed.reserve(edges);
        int count = 0;
        for (int e = 0; e < edges; e++) {
            // Without a branch, which would be guessed wrong.
            found[count] = e;
            count += queue[from[e]] == queue[to[e]] && !all ? 0 : 1;
        }
        followed.resize(count);
        return followed;
    }

    /** Returns edges grouped by their targets, and writes where those of each begin. */
    private int[] groupByTarget(int[] to, IntList edges, int[] start, Scratch scratch) {
        int count = edges.size();
        // The edges of the compiler's phases are in the order of their targets, but for those of added nodes.
        boolean sorted = true;
        int former = 0;
        for (int i = 0; i < count; i++) {
            int target = to[edges.get(i)];
            start[target + 1]++;
            sorted &= former <= target;
            former = target;
        }
        int nodes = queue.length;
        for (int n = 0; n < nodes; n++) {
            start[n + 1] += start[n];
        }
        if (sorted) {
            return edges.reserve(0);
        }
        int[] next = scratch.ints(nodes);
        System.arraycopy(start, 0, next, 0, nodes);
        int[] grouped = scratch.ints(count);
        for (int i = 0; i < count; i++) {
            int edge = edges.get(i);
            grouped[next[to[edge]]++] = edge;
        }
        return grouped;
    }
}
