package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.record.BuiltContents;
import io.frameloom.gpu.record.RecordedStructure;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.KHRAccelerationStructure;
import org.lwjgl.vulkan.VkAccelerationStructureCreateInfoKHR;
import org.lwjgl.vulkan.VkAccelerationStructureDeviceAddressInfoKHR;

/** An acceleration structure of a Vulkan device, in a buffer of its own. */
public final class VulkanAccelerationStructure extends VulkanBuffer implements RecordedStructure {
    private final Level level;
    private final long structure;
    private final long structureAddress;
    private final BuiltContents built = new BuiltContents();

    private VulkanAccelerationStructure(
            DeviceCore core,
            MemoryAllocator memory,
            String name,
            BufferDescription description,
            Level level,
            long buffer,
            long allocation,
            long structure) {
        super(core, memory, name, description, buffer, allocation, MemoryUtil.NULL, null);
        this.level = level;
        this.structure = structure;
        this.structureAddress = structureAddress();
    }

    /** Creates a structure that fills a buffer, which it then owns. */
    static VulkanAccelerationStructure create(
            DeviceCore core,
            MemoryAllocator memory,
            String name,
            BufferDescription description,
            Level level,
            long buffer,
            long allocation) {
        long structure = core.create(
                KHRAccelerationStructure.VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR,
                name,
                "acceleration structure '" + name + "'",
                (stack, out) -> KHRAccelerationStructure.vkCreateAccelerationStructureKHR(
                        core.handle(),
                        VkAccelerationStructureCreateInfoKHR.calloc(stack)
                                .sType$Default()
                                .buffer(buffer)
                                .size(description.bytes())
                                .type(type(level)),
                        null,
                        out));
        return new VulkanAccelerationStructure(core, memory, name, description, level, buffer, allocation, structure);
    }

    static int type(Level level) {
        return level == Level.TOP
                ? KHRAccelerationStructure.VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR
                : KHRAccelerationStructure.VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
    }

    private long structureAddress() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            return KHRAccelerationStructure.vkGetAccelerationStructureDeviceAddressKHR(
                    core.handle(),
                    VkAccelerationStructureDeviceAddressInfoKHR.calloc(stack)
                            .sType$Default()
                            .accelerationStructure(structure));
        }
    }

    public long structure() {
        return structure;
    }

    @Override
    public Level level() {
        return level;
    }

    @Override
    public long address() {
        requireOpen("asked for its address");
        return structureAddress;
    }

    @Override
    public BuiltContents built() {
        return built;
    }

    @Override
    public @Nullable Resource firstClosed() {
        return built.firstClosed();
    }

    @Override
    protected void free() {
        KHRAccelerationStructure.vkDestroyAccelerationStructureKHR(core.handle(), structure, null);
        super.free();
    }
}
