package io.frameloom.benchmarks.gpu.streaming;

import io.frameloom.benchmarks.gpu.plain.PlainDevice;
import io.frameloom.benchmarks.gpu.plain.PlainValidation;
import io.frameloom.gpu.resource.TextureDescription;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferImageCopy;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkFenceCreateInfo;
import org.lwjgl.vulkan.VkImageMemoryBarrier;
import org.lwjgl.vulkan.VkMemoryBarrier;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSubmitInfo;

/**
 * What a streamer is compared with: levels that the host has in memory go to a staging buffer, and from there to images
 * in one submission, in plain LWJGL. Images, staging memory and commands are made beforehand.
 */
final class BareCopy implements AutoCloseable {
    /** Levels begin at multiples of the largest block. */
    private static final int ALIGNMENT = 16;

    private final PlainDevice plain;
    private final VkQueue queue;
    private final TextureDescription shape;
    private final List<ByteBuffer> levels;
    private final PlainDevice.Mapped staging;
    private final long[] images;
    private final int imageBytes;
    private final VkCommandBuffer copies;
    private final long fence;

    /**
     * Makes what copies take.
     *
     * @param family the queue family that copies
     * @param shape a square texture
     * @param levels its contents, the finest first; they stay unchanged
     * @param count how many such textures are filled
     * @throws IllegalArgumentException if the host cannot map a buffer for all of them
     */
    BareCopy(
            String uuid,
            int family,
            TextureDescription shape,
            List<ByteBuffer> levels,
            int count,
            @Nullable PlainValidation validation) {
        this.shape = shape;
        this.levels = levels;
        this.imageBytes = levels.stream().mapToInt(BareCopy::placed).sum();
        if ((long) imageBytes * count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(count + " textures of " + imageBytes
                    + " bytes exceed a staging buffer of " + Integer.MAX_VALUE + " bytes; copy fewer or smaller ones");
        }
        this.plain = new PlainDevice(uuid, family, validation);
        try {
            queue = plain.queue();
            staging = plain.mapped(
                    imageBytes * count, VK13.VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK13.VK_BUFFER_USAGE_TRANSFER_DST_BIT);
            images = LongStream.generate(() -> plain.image(
                            shape.width(),
                            shape.mips(),
                            shape.format().vulkan(),
                            VK13.VK_IMAGE_USAGE_TRANSFER_SRC_BIT
                                    | VK13.VK_IMAGE_USAGE_TRANSFER_DST_BIT
                                    | VK13.VK_IMAGE_USAGE_SAMPLED_BIT))
                    .limit(count)
                    .toArray();
            fence = fence();
            copies = recordCopies();
        } catch (RuntimeException | Error e) {
            plain.close();
            throw e;
        }
    }

    private static int placed(ByteBuffer level) {
        return (level.remaining() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    private long fence() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            PlainDevice.check(VK13.vkCreateFence(
                    plain.device(), VkFenceCreateInfo.calloc(stack).sType$Default(), null, out));
            long made = out.get(0);
            plain.later(() -> VK13.vkDestroyFence(plain.device(), made, null));
            return made;
        }
    }

