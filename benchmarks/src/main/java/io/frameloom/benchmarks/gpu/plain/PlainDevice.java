package io.frameloom.benchmarks.gpu.plain;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.util.shaderc.Shaderc;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkBufferCreateInfo;
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
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Features;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;

/** A Vulkan device of plain LWJGL, with queue family 0, and what is made on it; closing undoes everything. */
public final class PlainDevice implements AutoCloseable {
    private final VkDevice device;
    private final Deque<Runnable> undo = new ArrayDeque<>();

    /** An image of one mip and layer, and the view of it. */
    public record Image(long image, long view) {}

    /** Opens the device of that name. */
    public PlainDevice(String name) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            VkInstanceCreateInfo instanceInfo = VkInstanceCreateInfo.calloc(stack)
                    .sType$Default()
                    .pApplicationInfo(
                            VkApplicationInfo.calloc(stack).sType$Default().apiVersion(VK13.VK_API_VERSION_1_3));
            check(VK13.vkCreateInstance(instanceInfo, null, out));
            VkInstance instance = new VkInstance(out.get(0), instanceInfo);
            undo.push(() -> VK13.vkDestroyInstance(instance, null));
            var families = VkDeviceQueueCreateInfo.calloc(1, stack);
            families.get(0).sType$Default().queueFamilyIndex(0).pQueuePriorities(stack.floats(1));
            VkPhysicalDevice physical = find(instance, name, stack);
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

    private static VkPhysicalDevice find(VkInstance instance, String name, MemoryStack stack) {
        var count = stack.mallocInt(1);
        check(VK13.vkEnumeratePhysicalDevices(instance, count, null));
        PointerBuffer found = stack.mallocPointer(count.get(0));
        check(VK13.vkEnumeratePhysicalDevices(instance, count, found));
        for (int i = 0; i < found.capacity(); i++) {
            VkPhysicalDevice candidate = new VkPhysicalDevice(found.get(i), instance);
            VkPhysicalDeviceProperties properties = VkPhysicalDeviceProperties.malloc(stack);
            VK13.vkGetPhysicalDeviceProperties(candidate, properties);
            if (properties.deviceNameString().equals(name)) {
                return candidate;
            }
        }
        throw new IllegalStateException("plain LWJGL does not find device '" + name + "'");
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

    /** Makes a buffer with memory of its own. */
    public long buffer(int bytes, int usage) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            check(VK13.vkCreateBuffer(
                    device,
                    VkBufferCreateInfo.calloc(stack).sType$Default().size(bytes).usage(usage),
                    null,
                    out));
            long buffer = out.get(0);
            later(() -> VK13.vkDestroyBuffer(device, buffer, null));
            VkMemoryRequirements needs = VkMemoryRequirements.malloc(stack);
            VK13.vkGetBufferMemoryRequirements(device, buffer, needs);
            check(VK13.vkBindBufferMemory(device, buffer, memory(needs, stack), 0));
            return buffer;
        }
    }

    private long memory(VkMemoryRequirements needs, MemoryStack stack) {
        var out = stack.mallocLong(1);
        check(VK13.vkAllocateMemory(
                device,
                VkMemoryAllocateInfo.calloc(stack)
                        .sType$Default()
                        .allocationSize(needs.size())
                        .memoryTypeIndex(Integer.numberOfTrailingZeros(needs.memoryTypeBits())),
                null,
                out));
        long memory = out.get(0);
        later(() -> VK13.vkFreeMemory(device, memory, null));
        return memory;
    }

    /** Makes a square image of R8G8B8A8_UNORM with memory of its own, and its view. */
    public Image image(int extent, int usage) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            VkImageCreateInfo info = VkImageCreateInfo.calloc(stack)
                    .sType$Default()
                    .imageType(VK13.VK_IMAGE_TYPE_2D)
                    .format(VK13.VK_FORMAT_R8G8B8A8_UNORM)
                    .mipLevels(1)
                    .arrayLayers(1)
                    .samples(1)
                    .usage(usage);
            info.extent().set(extent, extent, 1);
            check(VK13.vkCreateImage(device, info, null, out));
            long image = out.get(0);
            later(() -> VK13.vkDestroyImage(device, image, null));
            VkMemoryRequirements needs = VkMemoryRequirements.malloc(stack);
            VK13.vkGetImageMemoryRequirements(device, image, needs);
            check(VK13.vkBindImageMemory(device, image, memory(needs, stack), 0));
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
