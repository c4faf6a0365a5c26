package io.frameloom.benchmarks.gpu.frame;

import static io.frameloom.benchmarks.gpu.plain.PlainDevice.check;

import io.frameloom.benchmarks.gpu.plain.PlainDevice;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandBufferSubmitInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;
import org.lwjgl.vulkan.VkDependencyInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkImageMemoryBarrier2;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkRect2D;
import org.lwjgl.vulkan.VkRenderingAttachmentInfo;
import org.lwjgl.vulkan.VkRenderingInfo;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreSubmitInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;
import org.lwjgl.vulkan.VkViewport;

/**
 * The same frames as a careful user of LWJGL writes them by hand: targets, descriptor sets and command buffers made once,
 * one batch of barriers before each pass, one submission a frame, two frames in flight. Nothing is checked and nothing
 * can change from frame to frame, which is the least that the work can cost.
 */
final class PlainFrames implements Frames {
    private static final int FRAMES_IN_FLIGHT = 2;
    private static final long SHADERS =
            VK13.VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK13.VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;

    private final FrameShape shape;
    private final PlainDevice plain;
    private final VkDevice device;
    private final VkQueue queue;
    private final PlainPrograms programs;
    private final PlainDevice.Image[] targets;
    private final long[] sets;
    private final long[] pools = new long[FRAMES_IN_FLIGHT];
    private final VkCommandBuffer[] lists = new VkCommandBuffer[FRAMES_IN_FLIGHT];
    private final long timeline;
    private long frames;

