package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.tools.file.FileGraph;
import io.frameloom.rdg.tools.file.PlanNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** What a plan says: maps, lists, strings, numbers and booleans by key. Names are those of {@code rdg-case/1} where it has one. */
public final class PlanFacts {
    private PlanFacts() {}

    /** Returns what the compiler decided, and why. */
    public static Map<String, Object> of(FramePlan plan, PlanNames names) {
        return decided(plan, names, new PlanClocks(plan));
    }

    /**
     * Returns the facts of a plan of a file's graph: also the pairs of passes and resources that it orders or leaves free.
     *
     * @param after by pass those that it was declared to come after
     */
    public static Map<String, Object> of(FramePlan plan, FileGraph file, IntFunction<List<Integer>> after) {
        PlanNames names = new PlanNames(plan);
        PlanClocks clocks = new PlanClocks(plan);
        Map<String, Object> facts = decided(plan, names, clocks);
        facts.put("reduced", OrderFacts.reduced(plan, names));
        TransitionFacts transitions = new TransitionFacts(plan, names, clocks);
        transitions.add(facts);
        new OrderPairs(plan, names, clocks, transitions.changes(), after).add(facts);
        new AliasPairs(plan, names, clocks).add(facts);
        facts.put("warnings", new WarningFacts(plan, file).rows());
        return facts;
    }

    private static Map<String, Object> decided(FramePlan plan, PlanNames names, PlanClocks clocks) {
        Map<String, Object> facts = new LinkedHashMap<>();
        new OrderFacts(plan, names, clocks).add(facts);
        new StateFacts(plan, names).add(facts);
        new BarrierFacts(plan, names, clocks).add(facts);
        new RenderPassFacts(plan, names).add(facts);
        new AsyncFacts(plan, names, clocks).add(facts);
        new MemoryFacts(plan, names, clocks).add(facts);
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
