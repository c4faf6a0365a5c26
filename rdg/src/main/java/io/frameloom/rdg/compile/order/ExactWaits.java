package io.frameloom.rdg.compile.order;

import io.frameloom.gpu.command.PipelineStage;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the waits between queues that are necessary and together sufficient if each holds back no more than the stages
 * that need it: {@link Synchronization} with a clock for each stage of each queue.
 *
 * <p>A wait in some stages orders what it waits for, and all that is known there, before these stages of the waiting
 * node and of every later node of its queue. It orders nothing before other stages. A signal after a node still covers
 * everything earlier on its queue, in all stages, and so what these waited for. So a queue hands on the clock of {@link
 * Synchronization}. Barriers between passes of one queue are not counted beyond what the edges leave out, since one of
 * a resource makes nothing of another visible. The set is unique for the reason given there, applied to pairs of node
 * and stage. O(edges x stages + nodes x queues^2 x stages^2).
 */
public final class ExactWaits {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final int HOST = PipelineStage.HOST.bit();
    /** The stages that a clock is kept for are those before the host's, which no queue can hold back. */
    private static final int STAGE_COUNT = Integer.numberOfTrailingZeros(HOST);

    private static final int EVERY = HOST - 1;
    private static final int NONE = -1;

    /** Position of each node on its queue, -1 for nodes that are not ordered. */
    final int[] indexOnQueue;
    /** For each edge whether it crosses queues and needs a wait. */
    final boolean[] waited;
    /** For each edge the mask of stages that wait, if it does. */
    final int[] stages;
    /** By node and queue the latest position known to be complete before every stage in use on the node's queue. */
    final int[] clock;

    private final int queueCount;
    private final int[] queue;
    private final int[] from;
    /** By node and queue the latest position that a signal after the node includes. */
    private final int[] signalled;
    /** By queue, stage and queue the latest position known to be complete before that stage of what follows. */
    private final int[] known;
    /**
     * By node and queue the latest position known to be complete before some stage of the node; empty if not handed on.
     */
    private final int[] done;
    /** Edge with the latest source by queue and stage of the node at hand. */
    private final int[] closest;

    /**
     * Computes the waits.
     *
     * @param order nodes in a topological order that agrees with every queue's order
     * @param queue queue of each node
     * @param from earlier node of each edge
     * @param to later node of each edge
     * @param edgeStages mask of the stages in which the later node of each edge needs it, 0 if other edges imply it
     * @param usedStages mask of the stages that each queue uses at all
     * @param doneStages mask of the stages of each node if an edge between nodes of one queue orders all that both do,
     *     and so hands on what the earlier one knows; null if it does not
     */
    public ExactWaits(
            int[] order,
            int[] queue,
            int queueCount,
            int[] from,
            int[] to,
            int[] edgeStages,
            int[] usedStages,
            int @Nullable [] doneStages) {
        this.queueCount = queueCount;
        this.queue = queue;
        this.from = from;
        int nodes = queue.length;
        indexOnQueue = filled(nodes);
        clock = filled(nodes * queueCount);
        signalled = filled(nodes * queueCount);
        known = filled(queueCount * STAGE_COUNT * queueCount);
        done = filled(doneStages == null ? 0 : nodes * queueCount);
        closest = filled(queueCount * STAGE_COUNT);
        waited = new boolean[from.length];
        stages = new int[from.length];
        for (int e = 0; e < from.length; e++) {
            stages[e] = every(edgeStages[e]) ? EVERY : edgeStages[e];
        }
        int[] edgeStart = new int[nodes + 1];
        int[] edges = Synchronization.groupByTarget(to, nodes, edgeStart);
        int[] last = filled(queueCount);
        int[] count = new int[queueCount];
        for (int node : order) {
            int own = queue[node];
            indexOnQueue[node] = count[own]++;
            if (last[own] != NONE) {
                System.arraycopy(signalled, last[own] * queueCount, signalled, node * queueCount, queueCount);
            }
            last[own] = node;
            for (int i = edgeStart[node]; doneStages != null && i < edgeStart[node + 1]; i++) {
                handOn(edges[i], own);
            }
            findClosest(own, edges, edgeStart[node], edgeStart[node + 1]);
            markWaits(own);
            for (int edge : closest) {
                if (edge != NONE) {
                    learn(node, edge);
                }
            }
            signalled[node * queueCount + own] = indexOnQueue[node];
            settle(node, every(usedStages[own]) ? EVERY : usedStages[own]);
            if (doneStages != null) {
                finish(node, every(doneStages[node]) ? EVERY : doneStages[node]);
            }
        }
        for (int e = 0; e < stages.length; e++) {
            stages[e] = stages[e] == EVERY ? ALL : stages[e];
        }
    }

