package io.frameloom.rdg.compile.graph;

import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;

/**
 * The declared orders of the passes that are left. A removed pass does nothing, but it still hands orders on: passes
 * before it come before passes after it. One thread.
 *
 * <p>Of more than a few passes before a removed one, the last of each queue stand for all, since a queue executes in
 * order. So does the one with the longest chain before it, which decides about levels. So a removed pass adds orders in
 * proportion to the passes after it, not one for each pair of a pass before and a pass after it.
 */
public final class LiveOrders {
    /** Up to this number of passes before a removed one are named each. */
    private static final int FEW = 16;

    private static final int[] NONE = {};

    private final DeclaredGraph graph;
    /** Longest chain before each pass, -1 for removed ones. */
    private final int[] level;

    private final int[] queue;
    private final int queues;
    /** By removed pass those that stand for all before it; made for the first one that comes after others. */
    private int[][] standing = {};
    /** By pass the removed one, counted from 1, that it was last found to come before. */
    private int[] foundFor = {};
    /** Of the passes before this one it is known what stands for those before them. */
    private int known;

    private final IntList found = new IntList(4);

    /**
     * Orders of a graph.
     *
     * @param level -1 for passes that were removed; those before a pass that is asked for are known
     * @param queue queue of each pass that was not removed
     */
    public LiveOrders(DeclaredGraph graph, int[] level, int[] queue, int queues) {
        this.graph = graph;
        this.level = level;
        this.queue = queue;
        this.queues = queues;
    }

    /**
     * Returns the passes that a pass comes after, and those that stand for all before removed ones that it comes after.
     * Valid until the next call. A pass may be in it twice. Asked in the order of the passes.
     */
    public IntList before(int pass) {
        for (; known < pass; known++) {
            if (level[known] < 0 && graph.firstAfter(known) < graph.firstAfter(known + 1)) {
                sum(known);
            }
        }
        found.clear();
        for (int at = graph.firstAfter(pass), end = graph.firstAfter(pass + 1); at < end; at++) {
            int earlier = graph.after(at);
            if (level[earlier] >= 0) {
                found.add(earlier);
            } else {
                for (int stands : standing.length == 0 ? NONE : standing[earlier]) {
                    found.add(stands);
                }
            }
        }
        return found;
    }

    private void sum(int removed) {
        if (standing.length == 0) {
            standing = new int[level.length][];
            Arrays.fill(standing, NONE);
            foundFor = new int[level.length];
        }
        found.clear();
        for (int at = graph.firstAfter(removed), end = graph.firstAfter(removed + 1); at < end; at++) {
            int earlier = graph.after(at);
            if (level[earlier] >= 0) {
                find(earlier, removed);
            } else {
                for (int stands : standing[earlier]) {
                    find(stands, removed);
                }
            }
        }
        standing[removed] = found.size() > FEW ? lastOfQueues() : found.toArray();
    }

    private void find(int pass, int removed) {
        if (foundFor[pass] != removed + 1) {
            foundFor[pass] = removed + 1;
            found.add(pass);
        }
    }

    /** Returns of those found the last of each queue and the one with the longest chain before it. */
    private int[] lastOfQueues() {
        int[] last = new int[queues];
        Arrays.fill(last, -1);
        int deepest = found.get(0);
        for (int i = 0; i < found.size(); i++) {
            int pass = found.get(i);
            last[queue[pass]] = Math.max(last[queue[pass]], pass);
            deepest = level[pass] > level[deepest] ? pass : deepest;
        }
        found.clear();
        found.add(deepest);
        for (int pass : last) {
            if (pass >= 0 && pass != deepest) {
                found.add(pass);
            }
        }
        return found.toArray();
    }
}
