package io.frameloom.rdg.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.file.PairFacts;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Which passes are ordered by what they use, and which by nothing. */
final class OrderPairs {
    private final FramePlan plan;
    private final PlanClocks clocks;
    private final List<TransitionFacts.Change> changes;

    OrderPairs(FramePlan plan, PlanClocks clocks, List<TransitionFacts.Change> changes) {
        this.plan = plan;
        this.clocks = clocks;
        this.changes = changes;
    }

    void add(Map<String, Object> facts) {
        int[] live = IntStream.range(0, plan.passes().size())
                .filter(pass -> plan.passes().get(pass).level() >= 0)
                .toArray();
        facts.put("topological", IntStream.of(live).mapToObj(this::name).toList());
        BitSet[] before = PairFacts.areFew(live.length) ? PairFacts.closure(live, sources(0)) : new BitSet[0];
        PairFacts.add(facts, "mustPrecede", live, (a, b) -> before[b].get(a), this::name);
        PairFacts.add(facts, "mayReorder", live, (a, b) -> !before[b].get(a) && !before[a].get(b), this::name);
        PairFacts.add(
                facts,
                "mustNotOrder",
                live,
                (a, b) -> !clocks.precedes(plan, a, b) && !clocks.precedes(plan, b, a),
                this::name);
        withTransitions(facts, live);
    }

    private List<List<Integer>> sources(int more) {
        List<List<Integer>> sources = PairFacts.lists(plan.passes().size() + more);
        for (Dependency dependency : plan.dependencies()) {
            sources.get(dependency.to()).add(dependency.from());
        }
        return sources;
    }

    /** The changes of layout are nodes between the passes of two states, numbered behind the passes. */
    private void withTransitions(Map<String, Object> facts, int[] live) {
        int passes = plan.passes().size();
        List<List<Integer>> sources = sources(changes.size());
        List<List<Integer>> changesBefore = PairFacts.lists(passes);
        for (int c = 0; c < changes.size(); c++) {
            TransitionFacts.Change change = changes.get(c);
            sources.get(passes + c).addAll(change.after());
            int first = passes;
            for (int pass : change.before()) {
                sources.get(pass).add(passes + c);
                first = Math.min(first, pass);
            }
            changesBefore.get(first).add(passes + c);
        }
        List<Integer> order = new ArrayList<>(live.length + changes.size());
        for (int pass : live) {
            order.addAll(changesBefore.get(pass));
            order.add(pass);
        }
        int[] nodes = order.stream().mapToInt(node -> node).toArray();
        BitSet[] before = PairFacts.areFew(nodes.length) ? PairFacts.closure(nodes, sources) : new BitSet[0];
        PairFacts.add(
                facts,
                "mustPrecedeWithTransitions",
                nodes,
                (a, b) -> before[b].get(a),
                node -> node < passes ? name(node) : "T:" + resource(changes.get(node - passes)));
    }

    private String resource(TransitionFacts.Change change) {
        return plan.resources().get(change.resource()).name();
    }

    private String name(int pass) {
        return plan.passes().get(pass).name();
    }
}
