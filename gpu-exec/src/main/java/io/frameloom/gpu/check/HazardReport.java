package io.frameloom.gpu.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The hazards found so far: each kind, resource and pair of passes once, counted. */
final class HazardReport implements HazardSink {
    private static final int MAX_DISTINCT = 10_000;

    private final Map<Key, Entry> entries = new LinkedHashMap<>();
    private final Set<Key> recent = new HashSet<>();
    private long total;

    record Key(Hazard.Kind kind, String resource, String firstPass, String secondPass) {}

    private static final class Entry {
        private final Hazard hazard;
        private long count;

        Entry(Hazard hazard) {
            this.hazard = hazard;
        }
    }

    @Override
    public void add(
            Hazard.Kind kind, String resource, String firstPass, String secondPass, Supplier<String> explanation) {
        total++;
        Key key = new Key(kind, resource, firstPass, secondPass);
        recent.add(key);
        Entry entry = entries.get(key);
        if (entry == null) {
            if (entries.size() == MAX_DISTINCT) {
                return;
            }
            entry = new Entry(new Hazard(kind, resource, firstPass, secondPass, explanation.get()));
            entries.put(key, entry);
        }
        entry.count++;
    }

    /** Returns the hazards found since the last call. */
    Set<Key> takeRecent() {
        Set<Key> taken = Set.copyOf(recent);
        recent.clear();
        return taken;
    }

    List<Hazard> hazards() {
        List<Hazard> all = new ArrayList<>(entries.size());
        entries.values().forEach(entry -> all.add(entry.hazard));
        return List.copyOf(all);
    }

    long occurrences(Hazard hazard) {
        Entry entry = entries.get(new Key(hazard.kind(), hazard.resource(), hazard.firstPass(), hazard.secondPass()));
        return entry == null ? 0 : entry.count;
    }

    long total() {
        return total;
    }
}
