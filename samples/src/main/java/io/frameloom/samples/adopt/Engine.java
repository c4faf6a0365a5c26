package io.frameloom.samples.adopt;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.vulkan.AdoptedDevice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTDebugUtils;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkImageCreateInfo;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryRequirements;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Features;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkQueueFamilyProperties;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;

/**
 * An engine as it was before it met Frameloom, all in plain LWJGL. It has an instance, a surface, a device, one queue,
 * one image, one buffer to read it through and a timeline semaphore. One thread.
 */
final class Engine implements AutoCloseable {
    private static final String VALIDATION_LAYER = "VK_LAYER_KHRONOS_validation";
    private static final int WIDTH = 480;
    private static final int HEIGHT = 270;
    private static final int BYTES_PER_TEXEL = 4;

    private final List<Runnable> undo = new ArrayList<>();
    private final long surface;
    private final VkPhysicalDevice physical;
    private final int family;
    private final VkDevice device;
    private final VkQueue queue;
    private final Lock queueLock = new ReentrantLock();
    private final AdoptedDevice.Builder description;
    private final String name;
    private final long image;
    private final long buffer;
    private final long mapped;
    private final long timeline;

    /**
     * Starts the engine.
     *
     * @param device part of the name of a device, ignoring case; the first that fits is taken
     * @param validation whether to load the validation layer
     * @throws EngineException if there is no such device or something cannot be made
     */
    Engine(EngineWindow window, String device, boolean validation) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkInstance instance = createInstance(stack, window, validation);
            undo.add(() -> VK13.vkDestroyInstance(instance, null));
            surface = window.createSurface(instance);
            undo.add(() -> KHRSurface.vkDestroySurfaceKHR(instance, surface, null));
            physical = choose(instance, device);
            name = name(physical);
            family = graphicsFamily(stack);
            VkDeviceQueueCreateInfo.Buffer queues = VkDeviceQueueCreateInfo.calloc(1, stack);
            queues.get(0).sType$Default().queueFamilyIndex(family).pQueuePriorities(stack.floats(1));
            VkDeviceCreateInfo info = VkDeviceCreateInfo.calloc(stack)
                    .sType$Default()
                    .pQueueCreateInfos(queues)
                    .ppEnabledExtensionNames(stack.pointers(stack.UTF8(KHRSwapchain.VK_KHR_SWAPCHAIN_EXTENSION_NAME)));
            features(stack, info);
            PointerBuffer out = stack.mallocPointer(1);
            check(VK13.vkCreateDevice(physical, info, null, out), "open " + name);
            this.device = new VkDevice(out.get(0), physical, info);
            undo.add(() -> VK13.vkDestroyDevice(this.device, null));
            VK13.vkGetDeviceQueue(this.device, family, 0, out);
            queue = new VkQueue(out.get(0), this.device);
            // What Frameloom has to know of all this; the structures are read here, while they are there.
            description =
                    AdoptedDevice.of(this.device).createdWith(info).queue(QueueKind.GRAPHICS, queue, family, queueLock);
            image = createImage(stack);
            buffer = createBuffer(stack);
            mapped = bindHostMemory(stack);
            timeline = createTimeline(stack);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static VkInstance createInstance(MemoryStack stack, EngineWindow window, boolean validation) {
        PointerBuffer extensions =
                stack.mallocPointer(window.instanceExtensions().size() + 1);
        window.instanceExtensions().forEach(extension -> extensions.put(stack.UTF8(extension)));
        if (validation) {
            extensions.put(stack.UTF8(EXTDebugUtils.VK_EXT_DEBUG_UTILS_EXTENSION_NAME));
        }
        VkInstanceCreateInfo info = VkInstanceCreateInfo.calloc(stack)
                .sType$Default()
                .pApplicationInfo(VkApplicationInfo.calloc(stack)
                        .sType$Default()
                        .pEngineName(stack.UTF8("An engine"))
                        .apiVersion(VK13.VK_API_VERSION_1_3))
                .ppEnabledExtensionNames(extensions.flip());
        if (validation) {
            info.ppEnabledLayerNames(stack.pointers(stack.UTF8(VALIDATION_LAYER)));
        }
        PointerBuffer out = stack.mallocPointer(1);
        int result = VK13.vkCreateInstance(info, null, out);
        if (result == VK13.VK_ERROR_EXTENSION_NOT_PRESENT) {
            throw new EngineException("no Vulkan driver shows frames on " + window.name()
                    + "; start this where there is a display, such as under xvfb-run");
        }
        check(result, "create an instance" + (validation ? " with validation" : ""));
        return new VkInstance(out.get(0), info);
    }

