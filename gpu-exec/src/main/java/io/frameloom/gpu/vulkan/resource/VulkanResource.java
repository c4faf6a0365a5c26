package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.resource.Resource.Placement;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanObject;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The common part of textures and buffers: where their memory is, and who else uses it. Any thread. */
public abstract class VulkanResource extends VulkanObject {
    final MemoryAllocator memory;
    final long handle;
    final long allocation;
    private final @Nullable Placement placement;
    private final @Nullable TextureLayout imported;
    private final Set<Integer> sharedFamilies;

    VulkanResource(
            DeviceCore core,
            MemoryAllocator memory,
            String name,
            long handle,
            long allocation,
            @Nullable Placement placement,
            @Nullable TextureLayout imported,
            Set<Integer> sharedFamilies) {
        super(core, name);
        this.memory = memory;
        this.handle = handle;
        this.allocation = allocation;
        this.placement = placement;
        this.imported = imported;
        this.sharedFamilies = sharedFamilies;
    }

    public final long handle() {
        return handle;
    }

    public final long nativeHandle() {
        return handle;
    }

    public final @Nullable Placement placement() {
        return placement;
    }

    public final @Nullable TextureLayout imported() {
        return imported;
    }

    public final Set<Integer> sharedFamilies() {
        return sharedFamilies;
    }

    public final boolean isShared() {
        return memory.isShared(allocation);
    }

    @Override
    protected final void retired() {
        if (placement != null) {
            ((VulkanHeap) placement.heap()).vacated(name());
        }
    }
}
