package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.resource.Resource;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The hazards found so far, counted: each kind, resource (not its name) and pair of passes once. */
public final class HazardReport implements HazardSink {
    private static final int MAX_DISTINCT = 10_000;

    private final Map<Key, Entry> entries = new LinkedHashMap<>();
    private final Map<Key, Entry> undeclared = new LinkedHashMap<>();
    private final IdentityHashMap<Hazard, Entry> found = new IdentityHashMap<>();
    private final Set<Key> recent = new HashSet<>();
    private long total;

    public record Key(Hazard.Kind kind, Identity resource, String firstPass, String secondPass) {
        static Key of(Hazard.Kind kind, Resource resource, String firstPass, String secondPass) {
            return new Key(kind, new Identity(resource), firstPass, secondPass);
        }
    }

    /** A resource itself, whatever it is called; it may be collected. */
    static final class Identity {
        private final WeakReference<Resource> resource;
        private final int hash;

        Identity(Resource resource) {
            this.resource = new WeakReference<>(resource);
            this.hash = System.identityHashCode(resource);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            Resource mine = resource.get();
            return other instanceof Identity theirs && mine != null && mine == theirs.resource.get();
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    private static final class Entry {
        private final Hazard hazard;
        private long count;

        Entry(Hazard hazard) {
            this.hazard = hazard;
        }
    }

    @Override
    public void add(
            Hazard.Kind kind, Resource resource, String firstPass, String secondPass, Supplier<String> explanation) {
        total++;
        Key key = Key.of(kind, resource, firstPass, secondPass);
        recent.add(key);
        count(entries, key, resource, explanation);
    }

    @Override
    public void undeclared(Resource resource, String pass, Supplier<String> explanation) {
        count(undeclared, Key.of(Hazard.Kind.UNDECLARED_ACCESS, resource, "", pass), resource, explanation);
    }

    private void count(Map<Key, Entry> all, Key key, Resource resource, Supplier<String> explanation) {
        Entry entry = all.get(key);
        if (entry == null) {
            if (all.size() == MAX_DISTINCT) {
                return;
            }
            entry = new Entry(new Hazard(key.kind, resource.name(), key.firstPass, key.secondPass, explanation.get()));
            all.put(key, entry);
            found.put(entry.hazard, entry);
        }
        entry.count++;
    }

    /** Returns the hazards found since the last call. */
    public Set<Key> takeRecent() {
        Set<Key> taken = Set.copyOf(recent);
        recent.clear();
        return taken;
    }

    public List<Hazard> hazards() {
        return list(entries);
    }

    public List<Hazard> undeclared() {
        return list(undeclared);
    }

    private static List<Hazard> list(Map<Key, Entry> entries) {
        List<Hazard> all = new ArrayList<>(entries.size());
        entries.values().forEach(entry -> all.add(entry.hazard));
        return List.copyOf(all);
    }

    public long occurrences(Hazard hazard) {
        Entry entry = found.get(hazard);
        return entry == null ? 0 : entry.count;
    }

    public long total() {
        return total;
    }
}
