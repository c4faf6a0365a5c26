package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.device.LevelChanges;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import io.frameloom.gpu.vulkan.resource.SparseImage;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkBindSparseInfo;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSparseImageMemoryBind;
import org.lwjgl.vulkan.VkSparseImageMemoryBindInfo;
import org.lwjgl.vulkan.VkSparseImageOpaqueMemoryBindInfo;
import org.lwjgl.vulkan.VkSparseMemoryBind;
import org.lwjgl.vulkan.VkTimelineSemaphoreSubmitInfo;

/** Hands a binding of levels to the driver. Stateless. */
final class SparseBinding {
    private static final int FIXED_BYTES = 1 << 10;
    /** Structures of a change or a wait, with their alignment. */
    private static final int BYTES_EACH = 256;

    private SparseBinding() {}

    /**
     * Binds after a queue's own last value and what the submission waits for.
     *
     * @param last the last value of the queue
     * @param value the value that the queue then reaches
     * @return the driver's result
     */
    static int bind(
            QueueDriver driver,
            VkQueue queue,
            VulkanTimeline timeline,
            long last,
            long value,
            List<Submission.Wait> waits,
            List<LevelChanges.Step<Long>> steps) {
        // Freed by hand: a collector does not know that the driver still reads it.
        ByteBuffer memory = MemoryUtil.memAlloc(FIXED_BYTES + BYTES_EACH * (steps.size() + waits.size()));
        try {
            return driver.bindSparse(queue, info(timeline, last, value, waits, steps, MemoryStack.create(memory)));
        } finally {
            MemoryUtil.memFree(memory);
        }
    }

    private static VkBindSparseInfo info(
            VulkanTimeline timeline,
            long last,
            long value,
            List<Submission.Wait> waits,
            List<LevelChanges.Step<Long>> steps,
            MemoryStack stack) {
        var semaphores = stack.mallocLong(waits.size() + 1);
        var values = stack.mallocLong(waits.size() + 1);
        // Nothing orders a binding with earlier work of its queue by itself.
        semaphores.put(timeline.semaphore());
        values.put(last);
        for (Submission.Wait wait : waits) {
            semaphores.put(((VulkanQueue) wait.point().queue()).vulkanTimeline().semaphore());
            values.put(wait.point().value());
        }
        VkBindSparseInfo info = VkBindSparseInfo.calloc(stack)
                .sType$Default()
                .pNext(VkTimelineSemaphoreSubmitInfo.calloc(stack)
                        .sType$Default()
                        .waitSemaphoreValueCount(values.capacity())
                        .pWaitSemaphoreValues(values.flip())
                        .signalSemaphoreValueCount(1)
                        .pSignalSemaphoreValues(stack.longs(value)))
                .pWaitSemaphores(semaphores.flip())
                .pSignalSemaphores(stack.longs(timeline.semaphore()));
        fill(info, steps, stack);
        return info;
    }

    private static void fill(VkBindSparseInfo info, List<LevelChanges.Step<Long>> steps, MemoryStack stack) {
        var tails = VkSparseImageOpaqueMemoryBindInfo.calloc(steps.size(), stack);
        var levels = VkSparseImageMemoryBindInfo.calloc(steps.size(), stack);
        int tailCount = 0;
        int levelCount = 0;
        for (LevelChanges.Step<Long> step : steps) {
            VulkanTexture texture = (VulkanTexture) step.change().texture();
            SparseImage pages = Objects.requireNonNull(texture.pages());
            int level = step.change().level();
            if (pages.isTail(level)) {
                var bind = VkSparseMemoryBind.calloc(1, stack);
                pages.fill(bind.get(0), step.after());
                tails.get(tailCount++).image(texture.handle()).pBinds(bind);
            } else {
                var bind = VkSparseImageMemoryBind.calloc(1, stack);
                pages.fill(bind.get(0), level, step.after());
                levels.get(levelCount++).image(texture.handle()).pBinds(bind);
            }
        }
        info.pImageOpaqueBinds(tails.limit(tailCount)).pImageBinds(levels.limit(levelCount));
    }
}
