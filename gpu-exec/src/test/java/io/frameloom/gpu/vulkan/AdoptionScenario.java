package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.transfer.Readback;
import io.frameloom.gpu.transfer.Readbacks;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.VulkanInstance;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryRequirements;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreSignalInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;

/**
 * An engine that lends its device, a buffer and a timeline semaphore, and closes them after Frameloom. What Frameloom makes of
 * a failure, the engine's own calls among those that fail, must leave the engine's objects to the engine.
 */
final class AdoptionScenario extends FaultProgram {
    private static final int FAMILY = 0;
    private static final int BYTES = 256;

    private final DeviceOptions options;
    private final DeviceSeams seams;
    private final Lock guard = new ReentrantLock();

    AdoptionScenario(DeviceOptions options, DeviceSeams seams) {
        this.options = options;
        this.seams = seams;
    }

    @Override
    void use() {
        VulkanInstance instance = own(VulkanInstance.create("fault engine", false, Set.of()));
        VkPhysicalDevice physical = instance.adapters().get(0).handle();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkDeviceQueueCreateInfo.Buffer queues = VkDeviceQueueCreateInfo.calloc(1, stack);
            queues.get(0).sType$Default().queueFamilyIndex(FAMILY).pQueuePriorities(stack.floats(1));
            VkDeviceCreateInfo info =
                    VkDeviceCreateInfo.calloc(stack).sType$Default().pQueueCreateInfos(queues);
            TestEngine.neededFeatures(info);
            PointerBuffer out = stack.mallocPointer(1);
            check(VK13.vkCreateDevice(physical, info, null, out), "create the engine's device");
            VkDevice engine = new VkDevice(out.get(0), physical, info);
            own(() -> VK13.vkDestroyDevice(engine, null));
            long buffer = buffer(engine);
            long semaphore = timeline(engine);
            VK13.vkGetDeviceQueue(engine, FAMILY, 0, out);
            AdoptedDevice lent = AdoptedDevice.of(engine)
                    .createdWith(info)
                    .queue(QueueKind.GRAPHICS, new VkQueue(out.get(0), engine), FAMILY, guard)
                    .build();
            share(open(SeamedDevices.adopt(lent, options, seams)), engine, buffer, semaphore);
        }
    }

    private long buffer(VkDevice engine) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            VkBufferCreateInfo info = VkBufferCreateInfo.calloc(stack)
                    .sType$Default()
                    .size(BYTES)
                    .usage(VK13.VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK13.VK_BUFFER_USAGE_TRANSFER_DST_BIT);
            check(VK13.vkCreateBuffer(engine, info, null, out), "create the engine's buffer");
            long buffer = out.get(0);
            own(() -> VK13.vkDestroyBuffer(engine, buffer, null));
            VkMemoryRequirements needs = VkMemoryRequirements.calloc(stack);
            VK13.vkGetBufferMemoryRequirements(engine, buffer, needs);
            check(
                    VK13.vkAllocateMemory(
                            engine,
                            VkMemoryAllocateInfo.calloc(stack)
                                    .sType$Default()
                                    .allocationSize(needs.size())
                                    .memoryTypeIndex(Integer.numberOfTrailingZeros(needs.memoryTypeBits())),
                            null,
                            out),
                    "allocate the engine's memory");
            long memory = out.get(0);
            own(() -> VK13.vkFreeMemory(engine, memory, null));
            check(VK13.vkBindBufferMemory(engine, buffer, memory, 0), "bind the engine's memory");
            return buffer;
        }
    }

    private long timeline(VkDevice engine) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            check(
                    VK13.vkCreateSemaphore(
                            engine,
                            VkSemaphoreCreateInfo.calloc(stack)
                                    .sType$Default()
                                    .pNext(VkSemaphoreTypeCreateInfo.calloc(stack)
                                            .sType$Default()
                                            .semaphoreType(VK13.VK_SEMAPHORE_TYPE_TIMELINE)),
                            null,
                            out),
                    "create the engine's timeline");
            long semaphore = out.get(0);
            own(() -> VK13.vkDestroySemaphore(engine, semaphore, null));
            return semaphore;
        }
    }

    private void share(VulkanDevice device, VkDevice engine, long handle, long semaphore) {
        GpuQueue queue = device.queues().get(0);
        Buffer shared = own(device.importBuffer(
                "shared", handle, BufferDescription.device(BYTES, BufferUsage.COPY_SRC, BufferUsage.COPY_DST)));
        ExternalTimeline timeline = device.importTimeline("engine", semaphore);
        FrameContext frame = own(device.createFrameContext("frame"));
        Uploader uploader = own(new Uploader(device, queue, "uploads", 1024));
        Readbacks readbacks = own(new Readbacks(device, queue, "readbacks", 1 << 16));
        for (int round = 1; round <= 2; round++) {
            signal(engine, semaphore, 2L * round - 1);
            byte[] bytes = new byte[BYTES];
            bytes[BYTES - 1] = (byte) round;
            TimelinePoint uploaded =
                    uploader.upload(shared, 0, ByteBuffer.wrap(bytes)).point();
            CommandList list = frame.beginCommands(queue, "fill");
            list.fillBuffer(shared, 0, BYTES / 2, round);
            list.end();
            int all = PipelineStage.ALL_COMMANDS.bit();
            TimelinePoint filled =
                    queue.submit(new Submission("fill", List.of(list), List.of(new Submission.Wait(uploaded, all)))
                            .with(
                                    List.of(new ExternalPoint(timeline, 2L * round - 1, all)),
                                    List.of(new ExternalPoint(timeline, 2L * round, all))));
            expect(queue.timeline().reached(filled.value()));
            await(engine, semaphore, 2L * round);
            try (Readback read = readbacks.read(shared, 0, BYTES, filled)) {
                await(read.event());
                if (read.bytes().get(0) != round || read.bytes().get(BYTES - 1) != round) {
                    throw new AssertionError("round " + round + " reads something else");
                }
            }
            await(filled);
            frame.reset();
        }
    }

    private static void signal(VkDevice engine, long semaphore, long value) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkSemaphoreSignalInfo info = VkSemaphoreSignalInfo.calloc(stack)
                    .sType$Default()
                    .semaphore(semaphore)
                    .value(value);
            checkOwn(VK13.vkSignalSemaphore(engine, info), "signal the engine's timeline");
        }
    }

    private static void await(VkDevice engine, long semaphore, long value) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            checkOwn(
                    VK13.vkWaitSemaphores(
                            engine,
                            VkSemaphoreWaitInfo.calloc(stack)
                                    .sType$Default()
                                    .semaphoreCount(1)
                                    .pSemaphores(stack.longs(semaphore))
                                    .pValues(stack.longs(value)),
                            LONG.toNanos()),
                    "wait for the engine's timeline");
        }
    }

    /** The engine that finds its device lost goes on: the next of our calls finds it too, and has the report. */
    private static void checkOwn(int result, String what) {
        if (result != VK13.VK_ERROR_DEVICE_LOST) {
            check(result, what);
        }
    }
}
