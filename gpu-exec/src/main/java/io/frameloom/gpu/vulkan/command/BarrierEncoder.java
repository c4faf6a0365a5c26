package io.frameloom.gpu.vulkan.command;

import static org.lwjgl.system.MemoryUtil.memPutAddress;
import static org.lwjgl.system.MemoryUtil.memPutLong;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.BufferBarrier;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.BarrierBatch.OwnershipTransfer;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.BarrierBatch.TextureBarrier;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.SyncMasks;
import io.frameloom.gpu.vulkan.driver.Vulkan13;
import io.frameloom.gpu.vulkan.driver.VulkanFormats;
import io.frameloom.gpu.vulkan.driver.VulkanMasks;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferMemoryBarrier2;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDependencyInfo;
import org.lwjgl.vulkan.VkImageMemoryBarrier2;
import org.lwjgl.vulkan.VkImageSubresourceRange;
import org.lwjgl.vulkan.VkMemoryBarrier2;

/**
 * Writes a batch of barriers as one command, or as each half of a split barrier. The list has checked that its
 * resources are open and of the device.
 */
final class BarrierEncoder {
    private BarrierEncoder() {}

    static void record(VkCommandBuffer commands, CommandScratch scratch, SyncMasks masks, BarrierBatch batch) {
        Vulkan13.pipelineBarrier(commands, encode(scratch, masks, batch, 0));
    }

    /**
     * Writes a batch inside of a render pass, whose attachments keep their layouts: by region, so that no tile waits for
     * another, and without images, which the render pass knows.
     *
     * @param views whether draws go to several views, each of which then waits for itself alone
     */
    static void recordLocal(
            VkCommandBuffer commands, CommandScratch scratch, SyncMasks masks, BarrierBatch batch, boolean views) {
        Vulkan13.pipelineBarrier(commands, encodeLocal(scratch, masks, batch, views));
    }

