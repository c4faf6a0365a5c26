package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.tools.file.PairFacts;
import io.frameloom.rdg.tools.file.PlanNames;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Which passes are ordered by what they use, and which by nothing. */
final class OrderPairs {
    private final FramePlan plan;
    private final PlanNames names;
    private final PlanClocks clocks;
    private final List<TransitionFacts.Change> changes;
    /** By pass that was declared to come after others: those. */
    private final Map<Integer, List<Integer>> after = new TreeMap<>();

    /**
     * Pairs of a plan.
     *
     * @param after by pass those that it was declared to come after, removed ones included: orders lead through them
     */
    OrderPairs(
            FramePlan plan,
            PlanNames names,
            PlanClocks clocks,
            List<TransitionFacts.Change> changes,
            IntFunction<List<Integer>> after) {
        this.plan = plan;
        this.names = names;
        this.clocks = clocks;
        this.changes = changes;
        for (int pass = 0; pass < plan.passes().size(); pass++) {
            if (!after.apply(pass).isEmpty()) {
                this.after.put(pass, after.apply(pass));
            }
        }
    }

    void add(Map<String, Object> facts) {
        int[] live = members(false);
        facts.put("topological", IntStream.of(live).mapToObj(names::pass).toList());
        int[] ordering = members(true);
        boolean few = PairFacts.areFew(ordering.length);
        BitSet[] before = few ? PairFacts.closure(ordering, sources(0)) : new BitSet[0];
        int[] members = few ? live : ordering;
        PairFacts.add(facts, "mustPrecede", members, (a, b) -> before[b].get(a), names::pass);
        PairFacts.add(facts, "mayReorder", members, (a, b) -> !before[b].get(a) && !before[a].get(b), names::pass);
        PairFacts.add(
                facts, "mustNotOrder", live, (a, b) -> !clocks.precedes(a, b) && !clocks.precedes(b, a), names::pass);
        withTransitions(facts);
    }

    /** Returns the passes that run, or also the removed ones through which orders lead. */
    private int[] members(boolean removed) {
        return IntStream.range(0, plan.passes().size())
                .filter(pass -> isLive(pass) || (removed && after.containsKey(pass)))
                .toArray();
    }

    private boolean isLive(int pass) {
        return plan.passes().get(pass).level() >= 0;
    }

    private List<List<Integer>> sources(int more) {
        List<List<Integer>> sources = PairFacts.lists(plan.passes().size() + more);
        for (Dependency dependency : plan.dependencies()) {
            sources.get(dependency.to()).add(dependency.from());
        }
        after.forEach((pass, all) -> all.stream()
                .filter(earlier -> isLive(earlier) || after.containsKey(earlier))
                .forEach(sources.get(pass)::add));
        return sources;
    }

    /** The changes of layout are nodes between the passes of two states, numbered after the passes. */
    private void withTransitions(Map<String, Object> facts) {
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
        List<Integer> nodes = new ArrayList<>(passes + changes.size());
        for (int pass : members(true)) {
            nodes.addAll(changesBefore.get(pass));
            nodes.add(pass);
        }
        int[] ordering = nodes.stream().mapToInt(node -> node).toArray();
        boolean few = PairFacts.areFew(ordering.length);
        BitSet[] before = few ? PairFacts.closure(ordering, sources) : new BitSet[0];
        PairFacts.add(
                facts,
                "mustPrecedeWithTransitions",
                few
                        ? IntStream.of(ordering)
                                .filter(node -> node >= passes || isLive(node))
                                .toArray()
                        : ordering,
                (a, b) -> before[b].get(a),
                node -> node < passes
                        ? names.pass(node)
                        : "T:" + names.resource(changes.get(node - passes).resource()));
    }
}