    private VkCommandBuffer begin() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkCommandBuffer list = plain.commands().list();
            PlainDevice.check(VK13.vkBeginCommandBuffer(
                    list, VkCommandBufferBeginInfo.calloc(stack).sType$Default()));
            return list;
        }
    }

    private VkCommandBuffer recordCopies() {
        VkCommandBuffer list = begin();
        for (int i = 0; i < images.length; i++) {
            barrier(
                    list,
                    images[i],
                    VK13.VK_IMAGE_LAYOUT_UNDEFINED,
                    0,
                    VK13.VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                    VK13.VK_ACCESS_TRANSFER_WRITE_BIT);
            try (MemoryStack stack = MemoryStack.stackPush()) {
                VK13.vkCmdCopyBufferToImage(
                        list,
                        staging.buffer(),
                        images[i],
                        VK13.VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                        regions(i * imageBytes, stack));
            }
        }
        PlainDevice.check(VK13.vkEndCommandBuffer(list));
        return list;
    }

    /** Returns all levels, which lie in the staging buffer from an offset on. */
    private VkBufferImageCopy.Buffer regions(int offset, MemoryStack stack) {
        var regions = VkBufferImageCopy.calloc(levels.size(), stack);
        int at = offset;
        for (int level = 0; level < levels.size(); level++) {
            VkBufferImageCopy region = regions.get(level).bufferOffset(at);
            region.imageSubresource()
                    .aspectMask(VK13.VK_IMAGE_ASPECT_COLOR_BIT)
                    .mipLevel(level)
                    .layerCount(1);
            region.imageExtent().set(shape.width(level), shape.height(level), 1);
            at += placed(levels.get(level));
        }
        return regions;
    }

    private static void barrier(VkCommandBuffer list, long image, int from, int fromAccess, int to, int toAccess) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var barrier = VkImageMemoryBarrier.calloc(1, stack)
                    .sType$Default()
                    .image(image)
                    .oldLayout(from)
                    .newLayout(to)
                    .srcAccessMask(fromAccess)
                    .dstAccessMask(toAccess)
                    .srcQueueFamilyIndex(VK13.VK_QUEUE_FAMILY_IGNORED)
                    .dstQueueFamilyIndex(VK13.VK_QUEUE_FAMILY_IGNORED);
            barrier.subresourceRange()
                    .aspectMask(VK13.VK_IMAGE_ASPECT_COLOR_BIT)
                    .levelCount(VK13.VK_REMAINING_MIP_LEVELS)
                    .layerCount(1);
            VK13.vkCmdPipelineBarrier(
                    list,
                    VK13.VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK13.VK_PIPELINE_STAGE_TRANSFER_BIT,
                    0,
                    null,
                    null,
                    barrier);
        }
    }

    /** Fills all images, and returns when they are full. */
    void copy() {
        int at = 0;
        for (int i = 0; i < images.length; i++) {
            for (ByteBuffer level : levels) {
                MemoryUtil.memCopy(level, staging.bytes().slice(at, level.remaining()));
                at += placed(level);
            }
        }
        run(copies);
    }

    private void run(VkCommandBuffer list) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PlainDevice.check(VK13.vkQueueSubmit(
                    queue, VkSubmitInfo.calloc(stack).sType$Default().pCommandBuffers(stack.pointers(list)), fence));
            PlainDevice.check(VK13.vkWaitForFences(plain.device(), fence, true, Long.MAX_VALUE));
            PlainDevice.check(VK13.vkResetFences(plain.device(), fence));
        }
    }

    /** Compares what the last image has after a copy with what it was to get. */
    void requireCopied() {
        VkCommandBuffer list = begin();
        long image = images[images.length - 1];
        barrier(
                list,
                image,
                VK13.VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                VK13.VK_ACCESS_TRANSFER_WRITE_BIT,
                VK13.VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                VK13.VK_ACCESS_TRANSFER_READ_BIT);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VK13.vkCmdCopyImageToBuffer(
                    list, image, VK13.VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, staging.buffer(), regions(0, stack));
            // A fence alone does not show the host what was copied.
            VK13.vkCmdPipelineBarrier(
                    list,
                    VK13.VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK13.VK_PIPELINE_STAGE_HOST_BIT,
                    0,
                    VkMemoryBarrier.calloc(1, stack)
                            .sType$Default()
                            .srcAccessMask(VK13.VK_ACCESS_TRANSFER_WRITE_BIT)
                            .dstAccessMask(VK13.VK_ACCESS_HOST_READ_BIT),
                    null,
                    null);
        }
        PlainDevice.check(VK13.vkEndCommandBuffer(list));
        MemoryUtil.memSet(staging.bytes(), 0);
        run(list);
        int at = 0;
        for (ByteBuffer level : levels) {
            if (!Objects.equals(staging.bytes().slice(at, level.remaining()), level)) {
                throw new IllegalStateException("a bare copy has lost " + level.remaining() + " bytes of a level");
            }
            at += placed(level);
        }
    }

    @Override
    public void close() {
        plain.close();
    }
}
