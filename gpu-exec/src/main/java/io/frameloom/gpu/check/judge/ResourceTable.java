package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The histories of all resources, and which of them share a heap.
 *
 * <p>A fork begins with what its original had before the newest submission, and copies what that touches. It may do so
 * late: a resource that was not touched since is still in the original, and the original keeps those that the newest
 * submission touches as they were before. So a fork costs only what it touches. It has to touch all that the original
 * does, each time after the original. What the original forgets is forgotten for the fork, too, unless the fork keeps
 * it.
 */
public final class ResourceTable {
    /** Resources without accesses left that a submission pays to look at, so that all are looked at now and then. */
    private static final int QUIET_LOOKS = 64;

    private final IdentityHashMap<Resource, TrackedResource> resources = new IdentityHashMap<>();
    private final SharedHandles handles = new SharedHandles();
    /** What was touched since it was last seen to have nothing left: the others need no look but for being closed. */
    private final Set<TrackedResource> busy = Collections.newSetFromMap(new IdentityHashMap<>());

    private final IdentityHashMap<MemoryHeap, Placements<TrackedResource>> residents = new IdentityHashMap<>();
    /**
     * Those of them that accesses to shared memory may concern, which are few where many follow each other in one
     * place.
     */
    private final IdentityHashMap<MemoryHeap, Placements<TrackedResource>> awake = new IdentityHashMap<>();
    /** What the newest submission has touched, as it was before; null for new resources. */
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
    public void remember() {
        before.clear();
        remembers = true;
    }

    /** Returns the history of a resource, which is that of all resources with its handle. */
    TrackedResource of(Resource named) {
        TrackedResource mine = resources.get(named);
        if (mine != null && !remembers) {
            busy.add(mine);
            wake(mine);
            return mine;
        }
        Resource resource = mine != null ? named : standIn(named);
        TrackedResource tracked = ofStandIn(resource);
        if (resource != named) {
            boolean placed = tracked.placement() != null;
            tracked.isAlso(named);
            if (!placed) {
                settle(tracked);
            }
        }
        wake(tracked);
        return tracked;
    }

    private void wake(TrackedResource tracked) {
        Resource.Placement placement = tracked.placement();
        if (tracked.isAsleep() && placement != null) {
            tracked.wake();
            in(awake, placement.heap()).add(tracked);
        }
    }

    private static Placements<TrackedResource> in(
            IdentityHashMap<MemoryHeap, Placements<TrackedResource>> all, MemoryHeap heap) {
        return all.computeIfAbsent(
                heap, first -> new Placements<>(placed -> Objects.requireNonNull(placed.placement())));
    }

    private Resource standIn(Resource named) {
        ResourceTable all = original == null ? this : original;
        return all.handles.standIn(named, first -> {
            TrackedResource tracked = all.resources.get(first);
            return tracked != null && tracked.isClosed();
        });
    }

    private TrackedResource ofStandIn(Resource resource) {
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
        settle(mine);
        return mine;
    }

    /** Notes the other resources of the heap. */
    private void settle(TrackedResource tracked) {
        Resource.Placement placement = tracked.placement();
        if (original == null && placement != null) {
            in(residents, placement.heap()).add(tracked);
            in(awake, placement.heap()).add(tracked);
        }
    }

    /** Returns what is known of a resource now by any of its names, null if nothing or nothing any more. */
    @Nullable
    TrackedResource named(Resource named) {
        return known((original == null ? this : original).handles.known(named));
    }

