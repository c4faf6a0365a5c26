package io.frameloom.gpu.check.judge;

import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Distinct findings in the order in which they were made, counted: at most 10,000.
 *
 * @param <K> what distinguishes them
 */
final class Counted<K, F> {
    private static final int MOST = 10_000;

    private final Map<K, F> distinct = new LinkedHashMap<>();
    private final IdentityHashMap<F, Long> counts = new IdentityHashMap<>();

    /** Counts a finding; {@code words} gives it if it is the first of its key. */
    void add(K key, Supplier<F> words) {
        F known = distinct.get(key);
        if (known == null) {
            if (distinct.size() == MOST) {
                return;
            }
            known = words.get();
            distinct.put(key, known);
        }
        counts.merge(known, 1L, Long::sum);
    }

    List<F> list() {
        return List.copyOf(distinct.values());
    }

    /** Returns how often a finding of {@link #list} was made; 0 for any other object. */
    long count(F finding) {
        return counts.getOrDefault(finding, 0L);
    }
}
