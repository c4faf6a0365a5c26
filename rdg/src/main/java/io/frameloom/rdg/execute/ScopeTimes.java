package io.frameloom.rdg.execute;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics.ScopeTime;
import java.util.ArrayList;
import java.util.List;

/** The times of scopes, from the timestamps that their passes write anyway. */
final class ScopeTimes {
    private ScopeTimes() {}

    /** Returns the times of the scopes in which a pass wrote its timestamps; two for each pass in {@code nanos}. */
    static List<ScopeTime> of(FramePlan plan, long[] nanos) {
        int count = plan.scopes().size();
        if (count == 0) {
            return List.of();
        }
        long[] start = new long[count];
        long[] end = new long[count];
        long[] busy = new long[count];
        int[] passes = new int[count];
        for (FramePlan.PassPlan pass : plan.passes()) {
            if (pass.scope() < 0 || 2 * pass.index() + 1 >= nanos.length) {
                continue;
            }
            long from = nanos[2 * pass.index()];
            long to = nanos[2 * pass.index() + 1];
            if (from == Long.MIN_VALUE || to == Long.MIN_VALUE) {
                continue;
            }
            for (int s = pass.scope(); s >= 0; s = plan.scopes().get(s).parent()) {
                start[s] = passes[s] == 0 ? from : Math.min(start[s], from);
                end[s] = passes[s] == 0 ? to : Math.max(end[s], to);
                busy[s] += Math.max(0, to - from);
                passes[s]++;
            }
        }
        List<ScopeTime> result = new ArrayList<>(count);
        String[] path = new String[count];
        int[] depth = new int[count];
        for (FramePlan.ScopePlan scope : plan.scopes()) {
            int s = scope.index();
            int parent = scope.parent();
            path[s] = parent < 0 ? scope.name() : path[parent] + "/" + scope.name();
            depth[s] = parent < 0 ? 0 : depth[parent] + 1;
            if (passes[s] > 0) {
                result.add(
                        new ScopeTime(path[s], depth[s], passes[s], start[s], Math.max(0, end[s] - start[s]), busy[s]));
            }
        }
        return result;
    }
}
