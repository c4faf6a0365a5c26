package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.VulkanResults.check;

import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureView;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkImageViewCreateInfo;

/** A texture of a Vulkan device with the views made of it. */
final class VulkanTexture implements Texture, DeviceObject {
    private final DeviceCore core;
    private final MemoryAllocator memory;
    private final String name;
    private final TextureDescription description;
    private final long handle;
    private final long allocation;
    private final @Nullable Placement placement;
    private final @Nullable TextureLayout imported;
    private final SubresourceRange everything;
    private final ConcurrentHashMap<SubresourceRange, View> views = new ConcurrentHashMap<>();
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
        this.everything = SubresourceRange.all(description);
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
        this.everything = SubresourceRange.all(description);
    }

    /** A view; its image view lives as long as the texture. */
    static final class View implements TextureView {
        private final VulkanTexture texture;
        private final SubresourceRange range;
        private final long handle;

        private View(VulkanTexture texture, SubresourceRange range, long handle) {
            this.texture = texture;
            this.range = range;
            this.handle = handle;
        }

        long handle() {
            return handle;
        }

        /** Returns the view that shaders read: of depth alone where this one has stencil as well. */
        View sampled() {
            return range.planeCount() == 1
                    ? this
                    : texture.view(new SubresourceRange(
                            range.baseMip(), range.mipCount(), range.baseLayer(), range.layerCount(), 0, 1));
        }

        @Override
        public VulkanTexture texture() {
            return texture;
        }

        @Override
        public SubresourceRange range() {
            return range;
        }
    }

    long handle() {
        return handle;
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
        return known != null ? known : views.computeIfAbsent(range, this::createView);
    }

    private View createView(SubresourceRange range) {
        if (!everything.contains(range)) {
            throw new IllegalArgumentException(
                    "view " + range + " is not within texture '" + name + "' of " + everything);
        }
        if (closed.get()) {
            throw new IllegalStateException("texture '" + name + "' is closed");
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkImageViewCreateInfo info = VkImageViewCreateInfo.calloc(stack)
                    .sType$Default()
                    .image(handle)
                    .viewType(range.layerCount() > 1 ? VK13.VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK13.VK_IMAGE_VIEW_TYPE_2D)
                    .format(VulkanFormats.of(description.format()));
            info.subresourceRange()
                    .aspectMask(VulkanFormats.aspects(description.format(), range))
                    .baseMipLevel(range.baseMip())
                    .levelCount(range.mipCount())
                    .baseArrayLayer(range.baseLayer())
                    .layerCount(range.layerCount());
            var out = stack.mallocLong(1);
            check(VK13.vkCreateImageView(core.handle(), info, null, out), "create a view of texture '" + name + "'");
            core.names().name(VK13.VK_OBJECT_TYPE_IMAGE_VIEW, out.get(0), name);
            return new View(this, range, out.get(0));
        }
    }

    @Override
    public @Nullable Placement placement() {
        return placement;
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
    public void close() {
        if (closed.compareAndSet(false, true)) {
            core.objects().remove(this);
            views.values().forEach(view -> VK13.vkDestroyImageView(core.handle(), view.handle, null));
            if (imported == null) {
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
