package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.resource.Resource;
import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The hazards found so far, counted: each kind, resource (not its name) and pair of passes once. */
public final class HazardReport implements HazardSink {
    private final Counted<Found, Hazard> hazards = new Counted<>();
    private final Counted<Found, Hazard> undeclared = new Counted<>();
    private final Set<Found> recent = new HashSet<>();
    private long total;

    public record Found(Hazard.Kind kind, Identity resource, String firstPass, String secondPass) {
        static Found of(Hazard.Kind kind, Resource resource, String firstPass, String secondPass) {
            return new Found(kind, new Identity(resource), firstPass, secondPass);
        }

        /** A hazard without an earlier access. */
        static Found of(Hazard.Kind kind, Resource resource, String pass) {
            return of(kind, resource, "", pass);
        }

        private Hazard explained(Supplier<String> explanation) {
            return new Hazard(kind, resource.name, firstPass, secondPass, explanation.get());
        }
    }

    /** A resource itself, whatever it is called; it may be collected. */
    static final class Identity {
        private final WeakReference<Resource> resource;
        private final int hash;
        private final String name;

        Identity(Resource resource) {
            this.resource = new WeakReference<>(resource);
            this.name = resource.name();
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

    @Override
    public void add(Found found, Supplier<String> explanation) {
        total++;
        recent.add(found);
        hazards.add(found, () -> found.explained(explanation));
    }

    @Override
    public void undeclared(Resource resource, String pass, Supplier<String> explanation) {
        Found found = Found.of(Hazard.Kind.UNDECLARED_ACCESS, resource, pass);
        undeclared.add(found, () -> found.explained(explanation));
    }

    public Set<Found> takeRecent() {
        Set<Found> taken = Set.copyOf(recent);
        recent.clear();
        return taken;
    }

    public List<Hazard> hazards() {
        return hazards.list();
    }

    public List<Hazard> undeclared() {
        return undeclared.list();
    }

    public long occurrences(Hazard hazard) {
        return hazards.count(hazard) + undeclared.count(hazard);
    }

    public long total() {
        return total;
    }
}
