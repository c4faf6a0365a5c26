package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.vulkan.driver.VulkanAdapter;
import io.frameloom.gpu.vulkan.driver.VulkanInstance;
import io.frameloom.gpu.vulkan.driver.VulkanResults;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandBufferSubmitInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkImageCreateInfo;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryRequirements;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Features;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreSubmitInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/** An engine with a validated Vulkan device of its own, in plain LWJGL; takes the first family of the first device. */
public final class TestEngine implements AutoCloseable {
    static final int EXTENT = 16;
    static final int BYTES = EXTENT * EXTENT * 4;
    public static final int FAMILY = 0;

    final VulkanInstance instance = VulkanInstance.create("test engine", true, Set.of());
    final VkPhysicalDevice physical;
    public final VkDevice device;
    /** All queues of the family, the first of them used here. */
    public final List<VkQueue> queues = new ArrayList<>();

    public final VkQueue queue;
    public final Lock guard = new ReentrantLock();
    public final AdoptedDevice.Builder description;
    private final long commandPool;
    private final List<Runnable> undo = new ArrayList<>();
    private final List<Long> allocations = new ArrayList<>();

    /** With everything that Frameloom needs, and no more. */
    public TestEngine() {
        this(TestEngine::neededFeatures);
    }

    TestEngine(Consumer<VkDeviceCreateInfo> features) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VulkanAdapter adapter = instance.adapters().get(0);
            physical = adapter.handle();
            float[] priorities = new float[adapter.families().get(FAMILY).count()];
            Arrays.fill(priorities, 1);
            VkDeviceQueueCreateInfo.Buffer queues = VkDeviceQueueCreateInfo.calloc(1, stack);
            queues.get(0).sType$Default().queueFamilyIndex(FAMILY).pQueuePriorities(stack.floats(priorities));
            VkDeviceCreateInfo info =
                    VkDeviceCreateInfo.calloc(stack).sType$Default().pQueueCreateInfos(queues);
            features.accept(info);
            PointerBuffer out = stack.mallocPointer(1);
            done(VK13.vkCreateDevice(physical, info, null, out));
            device = new VkDevice(out.get(0), physical, info);
            for (int i = 0; i < priorities.length; i++) {
                VK13.vkGetDeviceQueue(device, FAMILY, i, out);
                this.queues.add(new VkQueue(out.get(0), device));
            }
            queue = this.queues.get(0);
            description = AdoptedDevice.of(device).createdWith(info);
            var pool = stack.mallocLong(1);
            done(VK13.vkCreateCommandPool(
                    device,
                    VkCommandPoolCreateInfo.calloc(stack).sType$Default().queueFamilyIndex(FAMILY),
                    null,
                    pool));
            commandPool = pool.get(0);
            undo.add(() -> VK13.vkDestroyCommandPool(device, commandPool, null));
        }
    }

    /** Switches on what Frameloom needs, in the frame of the thread's stack that the caller has pushed: an info holds but addresses. */
    static void neededFeatures(VkDeviceCreateInfo info) {
        MemoryStack frame = MemoryStack.stackGet();
        var v12 = VkPhysicalDeviceVulkan12Features.calloc(frame).sType$Default();
        v12.timelineSemaphore(true).hostQueryReset(true).separateDepthStencilLayouts(true);
        var v13 = VkPhysicalDeviceVulkan13Features.calloc(frame).sType$Default();
        v13.synchronization2(true).dynamicRendering(true).maintenance4(true);
        var all = VkPhysicalDeviceFeatures2.calloc(frame).sType$Default();
        all.features().shaderStorageImageWriteWithoutFormat(true);
        info.pNext(v12).pNext(v13).pNext(all);
    }

    /** Shares the device, with one queue. */
    VulkanDevice adopt(DeviceOptions options) {
        return VulkanDevices.adopt(
                description.queue(QueueKind.GRAPHICS, queue, FAMILY, guard).build(), options);
    }

    /**
     * What the layer has said, but for one message about itself. Synchronization validation of layers before 1.3.261 keeps
     * its lock while it waits for a signal that vkSignalSemaphore is to give, which then waits for that lock; after ten
     * seconds both go on, and it says so (Vulkan-ValidationLayers, issue 4968). Where a signal really lacks, tests time out.
     */
    public List<ValidationMessage> messages() {
        return Objects.requireNonNull(instance.log()).messages().stream()
                .filter(message -> !message.id().equals("UNASSIGNED-VkSemaphore-state-timeout"))
                .toList();
    }

    public static void done(int result) {
        assertThat(VulkanResults.name(result)).isEqualTo("VK_SUCCESS");
    }

    /** Creates an R8G8B8A8_UNORM image that everything may be done to. */
    long image() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            VkImageCreateInfo info = VkImageCreateInfo.calloc(stack)
                    .sType$Default()
                    .imageType(VK13.VK_IMAGE_TYPE_2D)
                    .format(VK13.VK_FORMAT_R8G8B8A8_UNORM)
                    .mipLevels(1)
                    .arrayLayers(1)
                    .samples(VK13.VK_SAMPLE_COUNT_1_BIT)
                    .usage(VK13.VK_IMAGE_USAGE_STORAGE_BIT
                            | VK13.VK_IMAGE_USAGE_TRANSFER_SRC_BIT
                            | VK13.VK_IMAGE_USAGE_TRANSFER_DST_BIT);
            info.extent().set(EXTENT, EXTENT, 1);
            done(VK13.vkCreateImage(device, info, null, out));
            long image = out.get(0);
            undo.add(() -> VK13.vkDestroyImage(device, image, null));
            VkMemoryRequirements needs = VkMemoryRequirements.calloc(stack);
            VK13.vkGetImageMemoryRequirements(device, image, needs);
            done(VK13.vkBindImageMemory(device, image, allocate(needs, 0), 0));
            return image;
        }
    }

    /** A mapped buffer. */
    public record HostBuffer(long buffer, long mapped) {
        int word(int index) {
            return MemoryUtil.memGetInt(mapped + 4L * index);
        }
    }

    public HostBuffer hostBuffer(int usage) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            VkBufferCreateInfo info =
                    VkBufferCreateInfo.calloc(stack).sType$Default().size(BYTES).usage(usage);
            done(VK13.vkCreateBuffer(device, info, null, out));
            long buffer = out.get(0);
            undo.add(() -> VK13.vkDestroyBuffer(device, buffer, null));
            VkMemoryRequirements needs = VkMemoryRequirements.calloc(stack);
            VK13.vkGetBufferMemoryRequirements(device, buffer, needs);
            long memory = allocate(
                    needs, VK13.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK13.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
            done(VK13.vkBindBufferMemory(device, buffer, memory, 0));
            PointerBuffer mapped = stack.mallocPointer(1);
            done(VK13.vkMapMemory(device, memory, 0, BYTES, 0, mapped));
            return new HostBuffer(buffer, mapped.get(0));
        }
    }

    private long allocate(VkMemoryRequirements needs, int flags) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var types = VkPhysicalDeviceMemoryProperties.calloc(stack);
            VK13.vkGetPhysicalDeviceMemoryProperties(physical, types);
            int type = 0;
            while ((needs.memoryTypeBits() & (1 << type)) == 0
                    || (types.memoryTypes(type).propertyFlags() & flags) != flags) {
                type++;
            }
            var out = stack.mallocLong(1);
            done(VK13.vkAllocateMemory(
                    device,
                    VkMemoryAllocateInfo.calloc(stack)
                            .sType$Default()
                            .allocationSize(needs.size())
                            .memoryTypeIndex(type),
                    null,
                    out));
            long memory = out.get(0);
            allocations.add(memory);
            return memory;
        }
    }

    public long timelineSemaphore() {
        long semaphore = createTimelineSemaphore();
        undo.add(() -> VK13.vkDestroySemaphore(device, semaphore, null));
        return semaphore;
    }

    /** A timeline semaphore that goes before the engine does. */
    public final class OwnedTimeline implements AutoCloseable {
        private final long handle = createTimelineSemaphore();

        public long handle() {
            return handle;
        }

        @Override
        public void close() {
            VK13.vkDestroySemaphore(device, handle, null);
        }
    }

    public OwnedTimeline ownedTimeline() {
        return new OwnedTimeline();
    }

    private long createTimelineSemaphore() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            done(VK13.vkCreateSemaphore(
                    device,
                    VkSemaphoreCreateInfo.calloc(stack)
                            .sType$Default()
                            .pNext(VkSemaphoreTypeCreateInfo.calloc(stack)
                                    .sType$Default()
                                    .semaphoreType(VK13.VK_SEMAPHORE_TYPE_TIMELINE)),
                    null,
                    out));
            return out.get(0);
        }
    }

    /** A value of a semaphore. */
    public record Value(long semaphore, long value) {}

    /** Records commands, submits them with a wait and a signal, and does not wait for them. */
    public void submit(List<Value> waits, Value signal, Consumer<VkCommandBuffer> recorder) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            done(VK13.vkAllocateCommandBuffers(
                    device,
                    VkCommandBufferAllocateInfo.calloc(stack)
                            .sType$Default()
                            .commandPool(commandPool)
                            .commandBufferCount(1),
                    out));
            VkCommandBuffer commands = new VkCommandBuffer(out.get(0), device);
            done(VK13.vkBeginCommandBuffer(
                    commands, VkCommandBufferBeginInfo.calloc(stack).sType$Default()));
            recorder.accept(commands);
            done(VK13.vkEndCommandBuffer(commands));
            VkSemaphoreSubmitInfo.Buffer wait = VkSemaphoreSubmitInfo.calloc(waits.size(), stack);
            for (int i = 0; i < waits.size(); i++) {
                fill(wait.get(i), waits.get(i));
            }
            VkSemaphoreSubmitInfo.Buffer signals = VkSemaphoreSubmitInfo.calloc(1, stack);
            fill(signals.get(0), signal);
            VkCommandBufferSubmitInfo.Buffer lists = VkCommandBufferSubmitInfo.calloc(1, stack);
            lists.get(0).sType$Default().commandBuffer(commands);
            VkSubmitInfo2.Buffer info = VkSubmitInfo2.calloc(1, stack);
            info.get(0)
                    .sType$Default()
                    .pWaitSemaphoreInfos(wait)
                    .pCommandBufferInfos(lists)
                    .pSignalSemaphoreInfos(signals);
            guard.lock();
            try {
                done(VK13.vkQueueSubmit2(queue, info, VK13.VK_NULL_HANDLE));
            } finally {
                guard.unlock();
            }
        }
    }

    private static void fill(VkSemaphoreSubmitInfo info, Value value) {
        info.sType$Default()
                .semaphore(value.semaphore)
                .value(value.value)
                .stageMask(VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    }

    public void await(Value value) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            done(VK13.vkWaitSemaphores(
                    device,
                    VkSemaphoreWaitInfo.calloc(stack)
                            .sType$Default()
                            .semaphoreCount(1)
                            .pSemaphores(stack.longs(value.semaphore))
                            .pValues(stack.longs(value.value)),
                    ValidatedDevice.LONG.toNanos()));
        }
    }

    @Override
    public void close() {
        done(VK13.vkDeviceWaitIdle(device));
        undo.forEach(Runnable::run);
        allocations.forEach(memory -> VK13.vkFreeMemory(device, memory, null));
        VK13.vkDestroyDevice(device, null);
        instance.close();
    }
}
