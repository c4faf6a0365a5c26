package io.frameloom.rdg.async;

import io.frameloom.rdg.AsyncGains;
import io.frameloom.rdg.AsyncGains.Region;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.FrameStatistics.PassTime;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.compile.plan.PlanStructure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Finds what one frame has gained by the passes beside the graphics queue. */
public final class GainsOfFrame {
    private record Draft(List<Integer> passes, int beside, OptionalLong measured, String decision) {}

    private final FramePlan plan;
    private final PlanStructure structure;
    private final CriticalPath path;
    private final long[] start;
    private final long[] nanos;
    private final int[] queue;
    private final long frameNanos;
    private final List<Draft> drafts = new ArrayList<>();
    /** By pass the region that it is in, or -1. */
    private final int[] regionOf;

    /**
     * Returns what a frame has gained.
     *
     * @param structure that of its plan
     * @param decision which passes run beside the graphics queue, or null if that is not measured
     */
    public static AsyncGains of(
            FramePlan plan, PlanStructure structure, @Nullable AsyncDecision decision, FrameStatistics statistics) {
        return new GainsOfFrame(plan, structure, statistics).gains(decision == null ? List.of() : decision.regions());
    }

    private GainsOfFrame(FramePlan plan, PlanStructure structure, FrameStatistics statistics) {
        this.plan = plan;
        this.structure = structure;
        path = new CriticalPath(structure);
        queue = path.queues();
        start = new long[queue.length];
        nanos = new long[queue.length];
        regionOf = new int[queue.length];
        Arrays.fill(regionOf, -1);
        frameNanos = statistics.gpuNanos();
        take(statistics);
    }

    /** Times are in order of submission, so that of passes with one name on one queue the first has the first time. */
    private void take(FrameStatistics statistics) {
        Map<List<String>, Deque<Integer>> expected = new HashMap<>();
        plan.batches()
                .forEach(batch -> batch.passes()
                        .forEach(pass -> expected.computeIfAbsent(
                                        List.of(plan.passes().get(pass).name(), queueName(batch.queue())),
                                        unused -> new ArrayDeque<>())
                                .add(pass)));
        for (PassTime time : statistics.passTimes()) {
            Deque<Integer> candidates = expected.get(List.of(time.pass(), time.queue()));
            Integer pass = candidates == null ? null : candidates.poll();
            if (pass != null && pass < nanos.length) {
                start[pass] = time.startNanos();
                nanos[pass] = time.nanos();
            }
        }
    }

    private AsyncGains gains(List<RegionDecision> decisions) {
        for (RegionDecision decision : decisions) {
            List<Integer> passes = new ArrayList<>();
            for (int declared : decision.passes()) {
                int pass = structure.planIndex(declared);
                if (queue[pass] >= 0) {
                    passes.add(pass);
                }
            }
            OptionalLong measured = decision.measuredNanos() == RegionDecision.UNKNOWN
                    ? OptionalLong.empty()
                    : OptionalLong.of(decision.measuredNanos());
            take(new Draft(passes, decision.queue(), measured, decision.reason()));
        }
        for (RegionPasses each : RegionPasses.of(structure)) {
            List<Integer> passes = new ArrayList<>(each.passes());
            passes.removeIf(pass -> regionOf[pass] >= 0);
            take(new Draft(passes, each.queue(), OptionalLong.empty(), ""));
        }
        drafts.sort(Comparator.comparing(draft -> draft.passes.get(0)));
        for (int r = 0; r < drafts.size(); r++) {
            for (int pass : drafts.get(r).passes) {
                regionOf[pass] = r;
            }
        }
        int[] fork = new int[drafts.size()];
        int[] join = new int[drafts.size()];
        Arrays.fill(fork, -1);
        Arrays.fill(join, Integer.MAX_VALUE);
        for (Dependency dependency : plan.dependencies()) {
            int from = dependency.from();
            int to = dependency.to();
            if (regionOf[from] == regionOf[to]) {
                continue;
            }
            if (regionOf[to] >= 0 && queue[from] == 0) {
                fork[regionOf[to]] = Math.max(fork[regionOf[to]], from);
            }
            if (regionOf[from] >= 0 && queue[to] == 0) {
                join[regionOf[from]] = Math.min(join[regionOf[from]], to);
            }
        }
        List<Region> regions = new ArrayList<>(drafts.size());
        for (int r = 0; r < drafts.size(); r++) {
            String before = fork[r] < 0 ? "" : name(fork[r]);
            regions.add(region(drafts.get(r), before, join[r] == Integer.MAX_VALUE ? "" : name(join[r])));
        }
        return new AsyncGains(frameNanos, path.nanos(nanos, queue), path.nanos(nanos, serial()), regions);
    }

    private void take(Draft draft) {
        if (!draft.passes.isEmpty()) {
            draft.passes.forEach(pass -> regionOf[pass] = drafts.size());
            drafts.add(draft);
        }
    }

    private int[] serial() {
        int[] serial = queue.clone();
        int host = structure.queues().host();
        for (int p = 0; p < serial.length; p++) {
            serial[p] = serial[p] < 0 || serial[p] == host ? serial[p] : 0;
        }
        return serial;
    }

    private Region region(Draft draft, String fork, String join) {
        List<String> names = new ArrayList<>(draft.passes.size());
        long sum = 0;
        long overlapped = 0;
        int[] moved = queue.clone();
        for (int pass : draft.passes) {
            names.add(name(pass));
            sum += nanos[pass];
            overlapped += overlapped(pass);
            moved[pass] = 0;
        }
        long serial = path.nanos(nanos, moved);
        draft.passes.forEach(pass -> moved[pass] = draft.beside);
        long predicted = serial - path.nanos(nanos, moved);
        int on = queue[draft.passes.get(0)];
        return new Region(
                names, queueName(on), on > 0, fork, join, sum, overlapped, predicted, draft.measured, draft.decision);
    }

    /** Returns how much of a pass's time another queue of the device ran passes as well. */
    private long overlapped(int pass) {
        List<long[]> others = new ArrayList<>();
        for (int p = 0; p < queue.length; p++) {
            long from = Math.max(start[p], start[pass]);
            long to = Math.min(start[p] + nanos[p], start[pass] + nanos[pass]);
            if (queue[p] >= 0 && queue[p] != structure.queues().host() && queue[p] != queue[pass] && from < to) {
                others.add(new long[] {from, to});
            }
        }
        others.sort((one, other) -> Long.compare(one[0], other[0]));
        long overlapped = 0;
        long until = Long.MIN_VALUE;
        for (long[] other : others) {
            overlapped += Math.max(0, other[1] - Math.max(other[0], until));
            until = Math.max(until, other[1]);
        }
        return overlapped;
    }

    private String name(int pass) {
        return plan.passes().get(pass).name();
    }

    private String queueName(int index) {
        return plan.queues().queues().get(index).name();
    }
}