    PlainFrames(FrameShape shape, String deviceName) {
        this.shape = shape;
        plain = new PlainDevice(deviceName);
        device = plain.device();
        targets = new PlainDevice.Image[shape.passes()];
        for (int p = 0; p < targets.length; p++) {
            targets[p] = plain.image(
                    FrameShape.EXTENT,
                    VK13.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                            | VK13.VK_IMAGE_USAGE_SAMPLED_BIT
                            | VK13.VK_IMAGE_USAGE_STORAGE_BIT);
        }
        programs = new PlainPrograms(plain);
        sets = programs.sets(shape, targets);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer pointer = stack.mallocPointer(1);
            VK13.vkGetDeviceQueue(device, 0, 0, pointer);
            queue = new VkQueue(pointer.get(0), device);
            timeline = timeline(stack);
            for (int i = 0; i < FRAMES_IN_FLIGHT; i++) {
                list(i, stack);
            }
        }
    }

    private long timeline(MemoryStack stack) {
        var out = stack.mallocLong(1);
        check(VK13.vkCreateSemaphore(
                device,
                VkSemaphoreCreateInfo.calloc(stack)
                        .sType$Default()
                        .pNext(VkSemaphoreTypeCreateInfo.calloc(stack)
                                .sType$Default()
                                .semaphoreType(VK13.VK_SEMAPHORE_TYPE_TIMELINE)),
                null,
                out));
        long semaphore = out.get(0);
        plain.later(() -> VK13.vkDestroySemaphore(device, semaphore, null));
        return semaphore;
    }

    private void list(int slot, MemoryStack stack) {
        var out = stack.mallocLong(1);
        check(VK13.vkCreateCommandPool(
                device, VkCommandPoolCreateInfo.calloc(stack).sType$Default(), null, out));
        long pool = out.get(0);
        plain.later(() -> VK13.vkDestroyCommandPool(device, pool, null));
        pools[slot] = pool;
        PointerBuffer buffer = stack.mallocPointer(1);
        check(VK13.vkAllocateCommandBuffers(
                device,
                VkCommandBufferAllocateInfo.calloc(stack)
                        .sType$Default()
                        .commandPool(pool)
                        .commandBufferCount(1),
                buffer));
        lists[slot] = new VkCommandBuffer(buffer.get(0), device);
    }

    @Override
    public String name() {
        return "plain LWJGL";
    }

    @Override
    public long frame() {
        int slot = (int) (frames % FRAMES_IN_FLIGHT);
        await(frames + 1 - FRAMES_IN_FLIGHT);
        long start = System.nanoTime();
        VkCommandBuffer list = lists[slot];
        long time;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            check(VK13.vkResetCommandPool(device, pools[slot], 0));
            check(VK13.vkBeginCommandBuffer(
                    list,
                    VkCommandBufferBeginInfo.calloc(stack)
                            .sType$Default()
                            .flags(VK13.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT)));
            for (int p = 0; p < shape.passes(); p++) {
                pass(list, p);
            }
            check(VK13.vkEndCommandBuffer(list));
            time = System.nanoTime() - start;
            submit(list, stack);
        }
        frames++;
        return time;
    }

    private void await(long value) {
        if (value <= 0) {
            return;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            check(VK13.vkWaitSemaphores(
                    device,
                    VkSemaphoreWaitInfo.calloc(stack)
                            .sType$Default()
                            .semaphoreCount(1)
                            .pSemaphores(stack.longs(timeline))
                            .pValues(stack.longs(value)),
                    Long.MAX_VALUE));
        }
    }

    private void submit(VkCommandBuffer list, MemoryStack stack) {
        var commands = VkCommandBufferSubmitInfo.calloc(1, stack);
        commands.get(0).sType$Default().commandBuffer(list);
        var signals = VkSemaphoreSubmitInfo.calloc(1, stack);
        signals.get(0)
                .sType$Default()
                .semaphore(timeline)
                .value(frames + 1)
                .stageMask(VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
        var info = VkSubmitInfo2.calloc(1, stack);
        info.get(0).sType$Default().pCommandBufferInfos(commands).pSignalSemaphoreInfos(signals);
        check(VK13.vkQueueSubmit2(queue, info, VK13.VK_NULL_HANDLE));
    }

    private void pass(VkCommandBuffer list, int pass) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            barriers(list, pass, stack);
            if (shape.computes(pass)) {
                dispatches(list, pass, stack);
            } else {
                draws(list, pass, stack);
            }
        }
    }

    /** What the pass before wrote becomes readable; the pass's own target is taken from the readers of the former frame. */
    private void barriers(VkCommandBuffer list, int pass, MemoryStack stack) {
        var barriers = VkImageMemoryBarrier2.calloc(pass == 0 ? 1 : 2, stack);
        boolean computes = shape.computes(pass);
        // Nobody reads the last target: the former frame's write is what comes before.
        boolean last = pass == shape.passes() - 1;
        barrier(barriers.get(0), pass)
                .srcStageMask(last ? stage(computes) : SHADERS)
                .srcAccessMask(last ? access(computes) : 0)
                .oldLayout(VK13.VK_IMAGE_LAYOUT_UNDEFINED)
                .dstStageMask(stage(computes))
                .dstAccessMask(access(computes))
                .newLayout(layout(computes));
        if (pass > 0) {
            boolean computed = shape.computes(pass - 1);
            barrier(barriers.get(1), pass - 1)
                    .srcStageMask(stage(computed))
                    .srcAccessMask(access(computed))
                    .oldLayout(layout(computed))
                    .dstStageMask(SHADERS)
                    .dstAccessMask(VK13.VK_ACCESS_2_SHADER_SAMPLED_READ_BIT)
                    .newLayout(VK13.VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
        }
        VK13.vkCmdPipelineBarrier2(
                list, VkDependencyInfo.calloc(stack).sType$Default().pImageMemoryBarriers(barriers));
    }

    private VkImageMemoryBarrier2 barrier(VkImageMemoryBarrier2 barrier, int pass) {
        barrier.sType$Default()
                .srcQueueFamilyIndex(VK13.VK_QUEUE_FAMILY_IGNORED)
                .dstQueueFamilyIndex(VK13.VK_QUEUE_FAMILY_IGNORED)
                .image(targets[pass].image());
        barrier.subresourceRange()
                .aspectMask(VK13.VK_IMAGE_ASPECT_COLOR_BIT)
                .levelCount(1)
                .layerCount(1);
        return barrier;
    }

    private static long stage(boolean computes) {
        return computes
                ? VK13.VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT
                : VK13.VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
    }

    private static long access(boolean computes) {
        return computes ? VK13.VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT : VK13.VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
    }

    private static int layout(boolean computes) {
        return computes ? VK13.VK_IMAGE_LAYOUT_GENERAL : VK13.VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    }

    private void draws(VkCommandBuffer list, int pass, MemoryStack stack) {
        var color = VkRenderingAttachmentInfo.calloc(1, stack);
        color.get(0)
                .sType$Default()
                .imageView(targets[pass].view())
                .imageLayout(VK13.VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
                .loadOp(VK13.VK_ATTACHMENT_LOAD_OP_CLEAR)
                .storeOp(VK13.VK_ATTACHMENT_STORE_OP_STORE);
        VkRenderingInfo info =
                VkRenderingInfo.calloc(stack).sType$Default().layerCount(1).pColorAttachments(color);
        info.renderArea().extent().set(FrameShape.EXTENT, FrameShape.EXTENT);
        VK13.vkCmdBeginRendering(list, info);
        VkViewport.Buffer viewport = VkViewport.calloc(1, stack);
        viewport.get(0).set(0, 0, FrameShape.EXTENT, FrameShape.EXTENT, 0, 1);
        VK13.vkCmdSetViewport(list, 0, viewport);
        VkRect2D.Buffer scissor = VkRect2D.calloc(1, stack);
        scissor.extent().set(FrameShape.EXTENT, FrameShape.EXTENT);
        VK13.vkCmdSetScissor(list, 0, scissor);
        bind(list, pass, VK13.VK_PIPELINE_BIND_POINT_GRAPHICS, pass == 0 ? programs.first() : programs.draw(), stack);
        var constants = stack.calloc(FrameShape.PUSH_BYTES);
        for (int i = 0; i < shape.commands(); i++) {
            VK13.vkCmdPushConstants(list, programs.layout(), VK13.VK_SHADER_STAGE_ALL, 0, constants);
            VK13.vkCmdDraw(list, 3, 1, 0, 0);
        }
        VK13.vkCmdEndRendering(list);
    }

    private void dispatches(VkCommandBuffer list, int pass, MemoryStack stack) {
        bind(list, pass, VK13.VK_PIPELINE_BIND_POINT_COMPUTE, programs.compute(), stack);
        var constants = stack.calloc(FrameShape.PUSH_BYTES);
        for (int i = 0; i < shape.commands(); i++) {
            VK13.vkCmdPushConstants(list, programs.layout(), VK13.VK_SHADER_STAGE_ALL, 0, constants);
            VK13.vkCmdDispatch(list, 1, 1, 1);
        }
    }

    private void bind(VkCommandBuffer list, int pass, int point, long pipeline, MemoryStack stack) {
        VK13.vkCmdBindPipeline(list, point, pipeline);
        if (pass > 0) {
            VK13.vkCmdBindDescriptorSets(list, point, programs.layout(), 0, stack.longs(sets[pass]), null);
        }
    }

    @Override
    public void finish() {
        await(frames);
    }

    @Override
    public void close() {
        finish();
        plain.close();
    }
}
