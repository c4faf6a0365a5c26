package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.PlanDerivation.DependencyKind;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.explain.WaitChains;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What runs, after what, on which queue, and who waits for whom. */
final class OrderFacts {
    private final FramePlan plan;
    private final PlanClocks clocks;
    private final DependencyOrder dependencies;

    OrderFacts(FramePlan plan, PlanClocks clocks, DependencyOrder dependencies) {
        this.plan = plan;
        this.clocks = clocks;
        this.dependencies = dependencies;
    }

    void add(Map<String, Object> facts) {
        facts.put("culled", names(PassPlan::culled));
        facts.put("order", order());
        facts.put("hazards", hazards());
        facts.put("reduced", reduced());
        levels(facts);
        facts.put("syncs", syncs(true));
        facts.put("culledSyncs", syncs(false));
        facts.put("culledSyncsBy", culledSyncsBy());
        facts.put("crossQueueSyncs", crossQueueSyncs());
        facts.put("ssis", ssis());
        facts.put("batches", batches());
        facts.put("signals", dependencies.signals());
        facts.put("waits", dependencies.syncs(true).size());
        facts.put("kindSwitches", plan.kindSwitches());
        if (!plan.scheduleRefusal().isEmpty()) {
            facts.put("scheduleRefusal", plan.scheduleRefusal());
        }
    }

    private List<String> names(Predicate<PassPlan> filter) {
        return plan.passes().stream().filter(filter).map(PassPlan::name).toList();
    }

    /** The passes in order of submission, those of one batch after the other. */
    private List<String> order() {
        List<String> result = new ArrayList<>();
        for (Batch batch : plan.batches()) {
            for (int pass : batch.passes()) {
                if (plan.passes().get(pass).level() >= 0) {
                    result.add(name(pass));
                }
            }
        }
        return result;
    }

    private List<List<String>> hazards() {
        List<List<String>> result = new ArrayList<>();
        for (Dependency dependency : plan.dependencies()) {
            for (DependencyKind kind : dependency.kinds()) {
                String code = switch (kind) {
                    case READ_AFTER_WRITE -> "RAW";
                    case WRITE_AFTER_READ -> "WAR";
                    case WRITE_AFTER_WRITE -> "WAW";
                    case LAYOUT, DECLARED -> "";
                };
                if (!code.isEmpty()) {
                    result.add(List.of(name(dependency.from()), name(dependency.to()), code));
                }
            }
        }
        return result;
    }

    /** The transitive reduction of the dependencies: an edge goes if a longer way leads from its start to its end. */
    private List<List<String>> reduced() {
        int passes = plan.passes().size();
        List<List<Integer>> before = new ArrayList<>();
        for (int p = 0; p < passes; p++) {
            before.add(new ArrayList<>(2));
        }
        for (Dependency dependency : plan.dependencies()) {
            before.get(dependency.to()).add(dependency.from());
        }
        // Dependencies point forwards, so that what is behind a pass is known when it is reached.
        BitSet[] reached = new BitSet[passes];
        List<List<String>> result = new ArrayList<>();
        for (int p = 0; p < passes; p++) {
            reached[p] = new BitSet();
            List<Integer> sources = before.get(p);
            for (int source : sources) {
                reached[p].or(reached[source]);
            }
            for (int source : sources) {
                if (!reached[p].get(source)) {
                    result.add(List.of(name(source), name(p)));
                }
            }
            sources.forEach(reached[p]::set);
        }
        return result;
    }

    private void levels(Map<String, Object> facts) {
        Map<String, Integer> levels = new LinkedHashMap<>();
        int count = 0;
        for (PassPlan pass : plan.passes()) {
            if (pass.level() >= 0) {
                levels.put(pass.name(), pass.level());
                count = Math.max(count, pass.level() + 1);
            }
        }
        facts.put("levels", levels);
        facts.put("levelCount", count);
        facts.put("criticalPath", count);
    }

    private List<List<String>> syncs(boolean waited) {
        return dependencies.syncs(waited).stream()
                .map(dependency -> List.of(name(dependency.from()), name(dependency.to())))
                .toList();
    }

    /** Of each of the culled waits those that imply it, in the same order. */
    private List<List<List<String>>> culledSyncsBy() {
        WaitChains chains = new WaitChains(plan, clocks);
        return dependencies.syncs(false).stream()
                .map(dependency -> chains.implying(dependency).stream()
                        .map(wait -> List.of(name(wait.from()), name(wait.to())))
                        .toList())
                .toList();
    }

    /** The waits between batches, with the passes that the compiler added for changes of layout as nodes. */
    private List<List<String>> crossQueueSyncs() {
        List<List<String>> result = new ArrayList<>();
        for (Batch batch : plan.batches()) {
            for (FramePlan.BatchWait wait : batch.waits()) {
                List<Integer> source = plan.batches().get(wait.batch()).passes();
                result.add(List.of(
                        name(source.get(source.size() - 1)), name(batch.passes().get(0))));
            }
        }
        return result;
    }

    private Map<String, Map<String, String>> ssis() {
        Map<String, Map<String, String>> result = new LinkedHashMap<>();
        for (PassPlan pass : plan.passes()) {
            if (pass.level() >= 0) {
                Map<String, String> known = new LinkedHashMap<>();
                for (int q = 0; q < plan.queues().queues().size(); q++) {
                    int last = dependencies.known(pass.index(), q);
                    if (last >= 0) {
                        known.put(plan.queues().queues().get(q).name(), name(last));
                    }
                }
                result.put(name(pass.index()), known);
            }
        }
        return result;
    }

    private Map<String, List<List<String>>> batches() {
        Map<String, List<List<String>>> result = new LinkedHashMap<>();
        for (int q = 0; q < plan.queues().queues().size(); q++) {
            List<List<String>> own = dependencies.batches(q).stream()
                    .map(batch -> batch.stream().map(this::name).toList())
                    .toList();
            if (!own.isEmpty()) {
                result.put(plan.queues().queues().get(q).name(), own);
            }
        }
        return result;
    }

    /** Added passes are called {@code transition:x}; in files the node of a change of layout is {@code T:x}. */
    private String name(int pass) {
        String name = plan.passes().get(pass).name();
        return plan.passes().get(pass).level() < 0 && !plan.passes().get(pass).culled()
                ? name.replaceFirst("^transition:", "T:")
                : name;
    }
}