    /** Returns what is known of a resource now, null if nothing or nothing any more. */
    @Nullable
    TrackedResource known(Resource resource) {
        TrackedResource mine = resources.get(resource);
        return mine != null || original == null ? mine : original.resources.get(resource);
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

    /** Returns the others of the heap that overlap {@code resource}, except those that it cannot concern. */
    List<TrackedResource> aliasesOf(TrackedResource resource) {
        Resource.Placement placement = resource.placement();
        if (placement == null) {
            return List.of();
        }
        List<TrackedResource> found = new ArrayList<>(0);
        if (original != null) {
            // A resource that sleeps in the original may have accesses in the fork.
            Placements<TrackedResource> residing = original.residents.get(placement.heap());
            if (residing != null) {
                residing.overlapping(placement, other -> {
                    if (other.resource() != resource.resource()) {
                        found.add(ofStandIn(other.resource()));
                    }
                });
            }
            return found;
        }
        Placements<TrackedResource> here = in(awake, placement.heap());
        here.overlapping(placement, other -> {
            if (other.resource() != resource.resource()) {
                found.add(other);
            }
        });
        found.removeIf(other -> {
            if (other.fallAsleep()) {
                here.remove(other);
            } else {
                ofStandIn(other.resource());
            }
            return other.isAsleep();
        });
        return found;
    }

    /**
     * Forgets accesses that the host has seen complete, and closed resources that no later access can conflict with:
     * those that had accesses left at once, the others by and by.
     *
     * @param before what the host had seen before any split barrier was begun that has not ended: later accesses may
     *     still meet one
     */
    void retire(HostView host, HostView before) {
        busy.removeIf(tracked -> tracked.retire(host, before) && (forgetIfClosed(tracked) || tracked.settled()));
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
        if (copied || !tracked.isClosed()) {
            return false;
        }
        resources.remove(tracked.resource());
        handles.forget(tracked.resource());
        Resource.Placement placement = tracked.placement();
        if (placement != null) {
            forget(residents, tracked, placement.heap());
            forget(awake, tracked, placement.heap());
        }
        return true;
    }

    private static void forget(
            IdentityHashMap<MemoryHeap, Placements<TrackedResource>> all, TrackedResource tracked, MemoryHeap heap) {
        Placements<TrackedResource> others = all.get(heap);
        if (others != null) {
            others.remove(tracked);
            if (others.isEmpty()) {
                all.remove(heap);
            }
        }
    }

    /** Returns whether {@code actual} would judge alike whatever this table has histories of. */
    boolean sameAbove(HostView host, ResourceTable actual) {
        for (TrackedResource mine : resources.values()) {
            TrackedResource theirs = actual.resources.get(mine.resource());
            if (theirs == null ? !mine.isClosed() : !mine.sameAbove(host, theirs)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether all that was imported and has a history here is in the same layouts and hands as there. */
    boolean leavesImportedAs(ResourceTable actual) {
        for (TrackedResource mine : resources.values()) {
            if (mine.isImported() && !leavesAs(mine, actual)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a resource is left in the same state here and there. */
    boolean leavesAs(Resource resource, ResourceTable actual) {
        TrackedResource mine = known(resource);
        return mine == null || leavesAs(mine, actual);
    }

    private static boolean leavesAs(TrackedResource mine, ResourceTable actual) {
        TrackedResource theirs = actual.resources.get(mine.resource());
        return theirs == null || mine.leftAs(theirs);
    }

    boolean share(Resource first, Resource second) {
        TrackedResource one = of(first);
        TrackedResource other = of(second);
        return one == other || aliasesOf(one).contains(other);
    }

    /**
     * Returns whether a condition holds of any resource that the host reads and that has a history here, and of the
     * same there.
     */
    boolean anyReadback(ResourceTable actual, BiPredicate<TrackedResource, TrackedResource> condition) {
        for (TrackedResource mine : resources.values()) {
            TrackedResource theirs = mine.isReadback() ? actual.resources.get(mine.resource()) : null;
            if (theirs != null && condition.test(mine, theirs)) {
                return true;
            }
        }
        return false;
    }

    boolean anyMatch(Predicate<TrackedResource> condition) {
        return busy.stream().anyMatch(condition);
    }

    /** Visits every resource that has accesses left, and maybe others. */
    void forEachBusy(Consumer<TrackedResource> each) {
        busy.forEach(each);
    }

    public int size() {
        return resources.size();
    }

    public int active() {
        return busy.stream().mapToInt(TrackedResource::active).sum();
    }
}
