package io.frameloom.gpu.vulkan.driver;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandBufferSubmitInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;
import org.lwjgl.vulkan.VkFenceCreateInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/**
 * Relates the clock of a device to that of the host by submissions that write a timestamp, which is taken to be halfway
 * between submission and completion. The shortest of several samples counts. None counts that took so long that it may
 * have waited for other work: an engine's queue may have a backlog, even one that ends only when the engine goes on. So
 * no wait is long; a sample that is not done by then is destroyed later. One thread at a time.
 */
final class ClockCalibration implements AutoCloseable {
    /** Longest time from submission to completion of a sample; half of it is the error. */
    private static final long LONGEST_SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** A sample as short as this is enough. */
    private static final long GOOD_SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int MOST_SAMPLES = 16;
    /** How often a wait that fails is tried again. */
    private static final int MOST_WAITS = 3;

    private final DeviceCore core;
    private final DeviceQueue queue;
    private final QueueDriver driver;
    private long pool = VK13.VK_NULL_HANDLE;
    private long queries = VK13.VK_NULL_HANDLE;
    private long fence = VK13.VK_NULL_HANDLE;
    private boolean pending;

    ClockCalibration(DeviceCore core, DeviceQueue queue, QueueDriver driver) {
        this.core = core;
        this.queue = queue;
        this.driver = driver;
    }

    /** Returns a moment on both clocks, or null if the queue was busy all the time. */
    DeviceClock.@Nullable Anchor measure() {
        boolean measured = false;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            DeviceClock.Anchor best = sample(record(stack), stack);
            measured = true;
            return best;
        } finally {
            if (!measured) {
                close(PATIENCE_NANOS);
            } else if (!pending) {
                destroy();
            }
        }
    }

    private DeviceClock.@Nullable Anchor sample(VkCommandBuffer commands, MemoryStack stack) {
        VkSubmitInfo2.Buffer submit = VkSubmitInfo2.calloc(1, stack);
        VkCommandBufferSubmitInfo.Buffer list = VkCommandBufferSubmitInfo.calloc(1, stack);
        list.get(0).sType$Default().commandBuffer(commands);
        submit.get(0).sType$Default().pCommandBufferInfos(list);
        var ticks = stack.mallocLong(1);
        DeviceClock.Anchor best = null;
        long shortest = LONGEST_SAMPLE_NANOS + 1;
        long end = System.nanoTime() + PATIENCE_NANOS;
        for (int i = 0; i < MOST_SAMPLES && shortest > GOOD_SAMPLE_NANOS; i++) {
            VK13.vkResetQueryPool(core.handle(), queries, 0, 1);
            core.check(VK13.vkResetFences(core.handle(), fence), "reset a fence");
            long before;
            queue.guard().lock();
            try {
                before = System.nanoTime();
                core.check(driver.submit(queue.handle(), submit, fence), "submit the calibration");
            } finally {
                queue.guard().unlock();
            }
            pending = true;
            int result = driver.waitFence(core.handle(), fence, Math.max(0, end - System.nanoTime()));
            long nanos = System.nanoTime() - before;
            if (result == VK13.VK_TIMEOUT) {
                return best;
            }
            core.check(result, "wait for the calibration");
            pending = false;
            core.check(
                    VK13.vkGetQueryPoolResults(
                            core.handle(), queries, 0, 1, ticks, Long.BYTES, VK13.VK_QUERY_RESULT_64_BIT),
                    "read the calibration");
            if (nanos < shortest) {
                shortest = nanos;
                best = new DeviceClock.Anchor(ticks.get(0), before + nanos / 2);
            }
        }
        return best;
    }

    private VkCommandBuffer record(MemoryStack stack) {
        String name = "clock calibration";
        pool = core.create(
                VK13.VK_OBJECT_TYPE_COMMAND_POOL,
                name,
                "a command pool",
                (nested, made) -> VK13.vkCreateCommandPool(
                        core.handle(),
                        VkCommandPoolCreateInfo.calloc(nested)
                                .sType$Default()
                                .queueFamilyIndex(queue.plan().family().index()),
                        null,
                        made));
        queries = DeviceClock.createPool(core, name, "a query pool", VK13.VK_QUERY_TYPE_TIMESTAMP, 0, 1);
        fence = core.create(
                VK13.VK_OBJECT_TYPE_FENCE,
                name,
                "a fence",
                (nested, made) -> VK13.vkCreateFence(
                        core.handle(), VkFenceCreateInfo.calloc(nested).sType$Default(), null, made));
        PointerBuffer out = stack.mallocPointer(1);
        core.check(
                VK13.vkAllocateCommandBuffers(
                        core.handle(),
                        VkCommandBufferAllocateInfo.calloc(stack)
                                .sType$Default()
                                .commandPool(pool)
                                .commandBufferCount(1),
                        out),
                "allocate a command buffer");
        VkCommandBuffer commands = new VkCommandBuffer(out.get(0), core.handle());
        core.names().name(VK13.VK_OBJECT_TYPE_COMMAND_BUFFER, commands.address(), name);
        core.check(
                VK13.vkBeginCommandBuffer(
                        commands, VkCommandBufferBeginInfo.calloc(stack).sType$Default()),
                "begin a command buffer");
        Vulkan13.writeTimestamp(commands, queries, 0);
        core.check(VK13.vkEndCommandBuffer(commands), "end a command buffer");
        return commands;
    }

    /** Waits for an unfinished sample, as for all that was submitted, and destroys its objects. */
    @Override
    public void close() {
        close(Long.MAX_VALUE);
    }

    /** Objects that the device may still use are not destroyed. */
    private void close(long nanos) {
        if (!pending || isThrough(nanos)) {
            pending = false;
            destroy();
        }
    }

    /**
     * Waits once more for a sample. An engine's device is not waited for as a whole, which would need the locks of all
     * its queues.
     */
    private boolean isThrough(long nanos) {
        if (core.owned()) {
            driver.waitIdle(queue.handle());
            return true;
        }
        int result = VK13.VK_NOT_READY;
        for (int i = 0; i < MOST_WAITS && result != VK13.VK_SUCCESS && result != VK13.VK_ERROR_DEVICE_LOST; i++) {
            result = driver.waitFence(core.handle(), fence, nanos);
        }
        return result == VK13.VK_SUCCESS || result == VK13.VK_ERROR_DEVICE_LOST;
    }

    /** What was not created is VK_NULL_HANDLE, which is ignored. */
    private void destroy() {
        VK13.vkDestroyFence(core.handle(), fence, null);
        VK13.vkDestroyQueryPool(core.handle(), queries, null);
        VK13.vkDestroyCommandPool(core.handle(), pool, null);
        fence = VK13.VK_NULL_HANDLE;
        queries = VK13.VK_NULL_HANDLE;
        pool = VK13.VK_NULL_HANDLE;
    }
}