    /** As {@link #encode}. Conditions are read outside of render passes, so no stage of theirs is named. */
    static long encodeLocal(CommandScratch scratch, SyncMasks masks, BarrierBatch batch, boolean views) {
        int count = batch.textures().size();
        long info = scratch.zeroed(VkDependencyInfo.SIZEOF + count * VkMemoryBarrier2.SIZEOF);
        VkDependencyInfo.nsType(info, VK13.VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
        VkDependencyInfo.ndependencyFlags(
                info, VK13.VK_DEPENDENCY_BY_REGION_BIT | (views ? VK13.VK_DEPENDENCY_VIEW_LOCAL_BIT : 0));
        VkDependencyInfo.nmemoryBarrierCount(info, count);
        memPutAddress(info + VkDependencyInfo.PMEMORYBARRIERS, info + VkDependencyInfo.SIZEOF);
        for (int i = 0; i < count; i++) {
            TextureBarrier barrier = batch.textures().get(i);
            Scope scope = barrier.scope();
            long at = info + VkDependencyInfo.SIZEOF + (long) i * VkMemoryBarrier2.SIZEOF;
            VkMemoryBarrier2.nsType(at, VK13.VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
            VkMemoryBarrier2.nsrcStageMask(at, masks.destinationStages(scope.srcStages()));
            VkMemoryBarrier2.nsrcAccessMask(at, masks.accesses(scope.srcAccess(), barrier.oldLayout()));
            VkMemoryBarrier2.ndstStageMask(at, masks.destinationStages(scope.dstStages()));
            VkMemoryBarrier2.ndstAccessMask(at, masks.accesses(scope.dstAccess(), barrier.newLayout()));
        }
        return info;
    }

    static void set(VkCommandBuffer commands, CommandScratch scratch, SyncMasks masks, long event, BarrierBatch batch) {
        Vulkan13.setEvent(commands, event, encode(scratch, masks, batch, 0));
    }

    static void await(
            VkCommandBuffer commands, CommandScratch scratch, SyncMasks masks, long event, BarrierBatch batch) {
        long info = encode(scratch, masks, batch, Long.BYTES);
        long handle = info - Long.BYTES;
        memPutLong(handle, event);
        Vulkan13.waitEvent(commands, handle, info);
    }

    /** Does the same with the {@link #structures} of the batch. */
    static void record(VkCommandBuffer commands, CommandScratch scratch, BarrierBatch batch, long[] structures) {
        long info = scratch.filled(structures);
        link(info, batch);
        Vulkan13.pipelineBarrier(commands, info);
    }

    /** Returns what {@link #record} encodes, for later lists. */
    static long[] structures(CommandScratch scratch, SyncMasks masks, BarrierBatch batch) {
        encode(scratch, masks, batch, 0);
        return scratch.words(bytes(batch));
    }

    private static int bytes(BarrierBatch batch) {
        return VkDependencyInfo.SIZEOF
                + batch.textures().size() * VkImageMemoryBarrier2.SIZEOF
                + batch.buffers().size() * VkBufferMemoryBarrier2.SIZEOF
                + batch.globals().size() * VkMemoryBarrier2.SIZEOF;
    }

    /** Returns the address of the structure, with so many bytes free before it. */
    private static long encode(CommandScratch scratch, SyncMasks masks, BarrierBatch batch, int bytesBefore) {
        int textures = batch.textures().size();
        int buffers = batch.buffers().size();
        int globals = batch.globals().size();
        long info = bytesBefore + scratch.zeroed(bytesBefore + bytes(batch));
        VkDependencyInfo.nsType(info, VK13.VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
        VkDependencyInfo.nimageMemoryBarrierCount(info, textures);
        VkDependencyInfo.nbufferMemoryBarrierCount(info, buffers);
        VkDependencyInfo.nmemoryBarrierCount(info, globals);
        link(info, batch);
        long at = info + VkDependencyInfo.SIZEOF;
        for (int i = 0; i < textures; i++, at += VkImageMemoryBarrier2.SIZEOF) {
            fill(masks, at, batch.textures().get(i));
        }
        for (int i = 0; i < buffers; i++, at += VkBufferMemoryBarrier2.SIZEOF) {
            fill(masks, at, batch.buffers().get(i));
        }
        for (int i = 0; i < globals; i++, at += VkMemoryBarrier2.SIZEOF) {
            fill(masks, at, batch.globals().get(i));
        }
        return info;
    }

    /** Writes where the barriers lie: after the structure, by kind. */
    private static void link(long info, BarrierBatch batch) {
        long textures = info + VkDependencyInfo.SIZEOF;
        long buffers = textures + (long) batch.textures().size() * VkImageMemoryBarrier2.SIZEOF;
        memPutAddress(info + VkDependencyInfo.PIMAGEMEMORYBARRIERS, textures);
        memPutAddress(info + VkDependencyInfo.PBUFFERMEMORYBARRIERS, buffers);
        memPutAddress(
                info + VkDependencyInfo.PMEMORYBARRIERS,
                buffers + (long) batch.buffers().size() * VkBufferMemoryBarrier2.SIZEOF);
    }

    private static void fill(SyncMasks masks, long at, TextureBarrier barrier) {
        VulkanTexture texture = (VulkanTexture) barrier.texture();
        SubresourceRange range = barrier.range();
        Scope scope = barrier.scope();
        VkImageMemoryBarrier2.nsType(at, VK13.VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2);
        VkImageMemoryBarrier2.nsrcStageMask(at, masks.sourceStages(scope.srcStages()));
        VkImageMemoryBarrier2.nsrcAccessMask(at, masks.sourceAccesses(scope));
        VkImageMemoryBarrier2.ndstStageMask(at, masks.destinationStages(scope.dstStages()));
        VkImageMemoryBarrier2.ndstAccessMask(at, masks.accesses(scope.dstAccess(), barrier.newLayout()));
        VkImageMemoryBarrier2.noldLayout(at, VulkanMasks.layout(barrier.oldLayout()));
        VkImageMemoryBarrier2.nnewLayout(at, VulkanMasks.layout(barrier.newLayout()));
        VkImageMemoryBarrier2.nsrcQueueFamilyIndex(at, from(barrier.ownership()));
        VkImageMemoryBarrier2.ndstQueueFamilyIndex(at, to(barrier.ownership()));
        VkImageMemoryBarrier2.nimage(at, texture.handle());
        long target = at + VkImageMemoryBarrier2.SUBRESOURCERANGE;
        VkImageSubresourceRange.naspectMask(
                target, VulkanFormats.aspects(texture.description().format(), range));
        VkImageSubresourceRange.nbaseMipLevel(target, range.baseMip());
        VkImageSubresourceRange.nlevelCount(target, range.mipCount());
        VkImageSubresourceRange.nbaseArrayLayer(target, range.baseLayer());
        VkImageSubresourceRange.nlayerCount(target, range.layerCount());
    }

    private static void fill(SyncMasks masks, long at, BufferBarrier barrier) {
        Scope scope = barrier.scope();
        VkBufferMemoryBarrier2.nsType(at, VK13.VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2);
        VkBufferMemoryBarrier2.nsrcStageMask(at, masks.sourceStages(scope.srcStages()));
        VkBufferMemoryBarrier2.nsrcAccessMask(at, masks.sourceAccesses(scope));
        VkBufferMemoryBarrier2.ndstStageMask(at, masks.destinationStages(scope.dstStages()));
        VkBufferMemoryBarrier2.ndstAccessMask(at, masks.destinationAccesses(scope));
        VkBufferMemoryBarrier2.nsrcQueueFamilyIndex(at, from(barrier.ownership()));
        VkBufferMemoryBarrier2.ndstQueueFamilyIndex(at, to(barrier.ownership()));
        VkBufferMemoryBarrier2.nbuffer(at, ((VulkanBuffer) barrier.buffer()).handle());
        VkBufferMemoryBarrier2.noffset(at, barrier.offset());
        VkBufferMemoryBarrier2.nsize(at, barrier.bytes());
    }

    private static void fill(SyncMasks masks, long at, GlobalBarrier barrier) {
        Scope scope = barrier.scope();
        VkMemoryBarrier2.nsType(at, VK13.VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
        VkMemoryBarrier2.nsrcStageMask(at, masks.sourceStages(scope.srcStages()));
        VkMemoryBarrier2.nsrcAccessMask(at, masks.sourceAccesses(scope));
        VkMemoryBarrier2.ndstStageMask(at, masks.destinationStages(scope.dstStages()));
        VkMemoryBarrier2.ndstAccessMask(at, masks.destinationAccesses(scope));
    }

    private static int from(@Nullable OwnershipTransfer transfer) {
        return transfer == null ? VK13.VK_QUEUE_FAMILY_IGNORED : transfer.from();
    }

    private static int to(@Nullable OwnershipTransfer transfer) {
        return transfer == null ? VK13.VK_QUEUE_FAMILY_IGNORED : transfer.to();
    }
}
