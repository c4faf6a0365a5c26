package io.frameloom.rdg.async;

import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.compile.plan.PlanStructure;
import java.util.Arrays;
import java.util.List;

/**
 * How long a frame takes if a pass starts as soon as the pass before it on its queue and all that it depends on have
 * ended. It assumes that passes at the same time slow each other down no more than when they were measured, and that
 * waits cost nothing. So a region gains by running beside graphics at most what this says. One thread at a time.
 */
public final class CriticalPath {
    private final int[] planned;
    private final int[] firstBefore;
    private final int[] before;
    private final long[] end;
    private final long[] free;

    /** The model of a plan. */
    public CriticalPath(PlanStructure structure) {
        List<PassPlan> passes = structure.passes();
        int count = structure.declaredPasses();
        planned = new int[count];
        for (int p = 0; p < count; p++) {
            planned[p] = passes.get(p).queue();
        }
        List<Dependency> dependencies = structure.arrays().dependencies();
        firstBefore = new int[count + 1];
        for (Dependency dependency : dependencies) {
            firstBefore[dependency.to() + 1]++;
        }
        for (int p = 0; p < count; p++) {
            firstBefore[p + 1] += firstBefore[p];
        }
        before = new int[dependencies.size()];
        int[] next = firstBefore.clone();
        for (Dependency dependency : dependencies) {
            before[next[dependency.to()]++] = dependency.from();
        }
        end = new long[count];
        free = new long[structure.queues().queues().size()];
    }

    /** Returns a copy of the queue of each declared pass of the plan, -1 for those that do not run. */
    public int[] queues() {
        return planned.clone();
    }

    /** Returns the time of a frame whose passes take {@code durations} on {@code queues}. */
    public long nanos(long[] durations, int[] queues) {
        Arrays.fill(free, 0);
        long last = 0;
        for (int p = 0; p < queues.length; p++) {
            end[p] = 0;
            if (queues[p] < 0) {
                continue;
            }
            long start = free[queues[p]];
            for (int e = firstBefore[p]; e < firstBefore[p + 1]; e++) {
                start = Math.max(start, end[before[e]]);
            }
            end[p] = start + durations[p];
            free[queues[p]] = end[p];
            last = Math.max(last, end[p]);
        }
        return last;
    }
}
