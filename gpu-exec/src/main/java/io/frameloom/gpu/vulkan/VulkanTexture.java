package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.VulkanResults.check;

import io.frameloom.gpu.Format;
import io.frameloom.gpu.FormatSupport;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureRegion;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TextureView;
import io.frameloom.gpu.TextureViewKind;
import io.frameloom.gpu.record.Perishable;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkImageViewCreateInfo;
import org.lwjgl.vulkan.VkImageViewUsageCreateInfo;

/** A texture of a Vulkan device with the views made of it. */
final class VulkanTexture implements Texture, DeviceObject, Perishable {
    private final DeviceCore core;
    private final MemoryAllocator memory;
    private final String name;
    private final TextureDescription description;
    private final long handle;
    private final long allocation;
    private final @Nullable Placement placement;
    private final @Nullable TextureLayout imported;
    private final boolean ofSwapchain;
    private final SubresourceRange everything;
    private final TextureRegion first;
    /** Views of the natural kind, looked up without making a key. */
    private final ConcurrentHashMap<SubresourceRange, View> views = new ConcurrentHashMap<>();

    /** All views. */
    private final ConcurrentHashMap<ViewKey, View> created = new ConcurrentHashMap<>();

    private final AtomicBoolean closed = new AtomicBoolean();

    VulkanTexture(
            DeviceCore core,
            MemoryAllocator memory,
            String name,
            TextureDescription description,
            long handle,
            long allocation,
            @Nullable Placement placement) {
        this.core = core;
        this.memory = memory;
        this.name = name;
        this.description = description;
        this.handle = handle;
        this.allocation = allocation;
        this.placement = placement;
        this.imported = null;
        this.ofSwapchain = false;
        this.everything = SubresourceRange.all(description);
        this.first = TextureRegion.mip(description, 0).withLayers(0, 1);
        core.names().name(VK13.VK_OBJECT_TYPE_IMAGE, handle, name);
    }

    /** A texture of an image that is somebody else's. */
    VulkanTexture(
            DeviceCore core,
            MemoryAllocator memory,
            String name,
            TextureDescription description,
            long handle,
            TextureLayout imported) {
        this.core = core;
        this.memory = memory;
        this.name = name;
        this.description = description;
        this.handle = handle;
        this.allocation = 0;
        this.placement = null;
        this.imported = imported;
        this.ofSwapchain = false;
        this.everything = SubresourceRange.all(description);
        this.first = TextureRegion.mip(description, 0).withLayers(0, 1);
    }

    /** A texture of a swapchain's image. */
    VulkanTexture(DeviceCore core, MemoryAllocator memory, String name, TextureDescription description, long handle) {
        this.core = core;
        this.memory = memory;
        this.name = name;
        this.description = description;
        this.handle = handle;
        this.allocation = 0;
        this.placement = null;
        this.imported = null;
        this.ofSwapchain = true;
        this.everything = SubresourceRange.all(description);
        this.first = TextureRegion.mip(description, 0).withLayers(0, 1);
        core.names().name(VK13.VK_OBJECT_TYPE_IMAGE, handle, name);
    }

    private record ViewKey(SubresourceRange range, TextureViewKind kind, Format format) {}

    /** A view; its image view lives as long as the texture. */
    static final class View implements TextureView {
        private final VulkanTexture texture;
        private final SubresourceRange range;
        private final TextureViewKind kind;
        private final Format format;
        private final long handle;
        private final long serial;
        /** The view of the first plane alone; this one if there is but one plane. */
        private final View firstPlane;

        private View(VulkanTexture texture, ViewKey key, long handle, @Nullable View firstPlane) {
            this.texture = texture;
            this.range = key.range;
            this.kind = key.kind;
            this.format = key.format;
            this.handle = handle;
            this.serial = texture.core.nextSerial();
            this.firstPlane = firstPlane == null ? this : firstPlane;
        }

        long handle() {
            return handle;
        }

        /** Returns what tells this view from another that the driver gives the same handle later. */
        long serial() {
            return serial;
        }

        /** Returns the view that shaders read: of depth alone where this one has stencil as well. */
        View sampled() {
            return firstPlane;
        }

        @Override
        public VulkanTexture texture() {
            return texture;
        }

        @Override
        public SubresourceRange range() {
            return range;
        }

        @Override
        public TextureViewKind kind() {
            return kind;
        }

        @Override
        public Format format() {
            return format;
        }
    }

    long handle() {
        return handle;
    }

    /** Returns the region of mip 0 of layer 0. */
    TextureRegion first() {
        return first;
    }

    boolean belongsTo(DeviceCore device) {
        return core == device;
    }

