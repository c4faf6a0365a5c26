package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.record.MappingRules;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferDeviceAddressInfo;

/** A buffer of a Vulkan device. */
public class VulkanBuffer extends VulkanResource implements Buffer {
    private final BufferDescription description;
    private final long mapped;
    private final long serial;
    /** 0 if it has none. */
    private final long address;

    VulkanBuffer(
            DeviceCore core,
            MemoryAllocator memory,
            String name,
            BufferDescription description,
            long handle,
            long allocation,
            long mapped,
            @Nullable Placement placement) {
        super(core, memory, name, handle, allocation, placement, null, Set.of());
        this.description = description;
        this.mapped = mapped;
        this.serial = core.nextSerial();
        boolean addressed = !isShared() && ResourceInfos.hasAddress(core, description);
        this.address = addressed ? deviceAddress() : 0;
        if (keepsAddress()) {
            core.evidence().addresses().bound(VK13.VK_OBJECT_TYPE_BUFFER, handle, address, description.bytes());
        }
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
        super(core, memory, name, handle, MemoryUtil.NULL, null, TextureLayout.GENERAL, sharedFamilies);
        this.description = description;
        this.mapped = MemoryUtil.NULL;
        this.serial = core.nextSerial();
        this.address = 0;
    }

    /** Returns the serial number of this buffer: the driver may reuse its handle. */
    public final long serial() {
        return serial;
    }

    @Override
    public final BufferDescription description() {
        return description;
    }

    @Override
    public final ByteBuffer mapped() {
        MappingRules.whole(this, mapped != MemoryUtil.NULL);
        return MemoryUtil.memByteBuffer(mapped, (int) description.bytes());
    }

    @Override
    public final ByteBuffer mapped(long offset, int bytes) {
        MappingRules.part(this, mapped != MemoryUtil.NULL, offset, bytes);
        return MemoryUtil.memByteBuffer(mapped + offset, bytes);
    }

    @Override
    public long address() {
        requireOpen("asked for its address");
        return address != 0 ? address : Buffer.super.address();
    }

    private boolean keepsAddress() {
        return address != 0 && core.evidence().keepsAddresses();
    }

    private long deviceAddress() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            return VK13.vkGetBufferDeviceAddress(
                    core.handle(),
                    VkBufferDeviceAddressInfo.calloc(stack).sType$Default().buffer(handle));
        }
    }

    @Override
    protected final void reportClosed() {
        core.feed().closed(this);
    }

    @Override
    protected void free() {
        if (imported() == null) {
            if (keepsAddress()) {
                core.evidence().addresses().unbound(VK13.VK_OBJECT_TYPE_BUFFER, handle, address);
            }
            memory.freeBuffer(handle, allocation);
        }
    }
}
