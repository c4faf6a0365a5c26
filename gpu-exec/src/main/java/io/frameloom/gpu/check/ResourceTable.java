package io.frameloom.gpu.check;

import io.frameloom.gpu.MemoryHeap;
import io.frameloom.gpu.Resource;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;

/** The histories of all resources, and who shares a heap with whom. */
final class ResourceTable {
    private final IdentityHashMap<Resource, TrackedResource> resources = new IdentityHashMap<>();
    private final IdentityHashMap<MemoryHeap, List<TrackedResource>> residents = new IdentityHashMap<>();

    TrackedResource of(Resource resource) {
        TrackedResource known = resources.get(resource);
        if (known != null) {
            return known;
        }
        TrackedResource fresh = new TrackedResource(resource);
        resources.put(resource, fresh);
        Resource.Placement placement = fresh.placement();
        if (placement != null) {
            residents
                    .computeIfAbsent(placement.heap(), heap -> new ArrayList<>())
                    .add(fresh);
        }
        return fresh;
    }

    /** Returns the others of the heap whose placements overlap that of {@code resource}. */
    List<TrackedResource> aliasesOf(TrackedResource resource) {
        Resource.Placement placement = resource.placement();
        if (placement == null) {
            return List.of();
        }
        List<TrackedResource> found = List.of();
        for (TrackedResource other : residents.getOrDefault(placement.heap(), List.of())) {
            Resource.Placement theirs = other.placement();
            if (other != resource && theirs != null && placement.overlaps(theirs)) {
                if (found.isEmpty()) {
                    found = new ArrayList<>();
                }
                found.add(other);
            }
        }
        return found;
    }

    /** Forgets accesses that the host has seen complete, and closed resources that can meet nothing any more. */
    void retire(Clock host) {
        for (Iterator<TrackedResource> all = resources.values().iterator(); all.hasNext(); ) {
            TrackedResource tracked = all.next();
            boolean quiet = tracked.retire(host);
            Resource.Placement placement = tracked.placement();
            if (tracked.resource().isClosed() && (quiet || placement == null)) {
                all.remove();
                if (placement != null) {
                    List<TrackedResource> others = residents.getOrDefault(placement.heap(), List.of());
                    others.remove(tracked);
                    if (others.isEmpty()) {
                        residents.remove(placement.heap());
                    }
                }
            }
        }
    }

    int size() {
        return resources.size();
    }
}
