package io.frameloom.benchmarks.gpu.recording;

import static io.frameloom.benchmarks.gpu.plain.PlainDevice.check;

import io.frameloom.benchmarks.gpu.plain.PlainDevice;
import io.frameloom.benchmarks.gpu.plain.PlainPipelines;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkDescriptorBufferInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkWriteDescriptorSet;

/** Records by hand, as a careful user of LWJGL would: structures on the memory stack, one pool for each thread. */
final class PlainRecorder implements Recorder {
    private static final int PUSH_BYTES = 16;

    private final PlainDevice plain;
    private final VkDevice device;
    private final long source;
    private final long target;
    private final PlainDevice.Image image;
    private final PlainPipelines pipelines;
    private final long compute;
    private final long graphics;
    private final long[] descriptorPools;
    private final PlainDevice.Commands[] commands;

    /** @param uuid of the device */
    PlainRecorder(String uuid, int threads) {
        plain = new PlainDevice(uuid);
        device = plain.device();
        source = plain.buffer(
                2 * Stream.RANGE, VK13.VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK13.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
        target = plain.buffer(2 * Stream.RANGE, VK13.VK_BUFFER_USAGE_TRANSFER_DST_BIT);
        image = plain.image(Stream.EXTENT, VK13.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
        pipelines =
                new PlainPipelines(plain, VK13.VK_SHADER_STAGE_ALL, PUSH_BYTES, VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
        compute = pipelines.compute(Stream.COMPUTE);
        graphics = pipelines.graphics(Stream.VERTEX, Stream.FRAGMENT);
        descriptorPools = new long[threads];
        commands = new PlainDevice.Commands[threads];
        for (int i = 0; i < threads; i++) {
            commands[i] = plain.commands();
            descriptorPools[i] = pipelines.descriptorPool(Stream.LENGTH);
        }
    }

    @Override
    public String name() {
        return "plain LWJGL";
    }

    @Override
    public void record(Stream stream, int thread) {
        VkCommandBuffer list = commands[thread].list();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            check(VK13.vkBeginCommandBuffer(
                    list,
                    VkCommandBufferBeginInfo.calloc(stack)
                            .sType$Default()
                            .flags(VK13.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT)));
            switch (stream) {
                case DRAW -> draws(list, thread, stack);
                case DISPATCH -> dispatches(list, thread);
                case COPY -> copies(list);
                case BINDLESS -> throw new IllegalArgumentException("not recorded by hand");
            }
            check(VK13.vkEndCommandBuffer(list));
        }
    }

    private void draws(VkCommandBuffer list, int thread, MemoryStack stack) {
        PlainDevice.beginRendering(list, image, Stream.EXTENT, stack);
        VK13.vkCmdBindPipeline(list, VK13.VK_PIPELINE_BIND_POINT_GRAPHICS, graphics);
        for (int i = 0; i < Stream.LENGTH; i++) {
            bind(list, thread, VK13.VK_PIPELINE_BIND_POINT_GRAPHICS, i);
            VK13.vkCmdDraw(list, 3, 1, 0, 0);
        }
        VK13.vkCmdEndRendering(list);
    }

    private void dispatches(VkCommandBuffer list, int thread) {
        VK13.vkCmdBindPipeline(list, VK13.VK_PIPELINE_BIND_POINT_COMPUTE, compute);
        for (int i = 0; i < Stream.LENGTH; i++) {
            bind(list, thread, VK13.VK_PIPELINE_BIND_POINT_COMPUTE, i);
            VK13.vkCmdDispatch(list, 1, 1, 1);
        }
    }

    private void bind(VkCommandBuffer list, int thread, int point, int i) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VK13.vkCmdPushConstants(list, pipelines.layout(), VK13.VK_SHADER_STAGE_ALL, 0, stack.calloc(PUSH_BYTES));
            long set = pipelines.set(descriptorPools[thread], stack);
            var range = VkDescriptorBufferInfo.calloc(1, stack);
            range.get(0).buffer(source).offset((i & 1) * Stream.RANGE).range(Stream.RANGE);
            var write = VkWriteDescriptorSet.calloc(1, stack);
            write.get(0)
                    .sType$Default()
                    .dstSet(set)
                    .descriptorCount(1)
                    .descriptorType(VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
                    .pBufferInfo(range);
            VK13.vkUpdateDescriptorSets(device, write, null);
            VK13.vkCmdBindDescriptorSets(list, point, pipelines.layout(), 0, stack.longs(set), null);
        }
    }

    private void copies(VkCommandBuffer list) {
        for (int i = 0; i < Stream.LENGTH; i++) {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                int offset = (i & 1) * Stream.RANGE;
                var region = VkBufferCopy.calloc(1, stack);
                region.get(0).set(offset, offset, Stream.RANGE);
                VK13.vkCmdCopyBuffer(list, source, target, region);
            }
        }
    }

    @Override
    public void reset() {
        for (int i = 0; i < commands.length; i++) {
            check(VK13.vkResetCommandPool(device, commands[i].pool(), 0));
            check(VK13.vkResetDescriptorPool(device, descriptorPools[i], 0));
        }
    }

    @Override
    public void close() {
        plain.close();
    }
}
