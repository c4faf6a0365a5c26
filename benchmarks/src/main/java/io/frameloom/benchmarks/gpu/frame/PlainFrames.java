package io.frameloom.benchmarks.gpu.frame;

import static io.frameloom.benchmarks.gpu.plain.PlainDevice.check;

import io.frameloom.benchmarks.gpu.plain.PlainDevice;
import io.frameloom.benchmarks.gpu.plain.PlainPipelines;
import io.frameloom.benchmarks.gpu.plain.PlainValidation;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandBufferSubmitInfo;
import org.lwjgl.vulkan.VkDependencyInfo;
import org.lwjgl.vulkan.VkDescriptorImageInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkImageMemoryBarrier2;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSamplerCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreSubmitInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;
import org.lwjgl.vulkan.VkWriteDescriptorSet;

/**
 * The same frames as a careful user of LWJGL writes them by hand: targets, descriptor sets and command buffers made once,
 * one batch of barriers before each pass, one submission a frame, two frames in flight. Nothing is checked and nothing
 * can change from frame to frame, which is the least that the work can cost.
 */
final class PlainFrames implements Frames {
    private static final int FRAMES_IN_FLIGHT = 2;
    private static final int TEXTURES = 2;
    /** Descriptors of a set: the textures that a pass reads, and the target of one that computes. */
    private static final int[] TYPES = {
        VK13.VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        VK13.VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        VK13.VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
    };

    private static final long SHADERS =
            VK13.VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK13.VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;

    private final FrameShape shape;
    private final PlainDevice plain;
    private final VkDevice device;
    private final VkQueue queue;
    private final PlainPipelines pipelines;
    private final long first;
    private final long draw;
    private final long compute;
    private final PlainDevice.Image[] targets;
    private final long[] sets;
    private final PlainDevice.Commands[] commands = new PlainDevice.Commands[FRAMES_IN_FLIGHT];
    private final long timeline;
    private long frames;

    /**
     * @param device UUID of a device
     * @param validation what hears of what is wrong, or null
     */
    PlainFrames(FrameShape shape, String device, @Nullable PlainValidation validation) {
        this.shape = shape;
        plain = new PlainDevice(device, validation);
        this.device = plain.device();
        targets = new PlainDevice.Image[shape.passes()];
        for (int p = 0; p < targets.length; p++) {
            targets[p] = plain.image(
                    FrameShape.EXTENT,
                    VK13.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                            | VK13.VK_IMAGE_USAGE_SAMPLED_BIT
                            | VK13.VK_IMAGE_USAGE_STORAGE_BIT);
        }
        pipelines = new PlainPipelines(
                plain,
                VK13.VK_SHADER_STAGE_FRAGMENT_BIT | VK13.VK_SHADER_STAGE_COMPUTE_BIT,
                FrameShape.PUSH_BYTES,
                TYPES);
        first = pipelines.graphics(FrameShape.VERTEX, FrameShape.FIRST_FRAGMENT);
        draw = pipelines.graphics(FrameShape.VERTEX, FrameShape.FRAGMENT);
        compute = pipelines.compute(FrameShape.COMPUTE);
        for (int i = 0; i < FRAMES_IN_FLIGHT; i++) {
            commands[i] = plain.commands();
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            sets = sets(stack);
            PointerBuffer pointer = stack.mallocPointer(1);
            VK13.vkGetDeviceQueue(this.device, 0, 0, pointer);
            queue = new VkQueue(pointer.get(0), this.device);
            timeline = timeline(stack);
        }
    }

    /** Makes the set of each pass but the first, which has none. */
    private long[] sets(MemoryStack stack) {
        long[] made = new long[shape.passes()];
        long sampler = sampler(stack);
        long pool = pipelines.descriptorPool(shape.passes());
        for (int p = 1; p < made.length; p++) {
            made[p] = set(pool, sampler, p);
        }
        return made;
    }

    private long sampler(MemoryStack stack) {
        var out = stack.mallocLong(1);
        check(VK13.vkCreateSampler(device, VkSamplerCreateInfo.calloc(stack).sType$Default(), null, out));
        long made = out.get(0);
        plain.later(() -> VK13.vkDestroySampler(device, made, null));
        return made;
    }

