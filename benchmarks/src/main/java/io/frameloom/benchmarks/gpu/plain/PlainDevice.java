package io.frameloom.benchmarks.gpu.plain;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.shaderc.Shaderc;
import org.lwjgl.vulkan.EXTDebugUtils;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkImageCreateInfo;
import org.lwjgl.vulkan.VkImageViewCreateInfo;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryRequirements;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceIDProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Features;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkRect2D;
import org.lwjgl.vulkan.VkRenderingAttachmentInfo;
import org.lwjgl.vulkan.VkRenderingInfo;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;
import org.lwjgl.vulkan.VkViewport;

/** A Vulkan device of plain LWJGL, with one queue family, and what is made on it; closing undoes everything. */
public final class PlainDevice implements AutoCloseable {
    private final VkDevice device;
    private final int family;
    private final Deque<Runnable> undo = new ArrayDeque<>();

    /** An image of one mip and layer, and the view of it. */
    public record Image(long image, long view) {}

    /** A pool of commands and its one list. */
    public record Commands(long pool, VkCommandBuffer list) {}

    /** Opens a device with queue family 0 by what {@link #uuid} returns of it: several may have one name. */
    public PlainDevice(String uuid) {
        this(uuid, null);
    }

    /** As {@link #PlainDevice(String, int, PlainValidation)}, with queue family 0. */
    public PlainDevice(String uuid, @Nullable PlainValidation validation) {
        this(uuid, 0, validation);
    }

