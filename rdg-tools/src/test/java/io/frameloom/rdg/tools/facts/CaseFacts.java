package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PlanDerivation.AsyncRegion;
import io.frameloom.rdg.explain.PlanClocks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What cases of the form {@code rdg-case/1} expect and no plan holds: numbers of other engines, counts with waits, an optimum. */
public final class CaseFacts {
    private static final String EPILOGUE = "<epilogue>";

    private final FramePlan plan;

    private CaseFacts(FramePlan plan) {
        this.plan = plan;
    }

    /**
     * Returns the facts by the keys of cases.
     *
     * @param hoisted the plan of the same graph with its barriers hoisted
     * @param alignments of all resources of the plan
     */
    public static Map<String, Object> of(FramePlan plan, FramePlan hoisted, long[] alignments) {
        Map<String, Object> facts = new LinkedHashMap<>();
        PlanClocks clocks = new PlanClocks(plan);
        facts.put("culledUe4", new UnrealCulling(plan).culled());
        new CaseBarrierCounts(plan, clocks).add(facts);
        new BoundaryFacts(plan).add(facts);
        facts.put("barrierHost", new CaseFacts(hoisted).hosts());
        facts.put("joinFencesUe", new CaseFacts(plan).joinFences());
        optimum(plan, clocks, alignments, facts);
        return facts;
    }

    /** By resource the pass that carries its last barrier. */
    private Map<String, String> hosts() {
        Map<String, String> hosts = new LinkedHashMap<>();
        plan.batches().stream()
                .flatMap(batch -> batch.passes().stream())
                .map(plan.passes()::get)
                .forEach(pass -> Stream.concat(pass.before().stream(), pass.after().stream())
                        .forEach(barrier ->
                                hosts.put(plan.resources().get(barrier.resource()).name(), pass.name())));
        return hosts;
    }

    /** Unreal 4.26 emits a join when the next region has another one, and the last one at the end of the frame. */
    private List<List<String>> joinFences() {
        List<List<String>> result = new ArrayList<>();
        List<AsyncRegion> regions = plan.asyncRegions();
        for (int i = 0; i < regions.size(); i++) {
            AsyncRegion region = regions.get(i);
            boolean last = i + 1 == regions.size();
            if (last || regions.get(i + 1).join() != region.join()) {
                result.add(List.of(
                        name(region.pass()), last || region.join() < 0 ? EPILOGUE : name(region.join())));
            }
        }
        return result;
    }

    private String name(int pass) {
        return plan.passes().get(pass).name();
    }

    /** The fewest bytes that hold the transients; no fact if there are too many to try every placement. */
    private static void optimum(FramePlan plan, PlanClocks clocks, long[] alignments, Map<String, Object> facts) {
        long sum = 0;
        for (int heap = 0; heap < plan.heaps().size(); heap++) {
            OptionalLong fewest = ExactPlacement.of(plan, clocks, heap, alignments);
            if (fewest.isEmpty()) {
                return;
            }
            sum += fewest.getAsLong();
        }
        facts.put("optimum", sum);
    }
}
