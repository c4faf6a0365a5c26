package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.RunFailedException;
import io.frameloom.taskgraph.RunProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which thread ran each node of a run, and for how long; one object for all runs of a compiled graph.
 *
 * <p>{@link #begin} by the thread that begins the run, {@link #ran} by the thread that ran the node, once per node,
 * inside the gate of the run, {@link #profile} by its last participant: the gate orders them.
 */
final class RunTimes {
    private static final int NONE = -1;

    private final GraphPlan plan;
    private final long[] nanos;
    private final @Nullable Thread[] threads;
    private long startNanos;

    RunTimes(GraphPlan plan) {
        this.plan = plan;
        nanos = new long[plan.nodes];
        threads = new Thread[plan.nodes];
    }

    void begin(long now) {
        startNanos = now;
        Arrays.fill(nanos, 0L);
        Arrays.fill(threads, null);
    }

    void ran(int node, long bodyNanos) {
        nanos[node] = bodyNanos;
        threads[node] = Thread.currentThread();
    }

    RunProfile profile(long now, @Nullable RunFailedException failure) {
        long busy = 0L;
        int ran = 0;
        List<Thread> distinct = new ArrayList<>();
        for (int node = 0; node < plan.nodes; node++) {
            Thread thread = threads[node];
            if (thread != null) {
                ran++;
                busy += nanos[node];
                if (!distinct.contains(thread)) {
                    distinct.add(thread);
                }
            }
        }
        long[] ends = new long[plan.nodes];
        int[] before = new int[plan.nodes];
        int last = longestPath(ends, before);
        List<String> path = new ArrayList<>();
        for (int node = last; node != NONE; node = before[node]) {
            if (threads[node] != null) {
                path.add(plan.name(node));
            }
        }
        Collections.reverse(path);
        Arrays.fill(threads, null);
        return new RunProfile(
                plan.name,
                plan.nodes,
                ran,
                distinct.size(),
                startNanos,
                now - startNanos,
                busy,
                last == NONE ? 0L : ends[last],
                path,
                failure);
    }

    /**
     * Computes the length of the longest path that ends with each node, and the node before it on that path.
     * One pass, as every prerequisite has a smaller number. Returns the node with which the longest ends.
     */
    private int longestPath(long[] ends, int[] before) {
        int last = NONE;
        for (int node = 0; node < plan.nodes; node++) {
            int longest = NONE;
            for (int edge = plan.prerequisiteStarts[node]; edge < plan.prerequisiteStarts[node + 1]; edge++) {
                int prerequisite = plan.prerequisites[edge];
                if (longest == NONE || ends[prerequisite] > ends[longest]) {
                    longest = prerequisite;
                }
            }
            before[node] = longest;
            ends[node] = nanos[node] + (longest == NONE ? 0L : ends[longest]);
            if (last == NONE || ends[node] >= ends[last]) {
                last = node;
            }
        }
        return last;
    }
}