    /**
     * Opens a device.
     *
     * @param uuid what {@link #uuid} returns of it
     * @param family its queue family
     * @param validation what hears of what is wrong with its use, or null
     */
    public PlainDevice(String uuid, int family, @Nullable PlainValidation validation) {
        this.family = family;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            VkInstanceCreateInfo instanceInfo = VkInstanceCreateInfo.calloc(stack)
                    .sType$Default()
                    .pApplicationInfo(
                            VkApplicationInfo.calloc(stack).sType$Default().apiVersion(VK13.VK_API_VERSION_1_3));
            if (validation != null) {
                validation.enable(instanceInfo, stack);
            }
            check(VK13.vkCreateInstance(instanceInfo, null, out));
            VkInstance instance = new VkInstance(out.get(0), instanceInfo);
            undo.push(() -> VK13.vkDestroyInstance(instance, null));
            if (validation != null) {
                long messenger = validation.listen(instance, stack);
                undo.push(() -> EXTDebugUtils.vkDestroyDebugUtilsMessengerEXT(instance, messenger, null));
            }
            var families = VkDeviceQueueCreateInfo.calloc(1, stack);
            families.get(0).sType$Default().queueFamilyIndex(family).pQueuePriorities(stack.floats(1));
            VkPhysicalDevice physical = find(instance, uuid, stack);
            VkDeviceCreateInfo info = VkDeviceCreateInfo.calloc(stack)
                    .sType$Default()
                    .pNext(VkPhysicalDeviceVulkan13Features.calloc(stack)
                            .sType$Default()
                            .dynamicRendering(true)
                            .synchronization2(true))
                    .pNext(VkPhysicalDeviceVulkan12Features.calloc(stack)
                            .sType$Default()
                            .timelineSemaphore(true))
                    .pQueueCreateInfos(families);
            check(VK13.vkCreateDevice(physical, info, null, out));
            device = new VkDevice(out.get(0), physical, info);
            undo.push(() -> VK13.vkDestroyDevice(device, null));
        }
    }

    private static VkPhysicalDevice find(VkInstance instance, String uuid, MemoryStack stack) {
        var count = stack.mallocInt(1);
        check(VK13.vkEnumeratePhysicalDevices(instance, count, null));
        PointerBuffer found = stack.mallocPointer(count.get(0));
        check(VK13.vkEnumeratePhysicalDevices(instance, count, found));
        for (int i = 0; i < found.capacity(); i++) {
            VkPhysicalDevice candidate = new VkPhysicalDevice(found.get(i), instance);
            if (uuid(candidate).equals(uuid)) {
                return candidate;
            }
        }
        throw new IllegalStateException("plain LWJGL does not find the device of UUID '" + uuid + "'");
    }

    /** Returns the UUID of a device as 32 hexadecimal digits, in any instance the same. */
    public static String uuid(VkPhysicalDevice device) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var ids = VkPhysicalDeviceIDProperties.calloc(stack).sType$Default();
            VK13.vkGetPhysicalDeviceProperties2(
                    device,
                    VkPhysicalDeviceProperties2.calloc(stack).sType$Default().pNext(ids));
            byte[] bytes = new byte[VK13.VK_UUID_SIZE];
            ids.deviceUUID().get(bytes);
            return HexFormat.of().formatHex(bytes);
        }
    }

    /** Returns the device. */
    public VkDevice device() {
        return device;
    }

    /** Refuses every result but success. */
    public static void check(int result) {
        if (result != VK13.VK_SUCCESS) {
            throw new IllegalStateException("a Vulkan call of plain LWJGL returned " + result);
        }
    }

    /** Undoes something when the device is closed, before what was made earlier. */
    public void later(Runnable action) {
        undo.push(action);
    }

    /** Returns the queue. */
    public VkQueue queue() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            VK13.vkGetDeviceQueue(device, family, 0, out);
            return new VkQueue(out.get(0), device);
        }
    }

    /** A buffer in memory that the host sees. */
    public record Mapped(long buffer, ByteBuffer bytes) {}

    /** Makes a buffer with memory of its own that is mapped. */
    public Mapped mapped(int bytes, int usage) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long buffer = bare(bytes, usage, stack);
            VkMemoryRequirements needs = VkMemoryRequirements.malloc(stack);
            VK13.vkGetBufferMemoryRequirements(device, buffer, needs);
            long memory = memory(
                    needs, VK13.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK13.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, stack);
            check(VK13.vkBindBufferMemory(device, buffer, memory, 0));
            PointerBuffer at = stack.mallocPointer(1);
            check(VK13.vkMapMemory(device, memory, 0, VK13.VK_WHOLE_SIZE, 0, at));
            return new Mapped(buffer, MemoryUtil.memByteBuffer(at.get(0), bytes));
        }
    }

    private long bare(int bytes, int usage, MemoryStack stack) {
        var out = stack.mallocLong(1);
        check(VK13.vkCreateBuffer(
                device,
                VkBufferCreateInfo.calloc(stack).sType$Default().size(bytes).usage(usage),
                null,
                out));
        long buffer = out.get(0);
        later(() -> VK13.vkDestroyBuffer(device, buffer, null));
        return buffer;
    }

    /** Makes a buffer with memory of its own. */
    public long buffer(int bytes, int usage) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long buffer = bare(bytes, usage, stack);
            VkMemoryRequirements needs = VkMemoryRequirements.malloc(stack);
            VK13.vkGetBufferMemoryRequirements(device, buffer, needs);
            check(VK13.vkBindBufferMemory(
                    device, buffer, memory(needs, VK13.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, stack), 0));
            return buffer;
        }
    }

    /** Allocates memory of the first type that has these properties. */
    private long memory(VkMemoryRequirements needs, int properties, MemoryStack stack) {
        var types = VkPhysicalDeviceMemoryProperties.malloc(stack);
        VK13.vkGetPhysicalDeviceMemoryProperties(device.getPhysicalDevice(), types);
        int type = 0;
        while ((needs.memoryTypeBits() & 1 << type) == 0
                || (types.memoryTypes(type).propertyFlags() & properties) != properties) {
            type++; // every device has one for each use here
        }
        var out = stack.mallocLong(1);
        check(VK13.vkAllocateMemory(
                device,
                VkMemoryAllocateInfo.calloc(stack)
                        .sType$Default()
                        .allocationSize(needs.size())
                        .memoryTypeIndex(type),
                null,
                out));
        long memory = out.get(0);
        later(() -> VK13.vkFreeMemory(device, memory, null));
        return memory;
    }

    /** Makes a square image with memory of its own. */
    public long image(int extent, int mips, int format, int usage) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            VkImageCreateInfo info = VkImageCreateInfo.calloc(stack)
                    .sType$Default()
                    .imageType(VK13.VK_IMAGE_TYPE_2D)
                    .format(format)
                    .mipLevels(mips)
                    .arrayLayers(1)
                    .samples(1)
                    .usage(usage);
            info.extent().set(extent, extent, 1);
            check(VK13.vkCreateImage(device, info, null, out));
            long image = out.get(0);
            later(() -> VK13.vkDestroyImage(device, image, null));
            VkMemoryRequirements needs = VkMemoryRequirements.malloc(stack);
            VK13.vkGetImageMemoryRequirements(device, image, needs);
            long memory = memory(needs, VK13.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, stack);
            check(VK13.vkBindImageMemory(device, image, memory, 0));
            return image;
        }
    }

    /** Makes a square image of R8G8B8A8_UNORM with memory of its own, and its view. */
    public Image image(int extent, int usage) {
        long image = image(extent, 1, VK13.VK_FORMAT_R8G8B8A8_UNORM, usage);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            VkImageViewCreateInfo viewInfo = VkImageViewCreateInfo.calloc(stack)
                    .sType$Default()
                    .image(image)
                    .viewType(VK13.VK_IMAGE_VIEW_TYPE_2D)
                    .format(VK13.VK_FORMAT_R8G8B8A8_UNORM);
            viewInfo.subresourceRange()
                    .aspectMask(VK13.VK_IMAGE_ASPECT_COLOR_BIT)
                    .levelCount(1)
                    .layerCount(1);
            check(VK13.vkCreateImageView(device, viewInfo, null, out));
            long view = out.get(0);
            later(() -> VK13.vkDestroyImageView(device, view, null));
            return new Image(image, view);
        }
    }

    /** Makes a command pool with one list. */
    public Commands commands() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            check(VK13.vkCreateCommandPool(
                    device,
                    VkCommandPoolCreateInfo.calloc(stack).sType$Default().queueFamilyIndex(family),
                    null,
                    out));
            long pool = out.get(0);
            later(() -> VK13.vkDestroyCommandPool(device, pool, null));
            PointerBuffer list = stack.mallocPointer(1);
            check(VK13.vkAllocateCommandBuffers(
                    device,
                    VkCommandBufferAllocateInfo.calloc(stack)
                            .sType$Default()
                            .commandPool(pool)
                            .commandBufferCount(1),
                    list));
            return new Commands(pool, new VkCommandBuffer(list.get(0), device));
        }
    }

    /** Begins rendering to all of a square target, cleared, with a viewport and scissor of its size. */
    public static void beginRendering(VkCommandBuffer list, Image target, int extent, MemoryStack stack) {
        var color = VkRenderingAttachmentInfo.calloc(1, stack);
        color.get(0)
                .sType$Default()
                .imageView(target.view())
                .imageLayout(VK13.VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
                .loadOp(VK13.VK_ATTACHMENT_LOAD_OP_CLEAR)
                .storeOp(VK13.VK_ATTACHMENT_STORE_OP_STORE);
        VkRenderingInfo info =
                VkRenderingInfo.calloc(stack).sType$Default().layerCount(1).pColorAttachments(color);
        info.renderArea().extent().set(extent, extent);
        VK13.vkCmdBeginRendering(list, info);
        VkViewport.Buffer viewport = VkViewport.calloc(1, stack);
        viewport.get(0).set(0, 0, extent, extent, 0, 1);
        VK13.vkCmdSetViewport(list, 0, viewport);
        VkRect2D.Buffer scissor = VkRect2D.calloc(1, stack);
        scissor.extent().set(extent, extent);
        VK13.vkCmdSetScissor(list, 0, scissor);
    }

    /** Compiles a shader. */
    public long shader(String glsl, int kind) {
        long compiler = Shaderc.shaderc_compiler_initialize();
        long result = Shaderc.shaderc_compile_into_spv(compiler, glsl, kind, "bench", "main", 0);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            ByteBuffer code = Shaderc.shaderc_result_get_bytes(result);
            if (code == null) {
                throw new IllegalStateException(Shaderc.shaderc_result_get_error_message(result));
            }
            var out = stack.mallocLong(1);
            check(VK13.vkCreateShaderModule(
                    device,
                    VkShaderModuleCreateInfo.calloc(stack).sType$Default().pCode(code),
                    null,
                    out));
            long module = out.get(0);
            later(() -> VK13.vkDestroyShaderModule(device, module, null));
            return module;
        } finally {
            Shaderc.shaderc_result_release(result);
            Shaderc.shaderc_compiler_release(compiler);
        }
    }

    @Override
    public void close() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
    }
}
