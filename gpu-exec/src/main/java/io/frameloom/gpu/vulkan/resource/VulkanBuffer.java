package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.record.DeviceObject;
import io.frameloom.gpu.record.MappingRules;
import io.frameloom.gpu.record.Perishable;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;

/** A buffer of a Vulkan device. */
public final class VulkanBuffer implements Buffer, DeviceObject, Perishable {
    private final DeviceCore core;
    private final MemoryAllocator memory;
    private final String name;
    private final BufferDescription description;
    private final long handle;
    private final long allocation;
    private final long mapped;
    private final @Nullable Placement placement;
    private final boolean imported;
    private final Set<Integer> sharedFamilies;
    private final long serial;
    private final AtomicBoolean closed = new AtomicBoolean();

    VulkanBuffer(
            DeviceCore core,
            MemoryAllocator memory,
            String name,
            BufferDescription description,
            long handle,
            long allocation,
            long mapped,
            @Nullable Placement placement) {
        this.core = core;
        this.memory = memory;
        this.name = name;
        this.description = description;
        this.handle = handle;
        this.allocation = allocation;
        this.mapped = mapped;
        this.placement = placement;
        this.imported = false;
        this.sharedFamilies = Set.of();
        this.serial = core.nextSerial();
        core.names().name(VK13.VK_OBJECT_TYPE_BUFFER, handle, name);
    }

    /** An engine's buffer. */
    public VulkanBuffer(
            DeviceCore core,
            MemoryAllocator memory,
            String name,
            BufferDescription description,
            long handle,
            Set<Integer> sharedFamilies) {
        this.core = core;
        this.memory = memory;
        this.name = name;
        this.description = description;
        this.handle = handle;
        this.allocation = MemoryUtil.NULL;
        this.mapped = MemoryUtil.NULL;
        this.placement = null;
        this.imported = true;
        this.sharedFamilies = sharedFamilies;
        this.serial = core.nextSerial();
    }

    public long handle() {
        return handle;
    }

    /** Returns the serial number of this buffer: the driver may reuse its handle. */
    public long serial() {
        return serial;
    }

    public boolean belongsTo(DeviceCore device) {
        return core == device;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public BufferDescription description() {
        return description;
    }

    @Override
    public ByteBuffer mapped() {
        MappingRules.whole(this, mapped != MemoryUtil.NULL);
        return MemoryUtil.memByteBuffer(mapped, (int) description.bytes());
    }

    @Override
    public ByteBuffer mapped(long offset, int bytes) {
        MappingRules.part(this, mapped != MemoryUtil.NULL, offset, bytes);
        return MemoryUtil.memByteBuffer(mapped + offset, bytes);
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
        return imported ? TextureLayout.GENERAL : null;
    }

    @Override
    public Set<Integer> sharedFamilies() {
        return sharedFamilies;
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
    public void close() {
        core.gate().closing(this::destroy);
    }

    /** Closes it; the caller is in the gate of the device. */
    public void destroy() {
        if (closed.compareAndSet(false, true)) {
            core.closings().add();
            core.reportClosed(this);
            core.objects().remove(this);
            if (!imported) {
                core.retired().add(() -> memory.freeBuffer(handle, allocation));
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
