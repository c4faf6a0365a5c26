package io.frameloom.samples.adopt;

import static io.frameloom.samples.adopt.Engine.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferImageCopy;
import org.lwjgl.vulkan.VkClearAttachment;
import org.lwjgl.vulkan.VkClearRect;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandBufferSubmitInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;
import org.lwjgl.vulkan.VkDependencyInfo;
import org.lwjgl.vulkan.VkImageMemoryBarrier2;
import org.lwjgl.vulkan.VkImageViewCreateInfo;
import org.lwjgl.vulkan.VkMemoryBarrier2;
import org.lwjgl.vulkan.VkRenderingAttachmentInfo;
import org.lwjgl.vulkan.VkRenderingInfo;
import org.lwjgl.vulkan.VkSemaphoreSubmitInfo;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/**
 * The engine's own half of a frame: it draws colour bars before Frameloom's graph, and copies the last picture out. One
 * thread.
 */
final class EngineFrame implements AutoCloseable {
    private static final float[][] BARS = {
        {0.90f, 0.30f, 0.20f}, {0.95f, 0.70f, 0.20f}, {0.60f, 0.80f, 0.30f},
        {0.20f, 0.70f, 0.60f}, {0.20f, 0.45f, 0.85f}, {0.55f, 0.30f, 0.75f},
    };
    private static final long NEVER = Long.MAX_VALUE;

    private final Engine engine;
    private final long pool;
    private final long view;
    private final List<VkCommandBuffer> commandBuffers = new ArrayList<>();

