package io.frameloom.rdg.tools.file;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

/** Facts that are pairs of names: all of them, or none where they are too many to be read. */
public final class PairFacts {
    private static final String LEFT_OUT = "leftOut";
    /** Each key has at most this number of pairs. */
    private static final int MOST_PAIRS = 20_000;
    /** Pairs of more are not looked for. */
    private static final int MOST_MEMBERS = 2_000;

    private PairFacts() {}

    /** What may hold of a first and a second member. */
    @FunctionalInterface
    public interface Relation {
        /** Returns whether it holds. */
        boolean holds(int first, int second);
    }

    /** Returns whether to look for pairs of this number of members; if not, a relation is never asked. */
    public static boolean areFew(int members) {
        return members <= MOST_MEMBERS;
    }

    /** Adds the pairs of different names for which a relation holds, one that is symmetric in both orders. */
    public static void add(
            Map<String, Object> facts, String key, int[] members, Relation relation, IntFunction<String> name) {
        if (!areFew(members.length)) {
            leftOut(facts, key, "the pairs of more than " + MOST_MEMBERS + " are too many to look for");
            return;
        }
        Set<List<String>> pairs = new LinkedHashSet<>();
        for (int first : members) {
            for (int second : members) {
                if (first != second && relation.holds(first, second)) {
                    String a = name.apply(first);
                    String b = name.apply(second);
                    if (!a.equals(b)) {
                        pairs.add(List.of(a, b));
                    }
                    if (pairs.size() > MOST_PAIRS) {
                        leftOut(facts, key, "there are more than " + MOST_PAIRS + " pairs");
                        return;
                    }
                }
            }
        }
        facts.put(key, List.copyOf(pairs));
    }

    /**
     * Returns what comes before each node, directly or not.
     *
     * @param order nodes after those before them
     * @param sources by node those directly before it
     */
    public static BitSet[] closure(int[] order, List<List<Integer>> sources) {
        BitSet[] before = new BitSet[sources.size()];
        for (int node : order) {
            before[node] = new BitSet();
            for (int source : sources.get(node)) {
                before[node].or(before[source]);
                before[node].set(source);
            }
        }
        return before;
    }

    /**
     * Returns by name each node with those directly before it, unless a longer way joins the two: the transitive
     * reduction.
     *
     * @param order nodes, each after those that come before it
     * @param sources by node those directly before it
     */
    public static List<List<String>> reduced(int[] order, List<List<Integer>> sources, IntFunction<String> name) {
        BitSet[] reached = new BitSet[sources.size()];
        List<List<String>> pairs = new ArrayList<>();
        for (int node : order) {
            BitSet before = new BitSet();
            for (int source : sources.get(node)) {
                before.or(reached[source]);
            }
            for (int source : sources.get(node)) {
                if (!before.get(source)) {
                    before.set(source);
                    pairs.add(List.of(name.apply(source), name.apply(node)));
                }
            }
            reached[node] = before;
        }
        return pairs;
    }

    /** Notes why a key is not among the facts. */
    public static void leftOut(Map<String, Object> facts, String key, String why) {
        List<Object> rows = new ArrayList<>(1);
        if (facts.get(LEFT_OUT) instanceof List<?> former) {
            rows.addAll(former);
        }
        Map<String, String> row = new LinkedHashMap<>();
        row.put("key", key);
        row.put("message", why);
        rows.add(row);
        facts.put(LEFT_OUT, rows);
    }

    /** Returns as many empty lists. */
    public static List<List<Integer>> lists(int nodes) {
        List<List<Integer>> lists = new ArrayList<>(nodes);
        for (int i = 0; i < nodes; i++) {
            lists.add(new ArrayList<>(2));
        }
        return lists;
    }
}
