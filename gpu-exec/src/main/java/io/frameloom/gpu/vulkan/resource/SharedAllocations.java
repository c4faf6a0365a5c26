package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.TextureDescription;
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
import org.lwjgl.vulkan.VkExternalImageFormatProperties;
import org.lwjgl.vulkan.VkExternalMemoryBufferCreateInfo;
import org.lwjgl.vulkan.VkExternalMemoryImageCreateInfo;
import org.lwjgl.vulkan.VkExternalMemoryProperties;
import org.lwjgl.vulkan.VkImageCreateInfo;
import org.lwjgl.vulkan.VkImageFormatProperties2;
import org.lwjgl.vulkan.VkImportMemoryFdInfoKHR;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryDedicatedAllocateInfo;
import org.lwjgl.vulkan.VkMemoryGetFdInfoKHR;
import org.lwjgl.vulkan.VkMemoryRequirements;
import org.lwjgl.vulkan.VkPhysicalDeviceExternalBufferInfo;
import org.lwjgl.vulkan.VkPhysicalDeviceExternalImageFormatInfo;
import org.lwjgl.vulkan.VkPhysicalDeviceImageFormatInfo2;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;

/**
 * Memory that leaves the device, or comes from another one, by a file descriptor. Each buffer and
 * texture has an allocation of its own: what both sides must agree on is then its description alone. Any thread.
 */
final class SharedAllocations {
    private static final int FD = VK11.VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

    private final DeviceCore core;
    private final VkPhysicalDeviceMemoryProperties properties;
    private final String device;
    private final String driver;
    /** By VkDeviceMemory. */
    private final Map<Long, Made> all = new ConcurrentHashMap<>();

    SharedAllocations(DeviceCore core, VkPhysicalDeviceMemoryProperties properties) {
        this.core = core;
        this.properties = properties;
        this.device = core.adapter().info().uuid();
        this.driver = core.adapter().driverUuid();
    }

    /** A VkBuffer or VkImage with its memory, which is another one's if it is imported. */
    record Made(long handle, long memory, long bytes, int memoryType, boolean imported, String of) {}

    private void requireCapability(String what) {
        if (!core.capabilities().has(Capability.EXTERNAL_MEMORY_FD)) {
            throw new GpuException(what + " is shared by a file descriptor, which needs the capability "
                    + Capability.EXTERNAL_MEMORY_FD + "; open the device with DeviceOptions.require");
        }
    }

    Made buffer(String name, BufferDescription description, @Nullable SharedMemory from) {
        String what = "buffer '" + name + "'";
        requireCapability(what);
        if (description.memory() != MemoryUsage.DEVICE) {
            throw new IllegalArgumentException(
                    what + " is shared as " + description.memory() + "; only DEVICE buffers can be shared");
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkBufferCreateInfo shape = ResourceInfos.shared(core, description, stack);
            VkExternalBufferProperties found =
                    VkExternalBufferProperties.calloc(stack).sType$Default();
            VK11.vkGetPhysicalDeviceExternalBufferProperties(
                    core.adapter().handle(),
                    VkPhysicalDeviceExternalBufferInfo.calloc(stack)
                            .sType$Default()
                            .usage(shape.usage())
                            .handleType(FD),
                    found);
            requireFeatures(what, found.externalMemoryProperties(), from);
            shape.pNext(VkExternalMemoryBufferCreateInfo.calloc(stack)
                    .sType$Default()
                    .handleTypes(FD));
            var out = stack.mallocLong(1);
            core.check(VK13.vkCreateBuffer(core.handle(), shape, null, out), "create " + what);
            long buffer = out.get(0);
            try {
                VkMemoryRequirements needs = VkMemoryRequirements.calloc(stack);
                VK13.vkGetBufferMemoryRequirements(core.handle(), buffer, needs);
                VkMemoryDedicatedAllocateInfo dedicated = VkMemoryDedicatedAllocateInfo.calloc(stack)
                        .sType$Default()
                        .buffer(buffer);
                Made made = allocate(what, buffer, description, dedicated, needs, from, stack);
                bound(made, VK13.vkBindBufferMemory(core.handle(), buffer, made.memory, 0), what);
                return made;
            } catch (RuntimeException | Error failure) {
                VK13.vkDestroyBuffer(core.handle(), buffer, null);
                throw failure;
            }
        }
    }

