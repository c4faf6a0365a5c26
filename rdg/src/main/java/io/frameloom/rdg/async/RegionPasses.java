package io.frameloom.rdg.async;

import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.PlanDerivation.AsyncRegion;
import io.frameloom.rdg.compile.plan.PlanStructure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The regions of a plan. A region is passes of one queue beside the graphics queue, one after the other, that fork
 * after the same graphics pass. Passes of the host are in none.
 *
 * @param passes passes of the plan in order, at least one
 * @param queue their queue
 * @param named whether they name that queue, so that no policy moves them
 */
public record RegionPasses(List<Integer> passes, int queue, boolean named) {
    /** Copies the list. */
    public RegionPasses {
        passes = List.copyOf(passes);
    }

    /** Returns the regions in the order of their first passes. */
    public static List<RegionPasses> of(PlanStructure structure) {
        List<List<Integer>> members = new ArrayList<>();
        Map<Integer, Integer> openByQueue = new HashMap<>();
        Map<Integer, Integer> forkByQueue = new HashMap<>();
        for (AsyncRegion each : structure.arrays().asyncRegions()) {
            PassPlan pass = structure.passes().get(each.pass());
            if (pass.queue() <= 0 || pass.queue() == structure.queues().host()) {
                continue;
            }
            Integer open = openByQueue.get(pass.queue());
            boolean joins = open != null
                    && forkByQueue.getOrDefault(pass.queue(), -1) == each.fork()
                    && isNamed(structure, each.pass())
                            == isNamed(structure, members.get(open).get(0));
            if (open == null || !joins) {
                open = members.size();
                members.add(new ArrayList<>());
                openByQueue.put(pass.queue(), open);
                forkByQueue.put(pass.queue(), each.fork());
            }
            members.get(open).add(each.pass());
        }
        List<RegionPasses> regions = new ArrayList<>(members.size());
        for (List<Integer> each : members) {
            int first = each.get(0);
            regions.add(new RegionPasses(each, structure.passes().get(first).queue(), isNamed(structure, first)));
        }
        return regions;
    }

    private static boolean isNamed(PlanStructure structure, int pass) {
        return structure.arrays().namedQueue(pass) >= 0;
    }
}
