package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.BarrierBatch.BufferBarrier;
import io.frameloom.gpu.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.BarrierBatch.OwnershipTransfer;
import io.frameloom.gpu.BarrierBatch.Scope;
import io.frameloom.gpu.BarrierBatch.TextureBarrier;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureDescription;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferMemoryBarrier2;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDependencyInfo;
import org.lwjgl.vulkan.VkImageMemoryBarrier2;
import org.lwjgl.vulkan.VkMemoryBarrier2;

/** Records a batch of barriers as one command. */
final class BarrierEncoder {
    /** More barriers than this do not go on the thread's memory stack of 64 KiB. */
    private static final int STACK_LIMIT = 256;

    private static final int BYTES_PER_BARRIER = 128;

    private BarrierEncoder() {}

    static void record(VkCommandBuffer commands, DeviceCore core, BarrierBatch batch) {
        int size = batch.size();
        try (MemoryStack stack = size > STACK_LIMIT
                ? MemoryStack.create((size + 16) * BYTES_PER_BARRIER).push()
                : MemoryStack.stackPush()) {
            VkDependencyInfo info = VkDependencyInfo.calloc(stack).sType$Default();
            if (!batch.textures().isEmpty()) {
                var barriers = VkImageMemoryBarrier2.calloc(batch.textures().size(), stack);
                for (int i = 0; i < batch.textures().size(); i++) {
                    fill(barriers.get(i), core, batch.textures().get(i));
                }
                info.pImageMemoryBarriers(barriers);
            }
            if (!batch.buffers().isEmpty()) {
                var barriers = VkBufferMemoryBarrier2.calloc(batch.buffers().size(), stack);
                for (int i = 0; i < batch.buffers().size(); i++) {
                    fill(barriers.get(i), core, batch.buffers().get(i));
                }
                info.pBufferMemoryBarriers(barriers);
            }
            if (!batch.globals().isEmpty()) {
                var barriers = VkMemoryBarrier2.calloc(batch.globals().size(), stack);
                for (int i = 0; i < batch.globals().size(); i++) {
                    fill(barriers.get(i), batch.globals().get(i));
                }
                info.pMemoryBarriers(barriers);
            }
            VK13.vkCmdPipelineBarrier2(commands, info);
        }
    }

    private static void fill(VkImageMemoryBarrier2 target, DeviceCore core, TextureBarrier barrier) {
        VulkanTexture texture = Handles.texture(core, barrier.texture());
        TextureDescription description = texture.description();
        SubresourceRange range = barrier.range();
        Scope scope = barrier.scope();
        target.sType$Default()
                .srcStageMask(VulkanMasks.stages(scope.srcStages()))
                .srcAccessMask(VulkanMasks.accesses(scope.srcAccess()))
                .dstStageMask(VulkanMasks.stages(scope.dstStages()))
                .dstAccessMask(VulkanMasks.accesses(scope.dstAccess()))
                .oldLayout(VulkanMasks.layout(barrier.oldLayout()))
                .newLayout(VulkanMasks.layout(barrier.newLayout()))
                .srcQueueFamilyIndex(from(barrier.ownership()))
                .dstQueueFamilyIndex(to(barrier.ownership()))
                .image(texture.handle());
        target.subresourceRange()
                .aspectMask(VulkanFormats.aspects(description.format(), range))
                .baseMipLevel(range.baseMip())
                .levelCount(range.mipCount())
                .baseArrayLayer(range.baseLayer())
                .layerCount(range.layerCount());
    }

    private static void fill(VkBufferMemoryBarrier2 target, DeviceCore core, BufferBarrier barrier) {
        Scope scope = barrier.scope();
        target.sType$Default()
                .srcStageMask(VulkanMasks.stages(scope.srcStages()))
                .srcAccessMask(VulkanMasks.accesses(scope.srcAccess()))
                .dstStageMask(VulkanMasks.stages(scope.dstStages()))
                .dstAccessMask(VulkanMasks.accesses(scope.dstAccess()))
                .srcQueueFamilyIndex(from(barrier.ownership()))
                .dstQueueFamilyIndex(to(barrier.ownership()))
                .buffer(Handles.buffer(core, barrier.buffer()).handle())
                .offset(barrier.offset())
                .size(barrier.bytes());
    }

    private static void fill(VkMemoryBarrier2 target, GlobalBarrier barrier) {
        Scope scope = barrier.scope();
        target.sType$Default()
                .srcStageMask(VulkanMasks.stages(scope.srcStages()))
                .srcAccessMask(VulkanMasks.accesses(scope.srcAccess()))
                .dstStageMask(VulkanMasks.stages(scope.dstStages()))
                .dstAccessMask(VulkanMasks.accesses(scope.dstAccess()));
    }

    private static int from(@Nullable OwnershipTransfer transfer) {
        return transfer == null ? VK13.VK_QUEUE_FAMILY_IGNORED : transfer.from();
    }

    private static int to(@Nullable OwnershipTransfer transfer) {
        return transfer == null ? VK13.VK_QUEUE_FAMILY_IGNORED : transfer.to();
    }
}
