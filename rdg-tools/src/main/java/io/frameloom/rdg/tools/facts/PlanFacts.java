package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.WaitStageScope;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.tools.file.FileGraph;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Everything that a plan says, by the keys of the form {@code rdg-case/1}. */
public final class PlanFacts {
    private PlanFacts() {}

    /**
     * Returns the facts of a plan of a file's graph: maps, lists, strings, numbers and booleans.
     *
     * @param after by pass those that it was declared to come after
     */
    public static Map<String, Object> of(
            FramePlan plan, FileGraph file, IntFunction<List<Integer>> after) {
        PlanClocks clocks = new PlanClocks(plan);
        Map<String, Object> facts = new LinkedHashMap<>();
        new OrderFacts(plan, clocks).add(facts);
        TransitionFacts transitions = new TransitionFacts(plan, clocks);
        transitions.add(facts);
        new OrderPairs(plan, clocks, transitions.changes(), after).add(facts);
        new TransitionOrder(plan).add(facts);
        new StateFacts(plan).add(facts);
        new RenderPassFacts(plan, file).add(facts);
        new AsyncFacts(plan, clocks).add(facts);
        new MemoryFacts(plan, clocks).add(facts);
        new AliasPairs(plan, clocks).add(facts);
        new WarningFacts(plan, file).add(facts);
        if (plan.options().policy().waitStageScope() == WaitStageScope.EXACT) {
            new WaitFacts(plan).add(facts);
        }
        return facts;
    }

    /** Returns the warnings of a plan of a file's graph in words, but for removed passes. */
    public static List<String> warnings(FramePlan plan, FileGraph file) {
        return new WarningFacts(plan, file)
                .rows().stream()
                        .filter(row -> !PlanWarning.Code.CULLED_PASS.name().equals(row.get("code")))
                        .map(row -> String.valueOf(row.get("message")))
                        .toList();
    }
}
