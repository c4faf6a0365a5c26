package io.frameloom.rdg.tools.file;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

/** Facts that are pairs of names: all of them, or none where they are too many to be read. */
public final class PairFacts {
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
            LeftOut.add(facts, key, "the pairs of more than " + MOST_MEMBERS + " are too many to look for");
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
                        LeftOut.add(facts, key, "there are more than " + MOST_PAIRS + " pairs");
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

    /** Returns as many empty lists. */
    public static List<List<Integer>> lists(int nodes) {
        List<List<Integer>> lists = new ArrayList<>(nodes);
        for (int i = 0; i < nodes; i++) {
            lists.add(new ArrayList<>(2));
        }
        return lists;
    }
}