    EngineFrame(Engine engine, int framesUnderWay) {
        this.engine = engine;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            VkImageViewCreateInfo info = VkImageViewCreateInfo.calloc(stack)
                    .sType$Default()
                    .image(engine.image())
                    .viewType(VK13.VK_IMAGE_VIEW_TYPE_2D)
                    .format(VK13.VK_FORMAT_R8G8B8A8_UNORM);
            info.subresourceRange()
                    .aspectMask(VK13.VK_IMAGE_ASPECT_COLOR_BIT)
                    .levelCount(1)
                    .layerCount(1);
            check(VK13.vkCreateImageView(engine.device(), info, null, out), "create a view");
            view = out.get(0);
            VkCommandPoolCreateInfo poolInfo = VkCommandPoolCreateInfo.calloc(stack)
                    .sType$Default()
                    .flags(VK13.VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT)
                    .queueFamilyIndex(engine.family());
            check(VK13.vkCreateCommandPool(engine.device(), poolInfo, null, out), "create a command pool");
            pool = out.get(0);
            VkCommandBufferAllocateInfo allocation = VkCommandBufferAllocateInfo.calloc(stack)
                    .sType$Default()
                    .commandPool(pool)
                    .commandBufferCount(framesUnderWay);
            PointerBuffer buffers = stack.mallocPointer(framesUnderWay);
            check(VK13.vkAllocateCommandBuffers(engine.device(), allocation, buffers), "allocate command buffers");
            for (int i = 0; i < framesUnderWay; i++) {
                commandBuffers.add(new VkCommandBuffer(buffers.get(i), engine.device()));
            }
        }
    }

    /**
     * Draws the bars and leaves the image in layout GENERAL.
     *
     * @param slot of the frame: its command buffer is free
     * @param before value of the engine's timeline that this waits for
     * @param drawn value that the timeline reaches
     */
    void drawBars(int slot, long before, long drawn) {
        submit(slot, before, drawn, commands -> {
            transition(commands, VK13.VK_IMAGE_LAYOUT_UNDEFINED, VK13.VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
            try (MemoryStack stack = MemoryStack.stackPush()) {
                bars(stack, commands);
            }
            transition(commands, VK13.VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK13.VK_IMAGE_LAYOUT_GENERAL);
        });
    }

    private void bars(MemoryStack stack, VkCommandBuffer commands) {
        VkRenderingAttachmentInfo.Buffer target = VkRenderingAttachmentInfo.calloc(1, stack);
        target.get(0)
                .sType$Default()
                .imageView(view)
                .imageLayout(VK13.VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
                .loadOp(VK13.VK_ATTACHMENT_LOAD_OP_CLEAR)
                .storeOp(VK13.VK_ATTACHMENT_STORE_OP_STORE);
        VkRenderingInfo info =
                VkRenderingInfo.calloc(stack).sType$Default().layerCount(1).pColorAttachments(target);
        info.renderArea().extent().set(engine.width(), engine.height());
        VK13.vkCmdBeginRendering(commands, info);
        for (int i = 0; i < BARS.length; i++) {
            int left = engine.width() * i / BARS.length;
            int right = engine.width() * (i + 1) / BARS.length;
            VkClearAttachment.Buffer clear = VkClearAttachment.calloc(1, stack);
            clear.get(0).aspectMask(VK13.VK_IMAGE_ASPECT_COLOR_BIT);
            clear.get(0)
                    .clearValue()
                    .color()
                    .float32(0, BARS[i][0])
                    .float32(1, BARS[i][1])
                    .float32(2, BARS[i][2])
                    .float32(3, 1);
            VkClearRect.Buffer area = VkClearRect.calloc(1, stack);
            area.get(0).layerCount(1).rect().offset().set(left, 0);
            area.get(0).rect().extent().set(right - left, engine.height());
            VK13.vkCmdClearAttachments(commands, clear, area);
        }
        VK13.vkCmdEndRendering(commands);
    }

    /**
     * Copies the picture to the mapped buffer and waits for it.
     *
     * @param slot of the frame: its command buffer is free
     * @param before value of the engine's timeline that this waits for
     * @param done value that the timeline reaches
     */
    void copyOut(int slot, long before, long done) {
        submit(slot, before, done, commands -> {
            transition(commands, VK13.VK_IMAGE_LAYOUT_GENERAL, VK13.VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
            try (MemoryStack stack = MemoryStack.stackPush()) {
                VkBufferImageCopy.Buffer region = VkBufferImageCopy.calloc(1, stack);
                region.imageSubresource()
                        .aspectMask(VK13.VK_IMAGE_ASPECT_COLOR_BIT)
                        .layerCount(1);
                region.imageExtent().set(engine.width(), engine.height(), 1);
                VK13.vkCmdCopyImageToBuffer(
                        commands, engine.image(), VK13.VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, engine.buffer(), region);
                VkMemoryBarrier2.Buffer toHost = VkMemoryBarrier2.calloc(1, stack);
                toHost.get(0)
                        .sType$Default()
                        .srcStageMask(VK13.VK_PIPELINE_STAGE_2_COPY_BIT)
                        .srcAccessMask(VK13.VK_ACCESS_2_TRANSFER_WRITE_BIT)
                        .dstStageMask(VK13.VK_PIPELINE_STAGE_2_HOST_BIT)
                        .dstAccessMask(VK13.VK_ACCESS_2_HOST_READ_BIT);
                VK13.vkCmdPipelineBarrier2(
                        commands, VkDependencyInfo.calloc(stack).sType$Default().pMemoryBarriers(toHost));
            }
        });
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkSemaphoreWaitInfo info = VkSemaphoreWaitInfo.calloc(stack)
                    .sType$Default()
                    .semaphoreCount(1)
                    .pSemaphores(stack.longs(engine.timeline()))
                    .pValues(stack.longs(done));
            check(VK13.vkWaitSemaphores(engine.device(), info, NEVER), "wait for the picture");
        }
    }

    private void submit(int slot, long before, long done, Consumer<VkCommandBuffer> recorder) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkCommandBuffer commands = commandBuffers.get(slot);
            check(
                    VK13.vkBeginCommandBuffer(
                            commands, VkCommandBufferBeginInfo.calloc(stack).sType$Default()),
                    "begin a command buffer");
            recorder.accept(commands);
            check(VK13.vkEndCommandBuffer(commands), "end a command buffer");

            VkCommandBufferSubmitInfo.Buffer lists = VkCommandBufferSubmitInfo.calloc(1, stack);
            lists.get(0).sType$Default().commandBuffer(commands);
            VkSemaphoreSubmitInfo.Buffer waits = VkSemaphoreSubmitInfo.calloc(1, stack);
            point(waits.get(0), engine.timeline(), before);
            VkSemaphoreSubmitInfo.Buffer signals = VkSemaphoreSubmitInfo.calloc(1, stack);
            point(signals.get(0), engine.timeline(), done);
            VkSubmitInfo2.Buffer info = VkSubmitInfo2.calloc(1, stack);
            info.get(0)
                    .sType$Default()
                    .pWaitSemaphoreInfos(waits)
                    .pCommandBufferInfos(lists)
                    .pSignalSemaphoreInfos(signals);
            engine.queueLock().lock();
            try {
                check(VK13.vkQueueSubmit2(engine.queue(), info, VK13.VK_NULL_HANDLE), "submit");
            } finally {
                engine.queueLock().unlock();
            }
        }
    }

    private static void point(VkSemaphoreSubmitInfo info, long semaphore, long value) {
        info.sType$Default().semaphore(semaphore).value(value).stageMask(VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    }

    private void transition(VkCommandBuffer commands, int from, int to) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkImageMemoryBarrier2.Buffer barrier = VkImageMemoryBarrier2.calloc(1, stack);
            barrier.get(0)
                    .sType$Default()
                    .srcStageMask(VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)
                    .srcAccessMask(VK13.VK_ACCESS_2_MEMORY_WRITE_BIT)
                    .dstStageMask(VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)
                    .dstAccessMask(VK13.VK_ACCESS_2_MEMORY_READ_BIT | VK13.VK_ACCESS_2_MEMORY_WRITE_BIT)
                    .oldLayout(from)
                    .newLayout(to)
                    .srcQueueFamilyIndex(VK13.VK_QUEUE_FAMILY_IGNORED)
                    .dstQueueFamilyIndex(VK13.VK_QUEUE_FAMILY_IGNORED)
                    .image(engine.image());
            barrier.get(0)
                    .subresourceRange()
                    .aspectMask(VK13.VK_IMAGE_ASPECT_COLOR_BIT)
                    .levelCount(1)
                    .layerCount(1);
            VK13.vkCmdPipelineBarrier2(
                    commands, VkDependencyInfo.calloc(stack).sType$Default().pImageMemoryBarriers(barrier));
        }
    }

    /** Waits for what was submitted, and destroys what this half made. */
    @Override
    public void close() {
        engine.waitIdle();
        VK13.vkDestroyCommandPool(engine.device(), pool, null);
        VK13.vkDestroyImageView(engine.device(), view, null);
    }
}