    private static VkPhysicalDevice choose(VkInstance instance, String part) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var count = stack.mallocInt(1);
            check(VK13.vkEnumeratePhysicalDevices(instance, count, null), "list the devices");
            PointerBuffer found = stack.mallocPointer(count.get(0));
            check(VK13.vkEnumeratePhysicalDevices(instance, count, found), "list the devices");
            List<String> names = new ArrayList<>();
            for (int i = 0; i < count.get(0); i++) {
                VkPhysicalDevice candidate = new VkPhysicalDevice(found.get(i), instance);
                names.add(name(candidate));
                if (name(candidate)
                        .toLowerCase(java.util.Locale.ROOT)
                        .contains(part.toLowerCase(java.util.Locale.ROOT))) {
                    return candidate;
                }
            }
            throw new EngineException(
                    "no Vulkan device has '" + part + "' in its name; present: " + String.join(", ", names));
        }
    }

    private static String name(VkPhysicalDevice device) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkPhysicalDeviceProperties properties = VkPhysicalDeviceProperties.calloc(stack);
            VK13.vkGetPhysicalDeviceProperties(device, properties);
            return properties.deviceNameString();
        }
    }

    private int graphicsFamily(MemoryStack stack) {
        var count = stack.mallocInt(1);
        VK13.vkGetPhysicalDeviceQueueFamilyProperties(physical, count, null);
        VkQueueFamilyProperties.Buffer families = VkQueueFamilyProperties.calloc(count.get(0), stack);
        VK13.vkGetPhysicalDeviceQueueFamilyProperties(physical, count, families);
        int both = VK13.VK_QUEUE_GRAPHICS_BIT | VK13.VK_QUEUE_COMPUTE_BIT;
        var presents = stack.mallocInt(1);
        for (int i = 0; i < families.capacity(); i++) {
            check(
                    KHRSurface.vkGetPhysicalDeviceSurfaceSupportKHR(physical, i, surface, presents),
                    "ask whether a queue presents to the surface");
            if ((families.get(i).queueFlags() & both) == both && presents.get(0) == VK13.VK_TRUE) {
                return i;
            }
        }
        throw new EngineException(name + " has no queue for graphics, compute and presentation");
    }

    /** Switches on what this engine needs, and what Frameloom needs of a device that it adopts. */
    private static void features(MemoryStack stack, VkDeviceCreateInfo info) {
        info.pNext(VkPhysicalDeviceVulkan12Features.calloc(stack)
                .sType$Default()
                .timelineSemaphore(true)
                .hostQueryReset(true)
                .separateDepthStencilLayouts(true));
        info.pNext(VkPhysicalDeviceVulkan13Features.calloc(stack)
                .sType$Default()
                .synchronization2(true)
                .dynamicRendering(true)
                .maintenance4(true));
        info.pNext(VkPhysicalDeviceFeatures2.calloc(stack).sType$Default());
    }

    private long createImage(MemoryStack stack) {
        VkImageCreateInfo info = VkImageCreateInfo.calloc(stack)
                .sType$Default()
                .imageType(VK13.VK_IMAGE_TYPE_2D)
                .format(VK13.VK_FORMAT_R8G8B8A8_UNORM)
                .mipLevels(1)
                .arrayLayers(1)
                .samples(VK13.VK_SAMPLE_COUNT_1_BIT)
                .usage(VK13.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                        | VK13.VK_IMAGE_USAGE_STORAGE_BIT
                        | VK13.VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
        info.extent().set(WIDTH, HEIGHT, 1);
        var out = stack.mallocLong(1);
        check(VK13.vkCreateImage(device, info, null, out), "create an image");
        long created = out.get(0);
        undo.add(() -> VK13.vkDestroyImage(device, created, null));
        VkMemoryRequirements needs = VkMemoryRequirements.calloc(stack);
        VK13.vkGetImageMemoryRequirements(device, created, needs);
        check(VK13.vkBindImageMemory(device, created, allocate(stack, needs, 0), 0), "bind the image");
        return created;
    }

    private long createBuffer(MemoryStack stack) {
        VkBufferCreateInfo info = VkBufferCreateInfo.calloc(stack)
                .sType$Default()
                .size((long) WIDTH * HEIGHT * BYTES_PER_TEXEL)
                .usage(VK13.VK_BUFFER_USAGE_TRANSFER_DST_BIT);
        var out = stack.mallocLong(1);
        check(VK13.vkCreateBuffer(device, info, null, out), "create a buffer");
        long created = out.get(0);
        undo.add(() -> VK13.vkDestroyBuffer(device, created, null));
        return created;
    }

    private long bindHostMemory(MemoryStack stack) {
        VkMemoryRequirements needs = VkMemoryRequirements.calloc(stack);
        VK13.vkGetBufferMemoryRequirements(device, buffer, needs);
        long memory = allocate(
                stack, needs, VK13.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK13.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
        check(VK13.vkBindBufferMemory(device, buffer, memory, 0), "bind the buffer");
        PointerBuffer address = stack.mallocPointer(1);
        check(VK13.vkMapMemory(device, memory, 0, VK13.VK_WHOLE_SIZE, 0, address), "map the buffer");
        return address.get(0);
    }

    private long allocate(MemoryStack stack, VkMemoryRequirements needs, int flags) {
        var types = VkPhysicalDeviceMemoryProperties.calloc(stack);
        VK13.vkGetPhysicalDeviceMemoryProperties(physical, types);
        for (int type = 0; type < types.memoryTypeCount(); type++) {
            boolean fits = (needs.memoryTypeBits() & (1 << type)) != 0;
            if (fits && (types.memoryTypes(type).propertyFlags() & flags) == flags) {
                var out = stack.mallocLong(1);
                VkMemoryAllocateInfo info = VkMemoryAllocateInfo.calloc(stack)
                        .sType$Default()
                        .allocationSize(needs.size())
                        .memoryTypeIndex(type);
                check(VK13.vkAllocateMemory(device, info, null, out), "allocate " + needs.size() + " bytes");
                long memory = out.get(0);
                // Memory goes after what is bound to it.
                undo.add(undo.size() - 1, () -> VK13.vkFreeMemory(device, memory, null));
                return memory;
            }
        }
        throw new EngineException("no type of memory of " + name + " fits");
    }

    private long createTimeline(MemoryStack stack) {
        VkSemaphoreCreateInfo info = VkSemaphoreCreateInfo.calloc(stack)
                .sType$Default()
                .pNext(VkSemaphoreTypeCreateInfo.calloc(stack)
                        .sType$Default()
                        .semaphoreType(VK13.VK_SEMAPHORE_TYPE_TIMELINE));
        var out = stack.mallocLong(1);
        check(VK13.vkCreateSemaphore(device, info, null, out), "create a timeline");
        long created = out.get(0);
        undo.add(() -> VK13.vkDestroySemaphore(device, created, null));
        return created;
    }

    /** Throws if a call has failed. */
    static void check(int result, String what) {
        if (result != VK13.VK_SUCCESS) {
            throw new EngineException("cannot " + what + ": VkResult " + result);
        }
    }

    String name() {
        return name;
    }

    /** Returns the width of the picture in texels. */
    int width() {
        return WIDTH;
    }

    /** Returns the height of the picture in texels. */
    int height() {
        return HEIGHT;
    }

    long surface() {
        return surface;
    }

    VkDevice device() {
        return device;
    }

    int family() {
        return family;
    }

    VkQueue queue() {
        return queue;
    }

    /** Returns the lock that each user of the queue holds. */
    Lock queueLock() {
        return queueLock;
    }

    /** Waits until the device has done everything. */
    void waitIdle() {
        queueLock.lock();
        try {
            check(VK13.vkDeviceWaitIdle(device), "wait for the device");
        } finally {
            queueLock.unlock();
        }
    }

    long image() {
        return image;
    }

    long buffer() {
        return buffer;
    }

    long timeline() {
        return timeline;
    }

    /** Returns the texels that were copied to the buffer. */
    ByteBuffer pixels() {
        return MemoryUtil.memByteBuffer(mapped, WIDTH * HEIGHT * BYTES_PER_TEXEL);
    }

    /** Returns what Frameloom has to know to work on this device. */
    AdoptedDevice describe() {
        return description.build();
    }

    @Override
    public void close() {
        for (int i = undo.size() - 1; i >= 0; i--) {
            undo.get(i).run();
        }
        undo.clear();
    }
}
