package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PlanDerivation.AsyncRegion;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.tools.file.PairFacts;
import io.frameloom.rdg.tools.file.PlanNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Fork and join of the passes beside the graphics queue, in Unreal's vocabulary, and what really runs beside them. */
final class AsyncFacts {
    private static final String PROLOGUE = "<prologue>";
    private static final String EPILOGUE = "<epilogue>";
    private static final int MOST_PAIRS = 100_000;

    private final FramePlan plan;
    private final PlanNames names;
    private final PlanClocks clocks;

    AsyncFacts(FramePlan plan, PlanNames names, PlanClocks clocks) {
        this.plan = plan;
        this.names = names;
        this.clocks = clocks;
    }

    void add(Map<String, Object> facts) {
        Map<String, String> fork = new LinkedHashMap<>();
        Map<String, String> join = new LinkedHashMap<>();
        Set<String> forks = new LinkedHashSet<>();
        // The first pass of those with one fork waits for it.
        List<List<String>> fences = new ArrayList<>();
        int former = -1;
        for (AsyncRegion region : plan.asyncRegions()) {
            String pass = names.pass(region.pass());
            fork.put(pass, begin(region));
            join.put(pass, end(region));
            if (region.fork() >= 0) {
                forks.add(begin(region));
                if (region.fork() != former) {
                    fences.add(List.of(begin(region), pass));
                }
            }
            former = region.fork();
        }
        facts.put("fork", fork);
        facts.put("join", join);
        facts.put("forks", List.copyOf(forks));
        facts.put("forkFences", fences);
        overlaps(facts);
        facts.put("endOfFrameJoin", endOfFrame());
        facts.put("extendedLifetime", extendedLifetimes());
    }

    /** Passes of other queues that neither precede nor follow: on each queue those between two places. */
    private void overlaps(Map<String, Object> facts) {
        Map<String, List<String>> result = new LinkedHashMap<>();
        long pairs = 0;
        for (AsyncRegion region : plan.asyncRegions()) {
            int own = plan.passes().get(region.pass()).queue();
            List<String> beside = new ArrayList<>();
            for (int q = 0; q < plan.queues().queues().size(); q++) {
                int from = q == own ? 0 : clocks.firstBeside(q, region.pass());
                int to = q == own ? 0 : clocks.firstAfter(q, region.pass());
                pairs += to - from;
                for (int i = from; i < to && pairs <= MOST_PAIRS; i++) {
                    if (plan.passes().get(clocks.pass(q, i)).level() >= 0) {
                        beside.add(names.pass(clocks.pass(q, i)));
                    }
                }
            }
            result.put(names.pass(region.pass()), beside);
        }
        if (pairs <= MOST_PAIRS) {
            facts.put("overlapsWith", result);
        } else {
            PairFacts.leftOut(facts, "overlapsWith", "more than " + MOST_PAIRS + " pairs of passes run side by side");
        }
    }

    /** Last passes of queues that the graphics queue has not waited for. */
    private List<String> endOfFrame() {
        List<String> result = new ArrayList<>();
        int graphics = clocks.count(0);
        for (int q = 1; q < plan.queues().queues().size(); q++) {
            int own = clocks.count(q);
            if (own > 0 && (graphics == 0 || !clocks.precedes(clocks.pass(q, own - 1), clocks.pass(0, graphics - 1)))) {
                result.add(names.pass(clocks.pass(q, own - 1)));
            }
        }
        return result;
    }

    /** What passes beside the graphics queue use lives from their fork to their join. */
    private Map<String, List<String>> extendedLifetimes() {
        Map<String, List<String>> result = new LinkedHashMap<>();
        for (AsyncRegion region : plan.asyncRegions()) {
            for (FramePlan.UsePlan use : plan.passes().get(region.pass()).uses()) {
                if (plan.resources().get(use.resource()).heap() >= 0) {
                    result.put(names.resource(use.resource()), List.of(begin(region), end(region)));
                }
            }
        }
        return result;
    }

    private String begin(AsyncRegion region) {
        return region.fork() < 0 ? PROLOGUE : names.pass(region.fork());
    }

    private String end(AsyncRegion region) {
        return region.join() < 0 ? EPILOGUE : names.pass(region.join());
    }
}
