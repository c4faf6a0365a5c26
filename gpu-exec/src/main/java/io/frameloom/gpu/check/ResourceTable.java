package io.frameloom.gpu.check;

import io.frameloom.gpu.MemoryHeap;
import io.frameloom.gpu.Resource;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The histories of all resources, and who shares a heap with whom. A table may stand on another one that changes no
 * more: it then copies from there what it is asked for.
 */
final class ResourceTable {
    private final IdentityHashMap<Resource, TrackedResource> resources = new IdentityHashMap<>();
    private final IdentityHashMap<MemoryHeap, List<Resource>> residents = new IdentityHashMap<>();
    private final @Nullable ResourceTable base;

    ResourceTable() {
        this(null);
    }

    private ResourceTable(@Nullable ResourceTable base) {
        this.base = base;
    }

    /** Returns a table of what is here now, to be changed by nobody. */
    ResourceTable frozen() {
        ResourceTable copy = new ResourceTable();
        resources.forEach((resource, tracked) -> copy.resources.put(resource, tracked.copy()));
        residents.forEach((heap, all) -> copy.residents.put(heap, new ArrayList<>(all)));
        return copy;
    }

    /** Returns a table that begins with the contents of this one, which is frozen. */
    ResourceTable fork() {
        return new ResourceTable(this);
    }

    TrackedResource of(Resource resource) {
        TrackedResource known = resources.get(resource);
        if (known != null) {
            return known;
        }
        TrackedResource below = base == null ? null : base.resources.get(resource);
        if (below != null) {
            TrackedResource copy = below.copy();
            resources.put(resource, copy);
            return copy;
        }
        TrackedResource fresh = new TrackedResource(resource);
        resources.put(resource, fresh);
        Resource.Placement placement = fresh.placement();
        if (placement != null) {
            residents
                    .computeIfAbsent(placement.heap(), heap -> new ArrayList<>())
                    .add(resource);
        }
        return fresh;
    }

    /** Returns the others of the heap whose placements overlap that of {@code resource}. */
    List<TrackedResource> aliasesOf(TrackedResource resource) {
        Resource.Placement placement = resource.placement();
        if (placement == null) {
            return List.of();
        }
        List<TrackedResource> found = new ArrayList<>(0);
        if (base != null) {
            addAliases(base.residents.get(placement.heap()), resource, placement, found);
        }
        addAliases(residents.get(placement.heap()), resource, placement, found);
        return found;
    }

    private void addAliases(
            @Nullable List<Resource> others,
            TrackedResource resource,
            Resource.Placement placement,
            List<TrackedResource> found) {
        if (others == null) {
            return;
        }
        for (Resource other : others) {
            Resource.Placement theirs = other.placement();
            if (other != resource.resource() && theirs != null && placement.overlaps(theirs)) {
                found.add(of(other));
            }
        }
    }

    /** Forgets accesses that the host has seen complete, and closed resources that can meet nothing any more. */
    void retire(Clock host) {
        for (Iterator<TrackedResource> all = resources.values().iterator(); all.hasNext(); ) {
            TrackedResource tracked = all.next();
            boolean quiet = tracked.retire(host);
            Resource.Placement placement = tracked.placement();
            // What was copied from the base would only be copied from there again.
            boolean copied = base != null && base.resources.containsKey(tracked.resource());
            if (!copied && tracked.resource().isClosed() && quiet) {
                all.remove();
                if (placement != null) {
                    forget(tracked.resource(), placement.heap());
                }
            }
        }
    }

    private void forget(Resource resource, MemoryHeap heap) {
        List<Resource> others = residents.get(heap);
        if (others != null) {
            others.removeIf(other -> other == resource);
            if (others.isEmpty()) {
                residents.remove(heap);
            }
        }
    }

    /** Returns whether {@code actual} would judge alike whatever this table has histories of. */
    boolean sameAbove(Clock host, ResourceTable actual) {
        for (TrackedResource mine : resources.values()) {
            TrackedResource theirs = actual.resources.get(mine.resource());
            if (theirs == null ? !mine.resource().isClosed() : !mine.sameAbove(host, theirs)) {
                return false;
            }
        }
        return true;
    }

    void forEach(Consumer<TrackedResource> each) {
        resources.values().forEach(each);
    }

    int size() {
        return resources.size();
    }
}
