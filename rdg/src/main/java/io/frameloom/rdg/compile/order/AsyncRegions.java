package io.frameloom.rdg.compile.order;

import java.util.Arrays;

/**
 * Between which passes of the graphics queue the passes of the other queues run. A pass forks at the latest graphics
 * pass that it, or one of its queue before it, depends on. It joins at the earliest graphics pass that depends on it or
 * on one of its queue after it. The vocabulary is Unreal's; waits do not follow from it, but from {@link
 * Synchronization}.
 */
public final class AsyncRegions {
    /** For each pass the graphics pass after which it may start, -1 for none or for a pass of the graphics queue. */
    public final int[] fork;
    /** For each pass the graphics pass before which it must be complete, -1 likewise. */
    public final int[] join;

    public AsyncRegions(int[] passQueue, int queueCount, int edges, int[] from, int[] to) {
        int passes = passQueue.length;
        fork = new int[passes];
        join = new int[passes];
        Arrays.fill(fork, -1);
        Arrays.fill(join, -1);
        for (int e = 0; e < edges; e++) {
            if (from[e] >= passes || to[e] >= passes) {
                continue;
            }
            if (passQueue[from[e]] == 0 && passQueue[to[e]] > 0) {
                fork[to[e]] = Math.max(fork[to[e]], from[e]);
            } else if (passQueue[from[e]] > 0 && passQueue[to[e]] == 0) {
                join[from[e]] = join[from[e]] < 0 ? to[e] : Math.min(join[from[e]], to[e]);
            }
        }
        for (int q = 1; q < queueCount; q++) {
            int latest = -1;
            for (int p = 0; p < passes; p++) {
                if (passQueue[p] == q) {
                    latest = Math.max(latest, fork[p]);
                    fork[p] = latest;
                }
            }
            int earliest = -1;
            for (int p = passes - 1; p >= 0; p--) {
                if (passQueue[p] == q) {
                    earliest = join[p] < 0 ? earliest : earliest < 0 ? join[p] : Math.min(earliest, join[p]);
                    join[p] = earliest;
                }
            }
        }
    }

    /** Returns for each pass whether another queue forks after it. */
    public boolean[] forks() {
        boolean[] forks = new boolean[fork.length];
        for (int pass : fork) {
            if (pass >= 0) {
                forks[pass] = true;
            }
        }
        return forks;
    }
}
