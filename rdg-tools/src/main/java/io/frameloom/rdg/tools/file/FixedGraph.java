package io.frameloom.rdg.tools.file;

import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.tools.GraphFileException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** A file whose orders are all given: only waits and batches are to be found. */
public final class FixedGraph {
    private final FileGraph source;
    private final FileNames names;
    private final int[] queue;
    private final List<int[]> chains = new ArrayList<>();
    private final int[] from;
    private final int[] to;
    private final FixedOrder order;
    /** By pass: those it depends on. */
    private final List<List<Integer>> sources = new ArrayList<>();

    /**
     * Finds the waits.
     *
     * @throws GraphFileException if a queue's order does not name its passes once each
     * @throws RdgValidationException if the orders go in a circle
     */
    public FixedGraph(FileGraph source, FileNames names) {
        this.source = source;
        this.names = names;
        int passes = source.passes.size();
        queue = new int[passes];
        for (int p = 0; p < passes; p++) {
            queue[p] = names.queueOf(source.passes.get(p));
        }
        Map<Integer, FileGraph.QueueOrder> given = new HashMap<>();
        for (FileGraph.QueueOrder order : source.queueOrder) {
            given.put(names.queue(order.queue()), order);
        }
        for (int q = 0; q < source.queues.size(); q++) {
            chains.add(chain(q, given.get(q)));
        }
        from = new int[source.dependencies.size()];
        to = new int[from.length];
        for (int e = 0; e < from.length; e++) {
            FileGraph.Dependency dependency = source.dependencies.get(e);
            from[e] = names.pass(dependency.earlier());
            to[e] = names.pass(dependency.later());
        }
        source.passes.forEach(pass -> sources.add(new ArrayList<>(2)));
        for (int e = 0; e < from.length; e++) {
            sources.get(to[e]).add(from[e]);
        }
        order = new FixedOrder(queue, chains, from, to);
        if (!order.exists()) {
            throw circle();
        }
    }

    private RdgValidationException circle() {
        List<String> members = new ArrayList<>();
        for (int pass : order.circle()) {
            members.add(name(pass));
        }
        return new RdgValidationException(
                source.id,
                List.of(new RdgError(
                        Code.CYCLE,
                        members.get(0),
                        "",
                        "passes wait for each other in a circle, each comes before the next by the order of its queue or"
                                + " a dependency: " + String.join(", ", members),
                        "change the order of a queue or remove a dependency",
                        List.of(),
                        members)));
    }

    private int[] chain(int q, FileGraph.@Nullable QueueOrder given) {
        List<Integer> own = new ArrayList<>();
        for (int p = 0; p < queue.length; p++) {
            if (queue[p] == q) {
                own.add(p);
            }
        }
        if (given == null) {
            return own.stream().mapToInt(Integer::intValue).toArray();
        }
        int[] chain = new int[given.passes().size()];
        BitSet seen = new BitSet();
        for (int i = 0; i < chain.length; i++) {
            FileGraph.Name named = given.passes().get(i);
            int pass = names.pass(named);
            if (queue[pass] != q || seen.get(pass)) {
                throw names.fail(
                        named.line(),
                        "the order of queue '" + given.queue().text() + "' names pass '" + named.text()
                                + "', which is not on it, or twice");
            }
            seen.set(pass);
            chain[i] = pass;
        }
        if (chain.length != own.size()) {
            throw names.fail(
                    given.queue().line(),
                    "the order of queue '" + given.queue().text() + "' leaves out one of its passes");
        }
        return chain;
    }

    /** Returns what was found, by the keys of the form {@code rdg-case/1}. */
    public Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        List<String> all = new ArrayList<>();
        for (int pass : order.order()) {
            all.add(name(pass));
        }
        facts.put("order", all);
        facts.put("topological", all);
        pairs(facts);
        facts.put("reduced", PairFacts.reduced(order.order(), sources, this::name));
        levels(facts);
        facts.put("syncs", syncs(e -> order.waited(e)));
        facts.put("culledSyncs", syncs(e -> !order.waited(e)));
        int[] stages = source.passes.stream().mapToInt(pass -> pass.stages).toArray();
        boolean[] narrow = order.waitedInExactStages(stages);
        facts.put("syncsNarrow", syncs(e -> narrow[e]));
        facts.put("ssis", ssis());
        Map<String, List<List<String>>> batches = new LinkedHashMap<>();
        int waits = 0;
        for (int[] members : order.batches()) {
            List<String> names = new ArrayList<>();
            for (int pass : members) {
                names.add(name(pass));
            }
            batches.computeIfAbsent(source.queues.get(queue[members[0]]).id, q -> new ArrayList<>())
                    .add(names);
        }
        for (int e = 0; e < from.length; e++) {
            waits += order.waited(e) ? 1 : 0;
        }
        facts.put("batches", batches);
        facts.put("signals", order.signals());
        facts.put("waits", waits);
        facts.put("warnings", List.of());
        return facts;
    }

    private void pairs(Map<String, Object> facts) {
        int[] all = order.order();
        int[] position = new int[queue.length];
        for (int[] chain : chains) {
            for (int i = 0; i < chain.length; i++) {
                position[chain[i]] = i;
            }
        }
        BitSet[] before = PairFacts.areFew(all.length) ? PairFacts.closure(all, sources) : new BitSet[0];
        PairFacts.add(facts, "mustPrecede", all, (a, b) -> before[b].get(a), this::name);
        PairFacts.add(facts, "mayReorder", all, (a, b) -> !before[b].get(a) && !before[a].get(b), this::name);
        PairFacts.add(
                facts,
                "mustNotOrder",
                all,
                (a, b) -> order.known(b, queue[a]) < position[a] && order.known(a, queue[b]) < position[b],
                this::name);
    }

    private List<List<String>> syncs(IntPredicate chosen) {
        List<List<String>> result = new ArrayList<>();
        for (int e = 0; e < from.length; e++) {
            if (queue[from[e]] != queue[to[e]] && chosen.test(e)) {
                result.add(List.of(name(from[e]), name(to[e])));
            }
        }
        return result;
    }

    private Map<String, Map<String, String>> ssis() {
        Map<String, Map<String, String>> result = new LinkedHashMap<>();
        for (int p = 0; p < queue.length; p++) {
            Map<String, String> known = new LinkedHashMap<>();
            for (int q = 0; q < chains.size(); q++) {
                int last = order.known(p, q);
                if (last >= 0) {
                    known.put(source.queues.get(q).id, name(chains.get(q)[last]));
                }
            }
            result.put(name(p), known);
        }
        return result;
    }

    private void levels(Map<String, Object> facts) {
        int[] level = new int[queue.length];
        int count = 0;
        for (int pass : order.order()) {
            for (int before : sources.get(pass)) {
                level[pass] = Math.max(level[pass], level[before] + 1);
            }
            count = Math.max(count, level[pass] + 1);
        }
        Map<String, Integer> levels = new LinkedHashMap<>();
        for (int p = 0; p < level.length; p++) {
            levels.put(name(p), level[p]);
        }
        facts.put("levels", levels);
        facts.put("levelCount", count);
        facts.put("criticalPath", count);
    }

    private String name(int pass) {
        return source.passes.get(pass).id;
    }
}
