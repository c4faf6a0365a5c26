package io.frameloom.gpu.check;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.MemoryUsage;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The history of one resource, region by region. */
final class TrackedResource {
    private final Resource resource;
    private final Box everything;
    private final Resource.@Nullable Placement placement;
    private final boolean ofSwapchain;
    private List<Region> regions = new ArrayList<>(1);
    private boolean acquired;

    TrackedResource(Resource resource) {
        this.resource = resource;
        this.placement = resource.placement();
        this.ofSwapchain = resource instanceof Texture texture && texture.isSwapchainImage();
        boolean defined = false;
        if (resource instanceof Buffer buffer) {
            everything = Box.bytes(0, buffer.description().bytes());
            defined = buffer.description().memory() != MemoryUsage.DEVICE;
        } else {
            everything = Box.of(SubresourceRange.all(((Texture) resource).description()));
        }
        TextureLayout imported = resource.imported();
        Region whole = new Region(everything, defined || (imported != null && imported != TextureLayout.UNDEFINED));
        if (imported != null && resource instanceof Texture) {
            whole.layout = imported;
        }
        regions.add(whole);
    }

    private TrackedResource(TrackedResource from) {
        this.resource = from.resource;
        this.everything = from.everything;
        this.placement = from.placement;
        this.ofSwapchain = from.ofSwapchain;
        this.acquired = from.acquired;
        this.regions = new ArrayList<>(from.regions.size());
        from.regions.forEach(region -> regions.add(region.in(region.box())));
    }

    /** Returns a history that says the same and goes its own way from here. */
    TrackedResource copy() {
        return new TrackedResource(this);
    }

    /** Returns whether later accesses are judged alike by both, given that the host has seen {@code host}. */
    boolean sameAbove(Clock host, TrackedResource other) {
        if (acquired != other.acquired) {
            return false;
        }
        for (Region mine : regions) {
            for (Region theirs : other.regions) {
                if (mine.box().intersection(theirs.box()) != null && !mine.sameAbove(host, theirs)) {
                    return false;
                }
            }
        }
        return true;
    }

    Resource resource() {
        return resource;
    }

    /** Returns whether this belongs to the presentation engine now. */
    boolean isPresentationEngines() {
        return ofSwapchain && !acquired;
    }

    /** Notes that an image of a swapchain was acquired, or handed to presentation. */
    void acquired(boolean now) {
        acquired = now;
    }

    /** Returns all regions. */
    List<Region> regions() {
        return List.copyOf(regions);
    }

    Resource.@Nullable Placement placement() {
        return placement;
    }

    /** Returns the part of a box that the resource has, null if none. */
    @Nullable
    Box clip(Box box) {
        return everything.intersection(box);
    }

    /** Returns the regions of a box, cut along its borders. */
    List<Region> select(Box box) {
        if (regions.size() == 1 && box.contains(everything)) {
            return List.of(regions.get(0));
        }
        List<Region> selected = new ArrayList<>();
        List<Region> all = new ArrayList<>(regions.size() + 2);
        for (Region region : regions) {
            Box inside = region.box().intersection(box);
            if (inside == null) {
                all.add(region);
            } else if (inside.equals(region.box())) {
                all.add(region);
                selected.add(region);
            } else {
                region.box().without(inside, part -> all.add(region.in(part)));
                Region cut = region.in(inside);
                all.add(cut);
                selected.add(cut);
            }
        }
        regions = all;
        return selected;
    }

    /** Returns the regions that share memory with {@code box} of {@code other}. */
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

    /** Returns whether a region of this may share memory with one of an alias. */
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

    /** Replaces the regions of a box by one; they were selected by the same box. */
    Region unite(Box box, List<Region> selected) {
        if (selected.size() == 1) {
            return selected.get(0);
        }
        Region united = selected.get(0).in(box);
        regions.removeAll(selected);
        regions.add(united);
        return united;
    }

    /** Returns the pass of an access that the host has not seen complete, null if there is none. */
    @Nullable
    String pendingPass(Clock host) {
        for (Region region : regions) {
            String pass = region.pendingPass(host);
            if (pass != null) {
                return pass;
            }
        }
        return null;
    }

    /** Returns whether there is no access that may still be met. */
    boolean quiet() {
        return regions.stream().allMatch(Region::quiet);
    }

    /** Returns whether {@link #retire} has nothing to forget until there are more accesses. */
    boolean settled() {
        return regions.stream().allMatch(Region::settled);
    }

    /** Forgets what the host has seen complete and joins what has become equal; returns whether nothing is left. */
    boolean retire(Clock host) {
        boolean quiet = true;
        for (Region region : regions) {
            region.retire(host);
            quiet &= region.quiet();
        }
        if (regions.size() > 1) {
            joinEqual(quiet);
        }
        return quiet;
    }

    private void joinEqual(boolean quiet) {
        Region first = regions.get(0);
        if (quiet && regions.stream().allMatch(first::sameQuietState)) {
            regions = new ArrayList<>(List.of(first.in(everything)));
            return;
        }
        if (!(resource instanceof Buffer)) {
            return;
        }
        regions.sort(Comparator.comparingLong(region -> region.box().low()));
        List<Region> joined = new ArrayList<>(regions.size());
        for (Region region : regions) {
            int last = joined.size() - 1;
            if (last >= 0 && joined.get(last).sameQuietState(region)) {
                Box before = joined.get(last).box();
                joined.set(last, region.in(Box.bytes(before.low(), region.box().high() - before.low())));
            } else {
                joined.add(region);
            }
        }
        regions = joined;
    }
}
