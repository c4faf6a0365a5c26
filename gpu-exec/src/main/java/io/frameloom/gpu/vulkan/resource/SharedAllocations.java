package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.vulkan.SharedMemory;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.linux.FCNTL;
import org.lwjgl.system.linux.UNISTD;
import org.lwjgl.vulkan.KHRExternalMemoryFd;
import org.lwjgl.vulkan.VK11;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkExportMemoryAllocateInfo;
import org.lwjgl.vulkan.VkExternalBufferProperties;
import org.lwjgl.vulkan.VkExternalMemoryBufferCreateInfo;
import org.lwjgl.vulkan.VkImportMemoryFdInfoKHR;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryDedicatedAllocateInfo;
import org.lwjgl.vulkan.VkMemoryGetFdInfoKHR;
import org.lwjgl.vulkan.VkMemoryRequirements;
import org.lwjgl.vulkan.VkPhysicalDeviceExternalBufferInfo;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;

/**
 * Memory that leaves the device, or comes from another one, by a file descriptor. Each buffer has an allocation of
 * its own: what both sides must agree on is then its description alone. Any thread.
 */
final class SharedAllocations {
    private static final int FD = VK11.VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

    private final DeviceCore core;
    private final VkPhysicalDeviceMemoryProperties properties;
    /** By VkDeviceMemory. */
    private final Map<Long, Made> all = new ConcurrentHashMap<>();

    SharedAllocations(DeviceCore core, VkPhysicalDeviceMemoryProperties properties) {
        this.core = core;
        this.properties = properties;
    }

    /** A buffer with its memory, which is another one's if it is imported. */
    record Made(long buffer, long memory, long bytes, int memoryType, boolean imported) {}

    private void requireCapability(String what) {
        if (!core.capabilities().has(Capability.EXTERNAL_MEMORY_FD)) {
            throw new GpuException(what + " is shared by a file descriptor, which needs the capability "
                    + Capability.EXTERNAL_MEMORY_FD + "; open the device with DeviceOptions.require");
        }
    }

    /** Creates a buffer in new memory, or in that of another one. */
    Made buffer(String name, BufferDescription description, @Nullable SharedMemory from) {
        String what = "buffer '" + name + "'";
        requireCapability(what);
        if (description.memory() != MemoryUsage.DEVICE) {
            throw new IllegalArgumentException(
                    what + " is shared as " + description.memory() + "; only DEVICE buffers can be shared");
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkBufferCreateInfo shape = ResourceInfos.buffer(description, core.families(), stack);
            VkExternalBufferProperties found =
                    VkExternalBufferProperties.calloc(stack).sType$Default();
            VK11.vkGetPhysicalDeviceExternalBufferProperties(
                    core.adapter().handle(),
                    VkPhysicalDeviceExternalBufferInfo.calloc(stack)
                            .sType$Default()
                            .usage(shape.usage())
                            .handleType(FD),
                    found);
            requireFeatures(what, found.externalMemoryProperties().externalMemoryFeatures(), from != null);
            shape.pNext(VkExternalMemoryBufferCreateInfo.calloc(stack)
                    .sType$Default()
                    .handleTypes(FD));
            var out = stack.mallocLong(1);
            core.check(VK13.vkCreateBuffer(core.handle(), shape, null, out), "create " + what);
            long buffer = out.get(0);
            try {
                VkMemoryRequirements needs = VkMemoryRequirements.calloc(stack);
                VK13.vkGetBufferMemoryRequirements(core.handle(), buffer, needs);
                Made made = allocate(what, buffer, needs, from, stack);
                bound(made, VK13.vkBindBufferMemory(core.handle(), buffer, made.memory, 0), what);
                return made;
            } catch (RuntimeException | Error failure) {
                VK13.vkDestroyBuffer(core.handle(), buffer, null);
                throw failure;
            }
        }
    }

    private void requireFeatures(String what, int features, boolean imported) {
        int needed = imported
                ? VK11.VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT
                : VK11.VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT;
        if ((features & needed) == 0) {
            throw new GpuException(
                    what + " cannot be " + (imported ? "imported from" : "shared by") + " a file descriptor: device '"
                            + core.capabilities().name() + "' does not do that with its usages");
        }
    }

