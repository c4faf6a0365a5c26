package io.frameloom.rdg.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.WaitStageScope;
import io.frameloom.rdg.file.FileGraph;
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
     * @param hoisted the plan of the same graph with its barriers hoisted
     * @param after by pass those that it was declared to come after
     */
    public static Map<String, Object> of(
            FramePlan plan, FramePlan hoisted, FileGraph file, IntFunction<List<Integer>> after) {
        PlanClocks clocks = new PlanClocks(plan);
        Map<String, Object> facts = new LinkedHashMap<>();
        DependencyOrder dependencies = new DependencyOrder(plan, file);
        new OrderFacts(plan, clocks, dependencies).add(facts);
        new UnrealCulling(plan).add(facts);
        TransitionFacts transitions = new TransitionFacts(plan, clocks);
        transitions.add(facts);
        new OrderPairs(plan, dependencies, transitions.changes(), after).add(facts);
        new TransitionOrder(plan).add(facts);
        new StateFacts(plan).add(facts, hoisted);
        new RenderPassFacts(plan, file).add(facts);
        new AsyncFacts(plan, clocks).add(facts);
        new MemoryFacts(plan, clocks, file).add(facts);
        new AliasPairs(plan, clocks).add(facts);
        new WarningFacts(plan, file).add(facts);
        if (plan.options().policy().waitStageScope() == WaitStageScope.EXACT) {
            new WaitFacts(plan).add(facts);
        }
        return facts;
    }
}
