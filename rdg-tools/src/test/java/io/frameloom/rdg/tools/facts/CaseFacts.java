package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.PlanDerivation.AsyncRegion;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.tools.file.FileGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What cases of the form {@code rdg-case/1} expect and no plan holds: numbers of other engines, counts of barriers with waits,
 * an optimum, and the waits that dependencies alone would take.
 */
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
     * @param file the case
     */
    public static Map<String, Object> of(FramePlan plan, FramePlan hoisted, FileGraph file) {
        Map<String, Object> facts = new LinkedHashMap<>();
        PlanClocks clocks = new PlanClocks(plan);
        facts.put("culledUe4", new UnrealCulling(plan).culled());
        new CaseBarrierCounts(plan, clocks).add(facts);
        new BoundaryFacts(plan).add(facts);
        facts.put("barrierHost", new CaseFacts(hoisted).hosts());
        facts.put("joinFencesUe", new CaseFacts(plan).joinFences());
        optimum(
                plan,
                clocks,
                file.resources.stream().mapToLong(resource -> resource.align).toArray(),
                facts);
        new CaseFacts(plan).dependencies(new DependencyOrder(plan, hostQueues(file)), facts);
        return facts;
    }

    /** Returns the targets that a case means to load though it gives no layout in which they come. */
    public static Set<String> loadedTargets(FramePlan plan, FileGraph file) {
        return new LoadedTargets(plan, file).names();
    }

    private static Map<String, String> hostQueues(FileGraph file) {
        Map<String, String> queues = new LinkedHashMap<>();
        for (FileGraph.Pass pass : file.passes) {
            if (pass.kind == FileGraph.Kind.HOST && pass.queue != null) {
                queues.put(pass.id, pass.queue.text());
            }
        }
        return queues;
    }

    /** Cases have no nodes for changes of layout among passes, and passes of the host on queues of the device. */
    private void dependencies(DependencyOrder order, Map<String, Object> facts) {
        facts.put("syncs", pairs(order.syncs(true)));
        facts.put("culledSyncs", pairs(order.syncs(false)));
        facts.put("waits", order.syncs(true).size());
        facts.put("signals", order.signals());
        Map<String, Object> batches = new LinkedHashMap<>();
        Map<String, Map<String, String>> known = new LinkedHashMap<>();
        plan.passes().stream()
                .filter(pass -> pass.level() >= 0)
                .forEach(pass -> known.put(pass.name(), new LinkedHashMap<>()));
        for (int q = 0; q < plan.queues().queues().size(); q++) {
            String queue = plan.queues().queues().get(q).name();
            batches.put(
                    queue,
                    order.batches(q).stream()
                            .map(batch -> batch.stream().map(this::name).toList())
                            .toList());
            for (PassPlan pass : plan.passes()) {
                int last = pass.level() < 0 ? -1 : order.known(pass.index(), q);
                if (last >= 0) {
                    Objects.requireNonNull(known.get(pass.name())).put(queue, name(last));
                }
            }
        }
        facts.put("batches", batches);
        facts.put("ssis", known);
    }

    private List<List<String>> pairs(List<Dependency> dependencies) {
        return dependencies.stream()
                .map(dependency -> List.of(name(dependency.from()), name(dependency.to())))
                .toList();
    }

    /** By resource the pass that carries its last barrier. */
    private Map<String, String> hosts() {
        Map<String, String> hosts = new LinkedHashMap<>();
        plan.batches().stream()
                .flatMap(batch -> batch.passes().stream())
                .map(plan.passes()::get)
                .forEach(pass -> Stream.concat(pass.before().stream(), pass.after().stream())
                        .forEach(barrier -> hosts.put(
                                plan.resources().get(barrier.resource()).name(), pass.name())));
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
                result.add(List.of(name(region.pass()), last || region.join() < 0 ? EPILOGUE : name(region.join())));
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