    private Made allocate(
            String what, long buffer, VkMemoryRequirements needs, @Nullable SharedMemory from, MemoryStack stack) {
        VkMemoryAllocateInfo info = VkMemoryAllocateInfo.calloc(stack)
                .sType$Default()
                .allocationSize(needs.size())
                .pNext(VkMemoryDedicatedAllocateInfo.calloc(stack)
                        .sType$Default()
                        .buffer(buffer));
        int copy = -1;
        if (from == null) {
            info.memoryTypeIndex(type(needs.memoryTypeBits()))
                    .pNext(VkExportMemoryAllocateInfo.calloc(stack)
                            .sType$Default()
                            .handleTypes(FD));
        } else {
            requireSame(what, needs, from);
            copy = copy(what, from);
            info.memoryTypeIndex(from.memoryType())
                    .pNext(VkImportMemoryFdInfoKHR.calloc(stack)
                            .sType$Default()
                            .handleType(FD)
                            .fd(copy));
        }
        var out = stack.mallocLong(1);
        int result = VK13.vkAllocateMemory(core.handle(), info, null, out);
        if (result != VK13.VK_SUCCESS && from != null) {
            UNISTD.close(null, copy);
        }
        core.check(result, "allocate the memory of " + what);
        Made made = new Made(buffer, out.get(0), needs.size(), info.memoryTypeIndex(), from != null);
        all.put(made.memory, made);
        return made;
    }

    /** The driver takes this one, so that the caller's stays open until the import has succeeded. */
    private static int copy(String what, SharedMemory from) {
        int copy = FCNTL.fcntli(null, from.fileDescriptor(), FCNTL.F_DUPFD_CLOEXEC, 0);
        if (copy < 0) {
            throw new IllegalArgumentException(what + " is imported from " + from.fileDescriptor()
                    + ", which is no open file descriptor; take one that VulkanDevice.share returns");
        }
        return copy;
    }

    /** Closes the file descriptor of an import that has succeeded. */
    static void taken(SharedMemory from) {
        UNISTD.close(null, from.fileDescriptor());
    }

    private static void requireSame(String what, VkMemoryRequirements needs, SharedMemory from) {
        boolean typed = from.memoryType() >= 0
                && from.memoryType() < VK13.VK_MAX_MEMORY_TYPES
                && (needs.memoryTypeBits() & 1 << from.memoryType()) != 0;
        if (needs.size() != from.bytes() || !typed) {
            throw new IllegalArgumentException(what + " needs " + needs.size() + " bytes of the memory types 0x"
                    + Integer.toHexString(needs.memoryTypeBits()) + ", and is imported from " + from.bytes()
                    + " bytes of type " + from.memoryType()
                    + "; describe it as the one that is shared, on the same physical device");
        }
    }

    /** Returns the first type in the memory of the device, or else the first. */
    private int type(int bits) {
        for (int i = 0; i < properties.memoryTypeCount(); i++) {
            int flags = properties.memoryTypes(i).propertyFlags();
            if ((bits & 1 << i) != 0 && (flags & VK13.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0) {
                return i;
            }
        }
        return Integer.numberOfTrailingZeros(bits);
    }

    private void bound(Made made, int result, String what) {
        if (result != VK13.VK_SUCCESS) {
            free(made.memory);
            core.check(result, "bind the memory of " + what);
        }
    }

    /** Returns a new file descriptor of the memory of a buffer. */
    SharedMemory share(String what, long memory) {
        Made made = all.get(memory);
        if (made == null || made.imported) {
            throw new IllegalArgumentException(
                    what + " has no memory that can be shared; make it by createSharedBuffer");
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocInt(1);
            core.check(
                    KHRExternalMemoryFd.vkGetMemoryFdKHR(
                            core.handle(),
                            VkMemoryGetFdInfoKHR.calloc(stack)
                                    .sType$Default()
                                    .memory(memory)
                                    .handleType(FD),
                            out),
                    "share the memory of " + what);
            return new SharedMemory(out.get(0), made.bytes, made.memoryType);
        }
    }

    boolean has(long memory) {
        return all.containsKey(memory);
    }

    void free(long memory) {
        all.remove(memory);
        VK13.vkFreeMemory(core.handle(), memory, null);
    }
}
