package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** The history of one resource, region by region. */
final class TrackedResource {
    private final Resource resource;
    /** Other resources that are the same object of the driver. */
    private List<Resource> others = List.of();

    private Box everything;
    private Resource.@Nullable Placement placement;
    private final boolean ofSwapchain;
    private final boolean mapped;
    private final Regions regions;
    private boolean acquired;
    /** Whether what shares its memory may leave it alone until it is used again. */
    private boolean asleep;

    TrackedResource(Resource resource) {
        this.resource = resource;
        this.placement = resource.placement();
        this.ofSwapchain = resource instanceof Texture texture && texture.isSwapchainImage();
        this.mapped = isMapped(resource);
        this.everything = allOf(resource);
        regions = new Regions(resource instanceof Texture, fresh(resource, everything));
    }

    private static Box allOf(Resource resource) {
        return resource instanceof Buffer buffer
                ? Box.bytes(0, buffer.description().bytes())
                : Box.of(SubresourceRange.all(((Texture) resource).description()));
    }

    private static boolean isMapped(Resource resource) {
        return resource instanceof Buffer buffer && buffer.description().memory() != MemoryUsage.DEVICE;
    }

    /** Returns whether the host reads what the device writes at times that are unknown. */
    boolean isReadback() {
        return resource instanceof Buffer buffer && buffer.description().memory() == MemoryUsage.READBACK;
    }

    /** Returns whether the host may not read here what it may read of {@code other} there, by visibility. */
    boolean hidesMoreThan(TrackedResource other, Shown known, Shown toOther) {
        return !allAlike(
                other, (mine, theirs) -> !mine.hides(known, resource) || theirs.hides(toOther, other.resource));
    }

    /** As {@link #hidesMoreThan}, of a host that has waited for everything. */
    boolean leavesMoreHiddenThan(TrackedResource other, Shown known, Shown toOther) {
        return !allAlike(
                other,
                (mine, theirs) ->
                        !mine.hidesAnything(known, resource) || theirs.hidesAnything(toOther, other.resource));
    }

    private static Region fresh(Resource resource, Box box) {
        TextureLayout imported = resource.imported();
        Region region =
                new Region(box, isMapped(resource) || (imported != null && imported != TextureLayout.UNDEFINED));
        region.owner = imported != null ? Region.UNKNOWN : resource.isExclusive() ? Region.NO_FAMILY : Region.SHARED;
        region.bound = !(resource instanceof Texture texture) || texture.sparse() == null;
        if (imported != null && resource instanceof Texture) {
            region.layout = imported;
        }
        return region;
    }

    /** Notes that another resource is the same object of the driver; it may show more of it. */
    void isAlso(Resource other) {
        for (Resource known : others) {
            if (known == other) {
                return;
            }
        }
        List<Resource> more = new ArrayList<>(others);
        more.add(other);
        others = more;
        if (placement == null) {
            placement = other.placement();
        }
        Box bounds = everything.unitedWith(allOf(other));
        if (!everything.equals(bounds)) {
            bounds.without(everything, part -> regions.add(fresh(other, part)));
            everything = bounds;
        }
    }

    private TrackedResource(TrackedResource from) {
        this.resource = from.resource;
        this.others = from.others;
        this.everything = from.everything;
        this.placement = from.placement;
        this.ofSwapchain = from.ofSwapchain;
        this.mapped = from.mapped;
        this.acquired = from.acquired;
        this.regions = new Regions(from.regions);
    }

    /** Returns an equal history that later changes do not share. */
    TrackedResource copy() {
        return new TrackedResource(this);
    }

    /** Returns whether later accesses are judged alike by both, given what the host has seen. */
    boolean sameAbove(HostView host, TrackedResource other) {
        return acquired == other.acquired && allAlike(other, (mine, theirs) -> mine.sameAbove(host, theirs));
    }

    /** Returns whether an owner that takes both over finds them in the same layouts and with the same families. */
    boolean leftAs(TrackedResource other) {
        return allAlike(other, (mine, theirs) -> mine.layout == theirs.layout && mine.hasOwnerOf(theirs));
    }

    private boolean allAlike(TrackedResource other, BiPredicate<Region, Region> alike) {
        return regions.allAlike(other.regions, alike);
    }

    Resource resource() {
        return resource;
    }

    boolean isImported() {
        return resource.imported() != null && others.stream().allMatch(other -> other.imported() != null);
    }

    /** Returns whether queues of a family may use the object, handed over or not. */
    boolean sharedWith(int family) {
        return resource.sharedFamilies().isEmpty() || resource.sharedFamilies().contains(family);
    }

