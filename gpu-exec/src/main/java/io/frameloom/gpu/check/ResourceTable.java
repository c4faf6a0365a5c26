package io.frameloom.gpu.check;

import io.frameloom.gpu.MemoryHeap;
import io.frameloom.gpu.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The histories of all resources, and who shares a heap with whom.
 *
 * <p>A fork begins with what its original had before the newest submission, and copies of that what it touches. It need not
 * do so at once: what nobody has touched since is still in the original, and what the newest submission touches is kept
 * there as it was before. So a fork costs what it touches, however much there is; it has to touch all that the original does,
 * each time after the original. What the original forgets is forgotten for the fork, too, unless it keeps it.
 */
final class ResourceTable {
    /** Resources without accesses left that a submission pays to look at, so that all are looked at now and then. */
    private static final int QUIET_LOOKS = 64;

    private final IdentityHashMap<Resource, TrackedResource> resources = new IdentityHashMap<>();
    /** What was touched since it was last seen to have nothing left: the others need no look but for being closed. */
    private final Set<TrackedResource> busy = Collections.newSetFromMap(new IdentityHashMap<>());

    private final IdentityHashMap<MemoryHeap, List<Resource>> residents = new IdentityHashMap<>();
    /** What the newest submission has touched, as it was before; null for what was not there. */
    private final IdentityHashMap<Resource, @Nullable TrackedResource> before = new IdentityHashMap<>();

    private final @Nullable ResourceTable original;
    private boolean remembers;
    private boolean keepsPending;
    private int quietLooksDue;

    ResourceTable() {
        this(null);
    }

    private ResourceTable(@Nullable ResourceTable original) {
        this.original = original;
    }

    /** Returns a table that begins with what is here, or in the original of this fork, before the newest submission. */
    ResourceTable fork() {
        return new ResourceTable(original == null ? this : original);
    }

    /** Begins a submission: what it touches is remembered for the forks. */
    void remember() {
        before.clear();
        remembers = true;
    }

    TrackedResource of(Resource resource) {
        TrackedResource known = resources.get(resource);
        if (remembers && !before.containsKey(resource)) {
            before.put(resource, known == null ? null : known.copy());
        }
        if (known != null) {
            busy.add(known);
            return known;
        }
        TrackedResource below = original == null ? null : original.stateBefore(resource);
        TrackedResource mine = below == null ? new TrackedResource(resource) : below.copy();
        resources.put(resource, mine);
        busy.add(mine);
        Resource.Placement placement = mine.placement();
        if (original == null && placement != null) {
            residents
                    .computeIfAbsent(placement.heap(), heap -> new ArrayList<>())
                    .add(resource);
        }
        return mine;
    }

    /** Takes into this fork whatever has accesses left, which its original may forget. */
    void keepPending() {
        if (original == null || keepsPending) {
            return;
        }
        keepsPending = true;
        original.resources.forEach((resource, tracked) -> {
            if (!tracked.quiet()) {
                busy.add(resources.computeIfAbsent(resource, missing -> tracked.copy()));
            }
        });
    }

    private @Nullable TrackedResource stateBefore(Resource resource) {
        return before.containsKey(resource) ? before.get(resource) : resources.get(resource);
    }

    /** Returns the others of the heap whose placements overlap that of {@code resource}. */
    List<TrackedResource> aliasesOf(TrackedResource resource) {
        Resource.Placement placement = resource.placement();
        if (placement == null) {
            return List.of();
        }
        List<TrackedResource> found = new ArrayList<>(0);
        Map<MemoryHeap, List<Resource>> all = original == null ? residents : original.residents;
        for (Resource other : all.getOrDefault(placement.heap(), List.of())) {
            Resource.Placement theirs = other.placement();
            if (other != resource.resource() && theirs != null && placement.overlaps(theirs)) {
                found.add(of(other));
            }
        }
        return found;
    }

    /**
     * Forgets accesses that the host has seen complete, and closed resources that can meet nothing any more: those that had
     * accesses left at once, the others by and by.
     */
    void retire(Clock host) {
        busy.removeIf(tracked -> tracked.retire(host) && (forgetIfClosed(tracked) || tracked.settled()));
        quietLooksDue += QUIET_LOOKS;
        if (quietLooksDue >= resources.size()) {
            quietLooksDue = 0;
            for (TrackedResource tracked : List.copyOf(resources.values())) {
                if (!busy.contains(tracked)) {
                    forgetIfClosed(tracked);
                }
            }
        }
    }

    private boolean forgetIfClosed(TrackedResource tracked) {
        // What was copied from the original would only be copied from there again.
        boolean copied = original != null && original.resources.containsKey(tracked.resource());
        if (copied || !tracked.resource().isClosed()) {
            return false;
        }
        resources.remove(tracked.resource());
        Resource.Placement placement = tracked.placement();
        if (placement != null) {
            forget(tracked.resource(), placement.heap());
        }
        return true;
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

    /** Tells of every resource that has accesses left, and maybe of others. */
    void forEachBusy(Consumer<TrackedResource> each) {
        busy.forEach(each);
    }

    int size() {
        return resources.size();
    }
}