    private long set(long pool, long sampler, int pass) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long set = pipelines.set(pool, stack);
            int bound = shape.computes(pass) ? TYPES.length : TEXTURES;
            int[] of = {shape.near(pass), shape.far(pass), pass};
            var writes = VkWriteDescriptorSet.calloc(bound, stack);
            for (int i = 0; i < bound; i++) {
                var image = VkDescriptorImageInfo.calloc(1, stack);
                image.get(0)
                        .sampler(i < TEXTURES ? sampler : VK13.VK_NULL_HANDLE)
                        .imageView(targets[of[i]].view())
                        .imageLayout(
                                i < TEXTURES
                                        ? VK13.VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
                                        : VK13.VK_IMAGE_LAYOUT_GENERAL);
                writes.get(i)
                        .sType$Default()
                        .dstSet(set)
                        .dstBinding(i)
                        .descriptorCount(1)
                        .descriptorType(TYPES[i])
                        .pImageInfo(image);
            }
            VK13.vkUpdateDescriptorSets(device, writes, null);
            return set;
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

    @Override
    public String name() {
        return "plain LWJGL";
    }

    @Override
    public void frame(FrameSteps.Samples samples) {
        int slot = (int) (frames % FRAMES_IN_FLIGHT);
        await(frames + 1 - FRAMES_IN_FLIGHT);
        long start = System.nanoTime();
        VkCommandBuffer list = commands[slot].list();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            check(VK13.vkResetCommandPool(device, commands[slot].pool(), 0));
            check(VK13.vkBeginCommandBuffer(
                    list,
                    VkCommandBufferBeginInfo.calloc(stack)
                            .sType$Default()
                            .flags(VK13.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT)));
            for (int p = 0; p < shape.passes(); p++) {
                pass(list, p);
            }
            check(VK13.vkEndCommandBuffer(list));
            samples.add(start, start, start, start, System.nanoTime());
            submit(list, stack);
        }
        frames++;
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
        var submitted = VkCommandBufferSubmitInfo.calloc(1, stack);
        submitted.get(0).sType$Default().commandBuffer(list);
        var signals = VkSemaphoreSubmitInfo.calloc(1, stack);
        signals.get(0)
                .sType$Default()
                .semaphore(timeline)
                .value(frames + 1)
                .stageMask(VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
        var info = VkSubmitInfo2.calloc(1, stack);
        info.get(0).sType$Default().pCommandBufferInfos(submitted).pSignalSemaphoreInfos(signals);
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
        PlainDevice.beginRendering(list, targets[pass], FrameShape.EXTENT, stack);
        bind(list, pass, VK13.VK_PIPELINE_BIND_POINT_GRAPHICS, pass == 0 ? first : draw, stack);
        var constants = stack.calloc(FrameShape.PUSH_BYTES);
        for (int i = 0; i < shape.commands(); i++) {
            VK13.vkCmdPushConstants(list, pipelines.layout(), VK13.VK_SHADER_STAGE_ALL, 0, constants);
            VK13.vkCmdDraw(list, 3, 1, 0, 0);
        }
        VK13.vkCmdEndRendering(list);
    }

    private void dispatches(VkCommandBuffer list, int pass, MemoryStack stack) {
        bind(list, pass, VK13.VK_PIPELINE_BIND_POINT_COMPUTE, compute, stack);
        var constants = stack.calloc(FrameShape.PUSH_BYTES);
        for (int i = 0; i < shape.commands(); i++) {
            VK13.vkCmdPushConstants(list, pipelines.layout(), VK13.VK_SHADER_STAGE_ALL, 0, constants);
            VK13.vkCmdDispatch(list, 1, 1, 1);
        }
    }

    private void bind(VkCommandBuffer list, int pass, int point, long pipeline, MemoryStack stack) {
        VK13.vkCmdBindPipeline(list, point, pipeline);
        if (pass > 0) {
            VK13.vkCmdBindDescriptorSets(list, point, pipelines.layout(), 0, stack.longs(sets[pass]), null);
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