    private static int[] filled(int length) {
        int[] result = new int[length];
        Arrays.fill(result, NONE);
        return result;
    }

    private static boolean every(int mask) {
        return (mask & (ALL | HOST)) != 0;
    }

    /** Lets the stages after a barrier between nodes of one queue know what those before it knew. */
    private void handOn(int edge, int own) {
        if (queue[from[edge]] == own) {
            learn(own, stages[edge], done, from[edge] * queueCount);
        }
    }

    /** Notes what a node knows in any of its stages: a barrier that waits for all of them includes it. */
    private void finish(int node, int mask) {
        for (int q = 0; q < queueCount; q++) {
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int stage = Integer.numberOfTrailingZeros(rest);
                int at = node * queueCount + q;
                done[at] = Math.max(done[at], known[(queue[node] * STAGE_COUNT + stage) * queueCount + q]);
            }
        }
    }

    private void findClosest(int own, int[] edges, int begin, int end) {
        Arrays.fill(closest, NONE);
        for (int i = begin; i < end; i++) {
            int edge = edges[i];
            int q = queue[from[edge]];
            for (int rest = q == own ? 0 : stages[edge]; rest != 0; rest &= rest - 1) {
                int at = q * STAGE_COUNT + Integer.numberOfTrailingZeros(rest);
                if (closest[at] == NONE || indexOnQueue[from[closest[at]]] < indexOnQueue[from[edge]]) {
                    closest[at] = edge;
                }
            }
        }
    }

    /** An edge needs a wait if it is the closest of its queue in a stage, and nothing else covers it there. */
    private void markWaits(int own) {
        for (int q = 0; q < queueCount; q++) {
            for (int s = 0; s < STAGE_COUNT; s++) {
                int edge = closest[q * STAGE_COUNT + s];
                if (edge != NONE && !covered(own, edge, q, s)) {
                    waited[edge] = true;
                }
            }
        }
    }

    private boolean covered(int own, int edge, int q, int stage) {
        int wanted = indexOnQueue[from[edge]];
        if (known[(own * STAGE_COUNT + stage) * queueCount + q] >= wanted) {
            return true;
        }
        for (int other = 0; other < queueCount; other++) {
            int candidate = closest[other * STAGE_COUNT + stage];
            if (other != q && candidate != NONE && signalled[from[candidate] * queueCount + q] >= wanted) {
                return true;
            }
        }
        return false;
    }

    /** What an edge hands on is known in its stages, whether it is waited for or something else covers it. */
    private void learn(int node, int edge) {
        int source = from[edge] * queueCount;
        for (int q = 0; q < queueCount; q++) {
            int at = node * queueCount + q;
            signalled[at] = Math.max(signalled[at], signalled[source + q]);
        }
        learn(queue[node], stages[edge], signalled, source);
    }

    private void learn(int own, int mask, int[] clocks, int at) {
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int stage = (own * STAGE_COUNT + Integer.numberOfTrailingZeros(rest)) * queueCount;
            for (int q = 0; q < queueCount; q++) {
                known[stage + q] = Math.max(known[stage + q], clocks[at + q]);
            }
        }
    }

    private void settle(int node, int used) {
        int own = queue[node];
        for (int q = 0; q < queueCount; q++) {
            int least = used == 0 ? NONE : Integer.MAX_VALUE;
            for (int rest = used; rest != 0; rest &= rest - 1) {
                int stage = Integer.numberOfTrailingZeros(rest);
                least = Math.min(least, known[(own * STAGE_COUNT + stage) * queueCount + q]);
            }
            clock[node * queueCount + q] = q == own ? indexOnQueue[node] : least;
        }
    }
}
