package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.PlanDerivation.DependencyKind;
import io.frameloom.rdg.WaitStageScope;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.tools.file.PairFacts;
import io.frameloom.rdg.tools.file.PlanNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What runs, after what, on which queue, and who waits for whom. */
final class OrderFacts {
    private final FramePlan plan;
    private final PlanNames names;
    private final PlanClocks clocks;

    OrderFacts(FramePlan plan, PlanNames names, PlanClocks clocks) {
        this.plan = plan;
        this.names = names;
        this.clocks = clocks;
    }

    void add(Map<String, Object> facts) {
        passes(facts);
        facts.put("hazards", hazards());
        facts.put("syncs", acrossQueues(true).map(this::pair).toList());
        facts.put("culledSyncs", acrossQueues(false).map(this::pair).toList());
        // Of each of the culled waits those that imply it, in the same order.
        facts.put(
                "culledSyncsBy",
                acrossQueues(false)
                        .map(dependency -> clocks.implying(dependency).stream()
                                .map(wait -> List.of(names.pass(wait.from()), names.pass(wait.to())))
                                .toList())
                        .toList());
        if (plan.options().policy().waitStageScope() == WaitStageScope.EXACT) {
            facts.put("syncsNarrow", acrossQueues(true).map(this::pair).toList());
        }
        batches(facts);
        facts.put("kindSwitches", plan.kindSwitches());
        if (!plan.scheduleRefusal().isEmpty()) {
            facts.put("scheduleRefusal", plan.scheduleRefusal());
        }
    }

    private void passes(Map<String, Object> facts) {
        Map<String, String> culled = new LinkedHashMap<>();
        Map<String, Integer> levels = new LinkedHashMap<>();
        Map<String, Map<String, String>> known = new LinkedHashMap<>();
        for (PassPlan pass : plan.passes()) {
            if (pass.culled()) {
                culled.put(names.pass(pass.index()), pass.cullReason());
            }
            if (pass.level() >= 0) {
                levels.put(names.pass(pass.index()), pass.level());
                known.put(names.pass(pass.index()), known(pass.index()));
            }
        }
        int count = levels.values().stream().mapToInt(level -> level + 1).max().orElse(0);
        facts.put("culled", List.copyOf(culled.keySet()));
        facts.put("cullReasons", culled);
        facts.put("levels", levels);
        facts.put("levelCount", count);
        facts.put("criticalPath", count);
        facts.put("ssis", known);
    }

    /** By queue the last pass that a pass knows to be complete. */
    private Map<String, String> known(int pass) {
        Map<String, String> known = new LinkedHashMap<>();
        for (int q = 0; q < plan.queues().queues().size(); q++) {
            int last = clocks.known(pass, q);
            if (last >= 0) {
                known.put(names.queue(q), names.pass(last));
            }
        }
        return known;
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
                    result.add(List.of(names.pass(dependency.from()), names.pass(dependency.to()), code));
                }
            }
        }
        return result;
    }

    /** Returns the dependencies that no longer way implies. */
    static List<List<String>> reduced(FramePlan plan, PlanNames names) {
        int passes = plan.passes().size();
        List<List<Integer>> sources = PairFacts.lists(passes);
        plan.dependencies().forEach(dependency -> sources.get(dependency.to()).add(dependency.from()));
        // Dependencies point forwards.
        return PairFacts.reduced(IntStream.range(0, passes).toArray(), sources, names::pass);
    }

    private Stream<Dependency> acrossQueues(boolean waited) {
        return plan.dependencies().stream()
                .filter(dependency -> dependency.crossQueue() && dependency.waited() == waited);
    }

    private List<String> pair(Dependency dependency) {
        return List.of(names.pass(dependency.from()), names.pass(dependency.to()));
    }

    /** Passes in order of submission, those of one batch after the other, and the waits between batches. */
    private void batches(Map<String, Object> facts) {
        List<String> order = new ArrayList<>();
        Map<String, List<List<String>>> batches = new LinkedHashMap<>();
        List<List<String>> syncs = new ArrayList<>();
        List<Map<String, Object>> waits = new ArrayList<>();
        for (Batch batch : plan.batches()) {
            batches.computeIfAbsent(names.queue(batch.queue()), queue -> new ArrayList<>())
                    .add(names.passes(batch.passes()));
            batch.passes().stream()
                    .filter(pass -> plan.passes().get(pass).level() >= 0)
                    .forEach(pass -> order.add(names.pass(pass)));
            for (BatchWait wait : batch.waits()) {
                List<Integer> source = plan.batches().get(wait.batch()).passes();
                String after = names.pass(source.get(source.size() - 1));
                String before = names.pass(batch.passes().get(0));
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("after", after);
                row.put("before", before);
                row.put("stages", StateFacts.stageNames(wait.stages()));
                row.put("reason", wait.reason());
                waits.add(row);
                syncs.add(List.of(after, before));
            }
        }
        facts.put("order", order);
        facts.put("batches", batches);
        facts.put(
                "signals", (int) plan.batches().stream().filter(Batch::signals).count());
        facts.put("waits", plan.waitCount());
        facts.put("crossQueueSyncs", syncs);
        facts.put("waitStages", waits);
    }
}