    @Override
    public Kind objectKind() {
        return Kind.TEXTURE;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public TextureDescription description() {
        return description;
    }

    @Override
    public View view() {
        return view(everything);
    }

    @Override
    public View view(SubresourceRange range) {
        View known = views.get(range);
        return known != null ? known : views.computeIfAbsent(range, this::natural);
    }

    @Override
    public View view(SubresourceRange range, TextureViewKind kind, Format format) {
        requireWithin(range);
        kind.require(name, description, range, format);
        return create(new ViewKey(range, kind, format));
    }

    private View natural(SubresourceRange range) {
        requireWithin(range);
        return create(new ViewKey(range, TextureViewKind.natural(description, range), description.format()));
    }

    private void requireWithin(SubresourceRange range) {
        if (!everything.contains(range)) {
            throw new IllegalArgumentException(
                    "view " + range + " is not within texture '" + name + "' of " + everything);
        }
    }

    /**
     * Returns the one view of a key. That of its first plane is another key of the map and comes first: what fails
     * between the two leaves nothing that is not in the map.
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
                        : create(new ViewKey(range.plane(range.basePlane()), key.kind, key.format));
                known = new View(this, key, createView(key), firstPlane);
                created.put(key, known);
            }
            return known;
        }
    }

    private long createView(ViewKey key) {
        if (closed.get()) {
            throw new IllegalStateException("texture '" + name + "' is closed");
        }
        SubresourceRange range = key.range;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            if (key.kind == TextureViewKind.CUBE_ARRAY
                    && !core.features().all().features().imageCubeArray()) {
                throw new IllegalArgumentException(
                        "device '" + core.capabilities().name() + "' has no cube arrays; see texture '" + name
                                + "' as CUBE or TWO_D_ARRAY");
            }
            VkImageViewCreateInfo info = VkImageViewCreateInfo.calloc(stack)
                    .sType$Default()
                    .image(handle)
                    .viewType(VulkanFormats.viewType(key.kind))
                    .format(VulkanFormats.of(key.format));
            if (key.format != description.format()) {
                info.pNext(VkImageViewUsageCreateInfo.calloc(stack)
                        .sType$Default()
                        .usage(VulkanMasks.textureUsage(usableAs(key.format))));
            }
            info.subresourceRange()
                    .aspectMask(VulkanFormats.aspects(description.format(), range))
                    .baseMipLevel(range.baseMip())
                    .levelCount(range.mipCount())
                    .baseArrayLayer(range.baseLayer())
                    .layerCount(range.layerCount());
            var out = stack.mallocLong(1);
            check(VK13.vkCreateImageView(core.handle(), info, null, out), "create a view of texture '" + name + "'");
            core.names().name(VK13.VK_OBJECT_TYPE_IMAGE_VIEW, out.get(0), name);
            return out.get(0);
        }
    }

    /** Returns the usages of the texture that another format has as well, such as all but storage for sRGB. */
    private Set<TextureUsage> usableAs(Format format) {
        FormatSupport support = VulkanFormats.support(core, format);
        Set<TextureUsage> usable = EnumSet.copyOf(description.usage());
        usable.removeIf(usage -> !support.supports(usage));
        return usable;
    }

    @Override
    public @Nullable Placement placement() {
        return placement;
    }

    @Override
    public long nativeHandle() {
        return handle;
    }

    @Override
    public @Nullable TextureLayout imported() {
        return imported;
    }

    @Override
    public boolean isClosed() {
        return closed.get();
    }

    @Override
    public @Nullable String closedPart() {
        return closed.get() ? "'" + name + "'" : null;
    }

    @Override
    public boolean isSwapchainImage() {
        return ofSwapchain;
    }

    @Override
    public void close() {
        if (ofSwapchain && !closed.get()) {
            throw new IllegalStateException(
                    "texture '" + name + "' is an image of a swapchain; close or recreate the swapchain");
        }
        release();
    }

    /** Destroys what is Frameloom's; also for the images of a swapchain, which calls it. */
    void release() {
        if (closed.compareAndSet(false, true)) {
            core.closings().add();
            core.objects().remove(this);
            // With the lock, so that a view that is just being made is either refused or among these.
            synchronized (created) {
                created.values().forEach(view -> VK13.vkDestroyImageView(core.handle(), view.handle, null));
            }
            if (imported == null && !ofSwapchain) {
                memory.freeTexture(handle, allocation);
            }
            if (placement != null) {
                ((VulkanHeap) placement.heap()).vacated(name);
            }
        }
    }

    @Override
    public String toString() {
        return describe();
    }
}
