package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.record.OwnedView;
import io.frameloom.gpu.record.ViewRules;
import io.frameloom.gpu.resource.ComponentMapping;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SparseLevels;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureViewKind;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VK13;

/** A texture of a Vulkan device with the views made of it. */
public final class VulkanTexture extends VulkanResource implements Texture {
    private final TextureDescription description;
    private final boolean ofSwapchain;
    private final @Nullable SparseImage sparse;
    private final SubresourceRange everything;
    private final TextureRegion first;
    /** Views of the natural kind, looked up without making a key. */
    private final ConcurrentHashMap<SubresourceRange, View> views = new ConcurrentHashMap<>();

    /** The view of everything, once it is asked for: passes ask for it again and again. */
    private volatile @Nullable View whole;

    private final ConcurrentHashMap<ViewKey, View> created = new ConcurrentHashMap<>();

    private VulkanTexture(
            DeviceCore core,
            MemoryAllocator memory,
            String name,
            TextureDescription description,
            long handle,
            long allocation,
            @Nullable Placement placement,
            @Nullable TextureLayout imported,
            Set<Integer> sharedFamilies,
            boolean ofSwapchain,
            @Nullable SparseImage sparse) {
        super(core, memory, name, handle, allocation, placement, imported, sharedFamilies);
        this.sparse = sparse;
        this.description = description;
        this.ofSwapchain = ofSwapchain;
        this.everything = SubresourceRange.all(description);
        this.first = TextureRegion.mip(description, 0).withLayers(0, 1);
        if (imported == null) {
            core.names().name(VK13.VK_OBJECT_TYPE_IMAGE, handle, name);
        }
    }

    VulkanTexture(
            DeviceCore core,
            MemoryAllocator memory,
            String name,
            TextureDescription description,
            long handle,
            long allocation,
            @Nullable Placement placement) {
        this(core, memory, name, description, handle, allocation, placement, null, Set.of(), false, null);
    }

    /** A texture of an engine's image. */
    public VulkanTexture(
            DeviceCore core,
            MemoryAllocator memory,
            String name,
            TextureDescription description,
            long handle,
            TextureLayout imported,
            Set<Integer> sharedFamilies) {
        this(core, memory, name, description, handle, 0, null, imported, sharedFamilies, false, null);
    }

    /** A texture of a swapchain's image. */
    public VulkanTexture(
            DeviceCore core, MemoryAllocator memory, String name, TextureDescription description, long handle) {
        this(core, memory, name, description, handle, 0, null, null, Set.of(), true, null);
    }

    /** A sparse texture. */
    VulkanTexture(
            DeviceCore core,
            MemoryAllocator memory,
            String name,
            TextureDescription description,
            long handle,
            SparseImage sparse) {
        this(core, memory, name, description, handle, 0, null, null, Set.of(), false, sparse);
    }

    /** The parameters of a view; the layers of the range are slices if the kind says so. */
    record ViewKey(SubresourceRange range, TextureViewKind kind, Format format, ComponentMapping components) {
        ViewKey(SubresourceRange range, TextureViewKind kind, Format format) {
            this(range, kind, format, ComponentMapping.IDENTITY);
        }
    }

    /**
     * A view; its image view lives as long as the texture.
     *
     * @param serial its number: the driver may reuse its handle
     * @param firstPlane the view of the first plane alone; null if there is only one plane
     */
    public record View(
            VulkanTexture texture,
            SubresourceRange range,
            int baseLayer,
            int layerCount,
            TextureViewKind kind,
            Format format,
            ComponentMapping components,
            long handle,
            long serial,
            @Nullable View firstPlane)
            implements OwnedView {
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }

        /** Returns the view that shaders read: of depth alone where this one has stencil as well. */
        public View sampled() {
            return firstPlane == null ? this : firstPlane;
        }
    }

    /** Returns the region of mip 0 of layer 0. */
    public TextureRegion first() {
        return first;
    }

    @Override
    public TextureDescription description() {
        return description;
    }

    @Override
    public View view() {
        View known = whole;
        if (known == null) {
            known = view(everything);
            whole = known;
        }
        return known;
    }

    @Override
    public View view(SubresourceRange range) {
        View known = views.get(range);
        return known != null ? known : views.computeIfAbsent(range, this::natural);
    }

    @Override
    public View view(SubresourceRange range, TextureViewKind kind, Format format, ComponentMapping components) {
        ViewRules.within(name(), description, range, kind);
        kind.require(name(), description, range, format);
        return create(new ViewKey(range, kind, format, components));
    }

    private View natural(SubresourceRange range) {
        TextureViewKind kind = TextureViewKind.natural(description, range);
        ViewRules.within(name(), description, range, kind);
        return create(new ViewKey(range, kind, description.format()));
    }

    /**
     * Returns the one view of a key. That of its first plane is another key of the map and comes first: a failure
     * between the two leaves nothing outside of the map.
     */
    private View create(ViewKey key) {
        View known = created.get(key);
        if (known != null) {
            return known;
        }
        synchronized (created) {
            known = created.get(key);
            if (known == null) {
                SubresourceRange range = key.range;
                View firstPlane = range.planeCount() == 1
                        ? null
                        : create(new ViewKey(range.plane(range.basePlane()), key.kind, key.format, key.components));
                known = new View(
                        this,
                        ViewRules.subresources(description, range, key.kind),
                        range.baseLayer(),
                        range.layerCount(),
                        key.kind,
                        key.format,
                        key.components,
                        createView(key),
                        core.nextSerial(),
                        firstPlane);
                created.put(key, known);
            }
            return known;
        }
    }

    private long createView(ViewKey key) {
        if (isClosed()) {
            throw new IllegalStateException(describe() + " is closed");
        }
        ViewRules.check(name(), description, key.kind, key.format, key.components, core::support);
        return core.gate().inside(() -> ImageViews.create(core, this, key));
    }

    @Override
    public @Nullable SparseLevels sparse() {
        return sparse == null ? null : sparse.levels().levels();
    }

    /** Returns the pages of a sparse texture, null for any other. */
    public @Nullable SparseImage pages() {
        return sparse;
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
        super.close();
    }

    @Override
    protected void reportClosed() {
        if (!ofSwapchain) {
            core.feed().closed(this);
        }
    }

    /** Destroys what is Frameloom's. */
    @Override
    protected void free() {
        // With the lock, so that a view that is just being made is either refused or among these.
        synchronized (created) {
            created.values().forEach(view -> VK13.vkDestroyImageView(core.handle(), view.handle, null));
        }
        if (imported() == null && !ofSwapchain) {
            memory.freeTexture(handle, allocation);
        }
        if (sparse != null) {
            sparse.free();
        }
    }
}