    Made texture(String name, TextureDescription description, @Nullable SharedMemory from) {
        String what = "texture '" + name + "'";
        requireCapability(what);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkImageCreateInfo shape = ResourceInfos.image(core, description, core.families(), stack);
            requireFeatures(what, shape, from, stack);
            shape.pNext(VkExternalMemoryImageCreateInfo.calloc(stack)
                    .sType$Default()
                    .handleTypes(FD));
            var out = stack.mallocLong(1);
            core.check(VK13.vkCreateImage(core.handle(), shape, null, out), "create " + what);
            long image = out.get(0);
            try {
                VkMemoryRequirements needs = VkMemoryRequirements.calloc(stack);
                VK13.vkGetImageMemoryRequirements(core.handle(), image, needs);
                VkMemoryDedicatedAllocateInfo dedicated = VkMemoryDedicatedAllocateInfo.calloc(stack)
                        .sType$Default()
                        .image(image);
                Made made = allocate(what, image, description, dedicated, needs, from, stack);
                bound(made, VK13.vkBindImageMemory(core.handle(), image, made.memory, 0), what);
                return made;
            } catch (RuntimeException | Error failure) {
                VK13.vkDestroyImage(core.handle(), image, null);
                throw failure;
            }
        }
    }

    private void requireFeatures(String what, VkImageCreateInfo shape, @Nullable SharedMemory from, MemoryStack stack) {
        VkExternalImageFormatProperties found =
                VkExternalImageFormatProperties.calloc(stack).sType$Default();
        int result = VK11.vkGetPhysicalDeviceImageFormatProperties2(
                core.adapter().handle(),
                VkPhysicalDeviceImageFormatInfo2.calloc(stack)
                        .sType$Default()
                        .flags(shape.flags())
                        .type(shape.imageType())
                        .format(shape.format())
                        .tiling(shape.tiling())
                        .usage(shape.usage())
                        .pNext(VkPhysicalDeviceExternalImageFormatInfo.calloc(stack)
                                .sType$Default()
                                .handleType(FD)),
                VkImageFormatProperties2.calloc(stack).sType$Default().pNext(found));
        // A format that cannot be shared counts as not supported, and has no features.
        if (result != VK13.VK_ERROR_FORMAT_NOT_SUPPORTED) {
            core.check(result, "ask whether " + what + " can be shared");
        }
        requireFeatures(what, found.externalMemoryProperties(), from);
    }

    private void requireFeatures(String what, VkExternalMemoryProperties found, @Nullable SharedMemory from) {
        int needed = from != null
                ? VK11.VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT
                : VK11.VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT;
        if ((found.externalMemoryFeatures() & needed) == 0) {
            throw new GpuException(what + " cannot be " + (from != null ? "imported from" : "shared by")
                    + " a file descriptor: device '" + core.capabilities().name()
                    + "' does not do that with its usages");
        }
    }

    private Made allocate(
            String what,
            long handle,
            Record description,
            VkMemoryDedicatedAllocateInfo dedicated,
            VkMemoryRequirements needs,
            @Nullable SharedMemory from,
            MemoryStack stack) {
        VkMemoryAllocateInfo info = VkMemoryAllocateInfo.calloc(stack)
                .sType$Default()
                .allocationSize(needs.size())
                .pNext(dedicated);
        int copy = -1;
        if (from == null) {
            info.memoryTypeIndex(type(needs.memoryTypeBits()))
                    .pNext(VkExportMemoryAllocateInfo.calloc(stack)
                            .sType$Default()
                            .handleTypes(FD));
        } else {
            requireSame(what, description, needs, from);
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
            // NVIDIA's driver says that memory is short, though an import takes none.
            if (result == VK11.VK_ERROR_INVALID_EXTERNAL_HANDLE || result == VK13.VK_ERROR_OUT_OF_DEVICE_MEMORY) {
                throw new IllegalArgumentException(what + " is imported from file descriptor " + from.fileDescriptor()
                        + ", which is of no memory that device '"
                        + core.capabilities().name() + "' knows; take one that VulkanDevice.share returns");
            }
        }
        core.check(result, "allocate the memory of " + what);
        Made made = new Made(
                handle, out.get(0), needs.size(), info.memoryTypeIndex(), from != null, description.toString());
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

    private void requireSame(String what, Record description, VkMemoryRequirements needs, SharedMemory from) {
        if (!from.device().equals(device) || !from.driver().equals(driver)) {
            throw new IllegalArgumentException(what + " is imported from device " + from.device() + " with driver "
                    + from.driver() + ", and this is device " + device + " with driver " + driver
                    + "; share between devices of one GPU and driver");
        }
        // The driver believes it: a dedicated allocation is of a buffer or image that was created alike.
        if (from.of() != null && !from.of().equals(description.toString())) {
            throw new IllegalArgumentException(what + " is described as " + description
                    + ", and is imported from memory of " + from.of() + "; describe both alike");
        }
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

    /** Returns a new file descriptor of the memory of a buffer or texture. */
    SharedMemory share(String what, long memory) {
        Made made = all.get(memory);
        if (made == null || made.imported) {
            throw new IllegalArgumentException(
                    what + " has no memory that can be shared; make it by createSharedBuffer or createSharedTexture");
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
            return new SharedMemory(out.get(0), made.bytes, made.memoryType, device, driver, made.of);
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