    /** Returns whether the object is gone or its owner has it back: closing an import does not destroy it. */
    boolean isClosed() {
        if (others.isEmpty()) {
            return resource.isClosed();
        }
        boolean all = resource.isClosed();
        boolean destroyed = all && resource.imported() == null;
        for (Resource other : others) {
            all &= other.isClosed();
            destroyed |= other.isClosed() && other.imported() == null;
        }
        return all || destroyed;
    }

    /**
     * Returns whether the object's owner has it back and may destroy it now. The device destroys its own objects when
     * it has completed what was submitted before the close.
     */
    boolean isGivenBack() {
        return isImported() && isClosed();
    }

    boolean isPresentationEngines() {
        return ofSwapchain && !acquired;
    }

    /** Notes that an image of a swapchain was acquired, or handed to presentation. */
    void acquired(boolean now) {
        acquired = now;
    }

    List<Region> regions() {
        return regions.all();
    }

    Resource.@Nullable Placement placement() {
        return placement;
    }

    /** Returns the part of a box that the resource has, null if none. */
    @Nullable
    Box clip(Box box) {
        return everything.intersection(box);
    }

    List<Region> select(Box box) {
        return regions.select(box);
    }

    List<Region> selectAliased(TrackedResource other, Box box) {
        long[] range = other.heapRange(box);
        Resource.Placement own = placement;
        if (own == null || range[1] <= own.offset() || own.offset() + own.bytes() <= range[0]) {
            return List.of();
        }
        if (!(resource instanceof Buffer)) {
            return select(everything);
        }
        Box bytes = Box.bytes(range[0] - own.offset(), range[1] - range[0]);
        Box inside = everything.intersection(bytes);
        return inside == null ? List.of() : select(inside);
    }

    /** Returns whether an operation on {@code box} of {@code other} surely touches all memory of a region of this. */
    boolean coveredBy(Region region, TrackedResource other, Box box) {
        if (other.resource instanceof Texture && !box.contains(other.everything)) {
            return false;
        }
        long[] range = other.heapRange(box);
        long[] own = heapRange(region.box());
        return range[0] <= own[0] && own[1] <= range[1];
    }

    boolean sharesMemory(Region region, TrackedResource other, Region aliased) {
        long[] own = heapRange(region.box());
        long[] theirs = other.heapRange(aliased.box());
        return own[0] < theirs[1] && theirs[0] < own[1];
    }

    /** Returns the heap bytes of a box: exact for buffers, the whole placement for textures. */
    private long[] heapRange(Box box) {
        Resource.Placement own = placement;
        if (own == null) {
            return new long[] {0, 0};
        }
        return resource instanceof Buffer
                ? new long[] {own.offset() + box.low(), own.offset() + box.high()}
                : new long[] {own.offset(), own.offset() + own.bytes()};
    }

    /**
     * Replaces the regions of a box by as few as can be, with the history of any of them, unless they differ in their
     * owners or in their memory; they were selected by the same box.
     *
     * @return what the box consists of now
     */
    List<Region> unite(Box box, List<Region> selected) {
        Region first = selected.get(0);
        if (selected.size() == 1
                || !selected.stream().allMatch(each -> first.hasOwnerOf(each) && first.bound == each.bound)) {
            return selected;
        }
        return regions.unite(box, first);
    }

    /** Returns the pass of an access that the host has not seen complete, null if there is none. */
    @Nullable
    String pendingPass(HostView host) {
        for (Region region : regions.active()) {
            String pass = region.pendingPass(host);
            if (pass != null) {
                return pass;
            }
        }
        return null;
    }

    boolean isAsleep() {
        return asleep;
    }

    void wake() {
        asleep = false;
    }

    /**
     * Falls asleep if it has neither accesses nor contents that an access to shared memory could conflict with; returns
     * whether it has.
     */
    boolean fallAsleep() {
        asleep = regions.allMatch(Region::dormant);
        return asleep;
    }

    int active() {
        return regions.active().size();
    }

    /** Returns whether no access is left that a later one could conflict with. */
    boolean quiet() {
        return regions.allActive(Region::quiet);
    }

    /** Returns whether {@link #retire} has nothing to forget until there are more accesses. */
    boolean settled() {
        return regions.allActive(Region::settled);
    }

    /**
     * Forgets what the host has seen complete and joins what has become equal; returns whether nothing is left.
     *
     * @param before what counts of that for a resource that split barriers may rewrite, which are none that the host
     *     maps
     */
    boolean retire(HostView host, HostView before) {
        regions.retire(region -> region.retire(mapped ? host : before, mapped));
        return quiet();
    }
}
