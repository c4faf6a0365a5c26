package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.device.ResidentLevels;
import io.frameloom.gpu.record.OwnedView;
import io.frameloom.gpu.record.ViewRules;
import io.frameloom.gpu.resource.ComponentMapping;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SparseLevels;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import io.frameloom.gpu.virtual.memory.VirtualMemory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A texture of the virtual device. Planes follow each other, in a plane layers, in a layer mips, in a mip slices of
 * rows of blocks, all tightly packed; the samples of a texel lie together.
 */
final class VirtualTexture extends VirtualResource implements Texture {
    private final TextureDescription description;
    private final boolean ofSwapchain;
    private final SubresourceRange everything;
    private final Map<View, View> views = new ConcurrentHashMap<>();
    private final @Nullable ResidentLevels<Object> resident;

    /** A view; {@code seen} is what it was asked for, with slices as layers. */
    private record View(
            Texture texture, SubresourceRange seen, TextureViewKind kind, Format format, ComponentMapping components)
            implements OwnedView {
        @Override
        public SubresourceRange range() {
            return ViewRules.subresources(texture.description(), seen, kind);
        }

        @Override
        public int baseLayer() {
            return seen.baseLayer();
        }

        @Override
        public int layerCount() {
            return seen.layerCount();
        }
    }

    /** Takes contiguous pieces of memory. */
    @FunctionalInterface
    interface Piece {
        void accept(long offset, long bytes);
    }

    VirtualTexture(
            SimulatedDevice device,
            String name,
            TextureDescription description,
            VirtualMemory memory,
            @Nullable Placement placement,
            boolean ofSwapchain) {
        this(device, name, description, memory, placement, ofSwapchain, null);
    }

    /** A texture that is sparse if it has resident levels. */
    VirtualTexture(
            SimulatedDevice device,
            String name,
            TextureDescription description,
            VirtualMemory memory,
            @Nullable Placement placement,
            boolean ofSwapchain,
            @Nullable ResidentLevels<Object> resident) {
        super(device, name, memory, placement);
        this.resident = resident;
        this.ofSwapchain = ofSwapchain;
        this.description = description;
        this.everything = SubresourceRange.all(description);
    }

    /** Returns a texture of the same name and shape with memory of its own, of which nothing exists yet. */
    VirtualTexture withoutMemory() {
        return new VirtualTexture(device(), name(), description, emptyMemory(), null, ofSwapchain);
    }

    @Override
    public @Nullable SparseLevels sparse() {
        return resident == null ? null : resident.levels();
    }

    /** Returns the memory of a sparse texture, null for any other. */
    @Nullable
    ResidentLevels<Object> resident() {
        return resident;
    }

    @Override
    void freed() {
        if (resident != null) {
            resident.free();
        }
    }

    @Override
    public boolean isSwapchainImage() {
        return ofSwapchain;
    }

    @Override
    public void close() {
        if (ofSwapchain && !isClosed()) {
            throw new IllegalStateException(
                    describe() + " is an image of a swapchain; close or recreate the swapchain");
        }
        release();
    }

    /** Frees the memory; also for the images of a swapchain, which calls it. */
    void release() {
        super.close();
    }

    @Override
    public TextureDescription description() {
        return description;
    }

    @Override
    public TextureView view() {
        return view(everything);
    }

    @Override
    public TextureView view(SubresourceRange range) {
        return view(range, TextureViewKind.natural(description, range), description.format());
    }

    @Override
    public TextureView view(SubresourceRange range, TextureViewKind kind, Format format, ComponentMapping components) {
        ViewRules.within(name(), description, range, kind);
        requireOpen("viewed");
        kind.require(name(), description, range, format);
        ViewRules.check(name(), description, kind, format, components, VirtualFormats::support);
        View view = new View(this, range, kind, format, components);
        View known = views.putIfAbsent(view, view);
        return known == null ? view : known;
    }

    static long bytes(TextureDescription description) {
        long total = 0;
        for (int plane = 0; plane < description.format().planes(); plane++) {
            total += planeBytes(description, plane);
        }
        return total;
    }

    long mipBytes(int mip, int plane) {
        return mipBytes(description, mip, plane);
    }

    /** Returns the bytes of a block with all its samples. */
    int blockBytes(int plane) {
        return description.format().planeBytes(plane) * description.samples();
    }

    long rowBytes(int mip, int plane) {
        return (long) description.format().columns(description.width(mip)) * blockBytes(plane);
    }

    long sliceBytes(int mip, int plane) {
        return description.format().rows(description.height(mip)) * rowBytes(mip, plane);
    }

    /** Returns the address of a subresource in the texture's memory. */
    long address(int mip, int layer, int plane) {
        long address = base() + layer * layerBytes(description, plane);
        for (int before = 0; before < plane; before++) {
            address += planeBytes(description, before);
        }
        for (int below = 0; below < mip; below++) {
            address += mipBytes(below, plane);
        }
        return address;
    }

    long address(int mip, int layer, int plane, int x, int y, int z) {
        Format format = description.format();
        return address(mip, layer, plane)
                + z * sliceBytes(mip, plane)
                + y / format.blockHeight() * rowBytes(mip, plane)
                + (long) (x / format.blockWidth()) * blockBytes(plane);
    }

    /** Visits the memory of a range in order of addresses, adjacent subresources in one piece. */
    void pieces(SubresourceRange range, Piece piece) {
        if (range.contains(everything)) {
            piece.accept(base(), bytes(description));
            return;
        }
        for (int plane = range.basePlane(); plane < range.basePlane() + range.planeCount(); plane++) {
            for (int layer = range.baseLayer(); layer < range.baseLayer() + range.layerCount(); layer++) {
                long start = address(range.baseMip(), layer, plane);
                long end = start;
                for (int mip = range.baseMip(); mip < range.baseMip() + range.mipCount(); mip++) {
                    end += mipBytes(mip, plane);
                }
                piece.accept(start, end - start);
            }
        }
    }

    private static long mipBytes(TextureDescription description, int mip, int plane) {
        return (long) description.format().columns(description.width(mip))
                * description.format().rows(description.height(mip))
                * description.depth(mip)
                * description.format().planeBytes(plane)
                * description.samples();
    }

    private static long layerBytes(TextureDescription description, int plane) {
        long total = 0;
        for (int mip = 0; mip < description.mips(); mip++) {
            total += mipBytes(description, mip, plane);
        }
        return total;
    }

    private static long planeBytes(TextureDescription description, int plane) {
        return layerBytes(description, plane) * description.layers();
    }
}
