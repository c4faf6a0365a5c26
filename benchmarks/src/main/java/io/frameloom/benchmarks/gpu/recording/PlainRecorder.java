package io.frameloom.benchmarks.gpu.recording;

import static io.frameloom.benchmarks.gpu.plain.PlainDevice.check;

import io.frameloom.benchmarks.gpu.plain.PlainDevice;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.util.shaderc.Shaderc;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
import org.lwjgl.vulkan.VkDescriptorBufferInfo;
import org.lwjgl.vulkan.VkDescriptorPoolCreateInfo;
import org.lwjgl.vulkan.VkDescriptorPoolSize;
import org.lwjgl.vulkan.VkDescriptorSetAllocateInfo;
import org.lwjgl.vulkan.VkDescriptorSetLayoutBinding;
import org.lwjgl.vulkan.VkDescriptorSetLayoutCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkGraphicsPipelineCreateInfo;
import org.lwjgl.vulkan.VkPipelineColorBlendAttachmentState;
import org.lwjgl.vulkan.VkPipelineColorBlendStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineDynamicStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineInputAssemblyStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineLayoutCreateInfo;
import org.lwjgl.vulkan.VkPipelineMultisampleStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineRasterizationStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineRenderingCreateInfo;
import org.lwjgl.vulkan.VkPipelineShaderStageCreateInfo;
import org.lwjgl.vulkan.VkPipelineVertexInputStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineViewportStateCreateInfo;
import org.lwjgl.vulkan.VkPushConstantRange;
import org.lwjgl.vulkan.VkRect2D;
import org.lwjgl.vulkan.VkRenderingAttachmentInfo;
import org.lwjgl.vulkan.VkRenderingInfo;
import org.lwjgl.vulkan.VkViewport;
import org.lwjgl.vulkan.VkWriteDescriptorSet;

/** Records by hand, as a careful user of LWJGL would: structures on the memory stack, one pool for each thread. */
final class PlainRecorder implements Recorder {
    private static final int PUSH_BYTES = 16;

    private final PlainDevice plain;
    private final VkDevice device;
    private final long source;
    private final long target;
    private final long view;
    private final long setLayout;
    private final long layout;
    private final long compute;
    private final long graphics;
    private final long[] commandPools;
    private final long[] descriptorPools;
    private final VkCommandBuffer[] commands;

    PlainRecorder(String deviceName, int threads) {
        plain = new PlainDevice(deviceName);
        device = plain.device();
        source = plain.buffer(
                2 * Stream.RANGE, VK13.VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK13.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
        target = plain.buffer(2 * Stream.RANGE, VK13.VK_BUFFER_USAGE_TRANSFER_DST_BIT);
        view = plain.image(Stream.EXTENT, VK13.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
                .view();
        commandPools = new long[threads];
        descriptorPools = new long[threads];
        commands = new VkCommandBuffer[threads];
        try (MemoryStack stack = MemoryStack.stackPush()) {
            setLayout = setLayout(stack);
            layout = layout(stack);
            compute = compute(stack);
            graphics = graphics(stack);
            for (int i = 0; i < threads; i++) {
                pools(i, stack);
            }
        }
    }

    private long setLayout(MemoryStack stack) {
        var out = stack.mallocLong(1);
        var binding = VkDescriptorSetLayoutBinding.calloc(1, stack);
        binding.get(0)
                .descriptorType(VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
                .descriptorCount(1)
                .stageFlags(VK13.VK_SHADER_STAGE_ALL);
        check(VK13.vkCreateDescriptorSetLayout(
                device,
                VkDescriptorSetLayoutCreateInfo.calloc(stack).sType$Default().pBindings(binding),
                null,
                out));
        long made = out.get(0);
        plain.later(() -> VK13.vkDestroyDescriptorSetLayout(device, made, null));
        return made;
    }

    private long layout(MemoryStack stack) {
        var out = stack.mallocLong(1);
        var push = VkPushConstantRange.calloc(1, stack);
        push.get(0).stageFlags(VK13.VK_SHADER_STAGE_ALL).size(PUSH_BYTES);
        check(VK13.vkCreatePipelineLayout(
                device,
                VkPipelineLayoutCreateInfo.calloc(stack)
                        .sType$Default()
                        .setLayoutCount(1)
                        .pSetLayouts(stack.longs(setLayout))
                        .pPushConstantRanges(push),
                null,
                out));
        long made = out.get(0);
        plain.later(() -> VK13.vkDestroyPipelineLayout(device, made, null));
        return made;
    }

    private long compute(MemoryStack stack) {
        var out = stack.mallocLong(1);
        var info = VkComputePipelineCreateInfo.calloc(1, stack);
        info.get(0).sType$Default().layout(layout);
        info.get(0)
                .stage()
                .sType$Default()
                .stage(VK13.VK_SHADER_STAGE_COMPUTE_BIT)
                .module(plain.shader(Stream.COMPUTE, Shaderc.shaderc_glsl_compute_shader))
                .pName(stack.UTF8("main"));
        check(VK13.vkCreateComputePipelines(device, VK13.VK_NULL_HANDLE, info, null, out));
        long made = out.get(0);
        plain.later(() -> VK13.vkDestroyPipeline(device, made, null));
        return made;
    }

    private long graphics(MemoryStack stack) {
        var out = stack.mallocLong(1);
        var stages = VkPipelineShaderStageCreateInfo.calloc(2, stack);
        stages.get(0)
                .sType$Default()
                .stage(VK13.VK_SHADER_STAGE_VERTEX_BIT)
                .module(plain.shader(Stream.VERTEX, Shaderc.shaderc_glsl_vertex_shader))
                .pName(stack.UTF8("main"));
        stages.get(1)
                .sType$Default()
                .stage(VK13.VK_SHADER_STAGE_FRAGMENT_BIT)
                .module(plain.shader(Stream.FRAGMENT, Shaderc.shaderc_glsl_fragment_shader))
                .pName(stack.UTF8("main"));
        var blend = VkPipelineColorBlendAttachmentState.calloc(1, stack);
        blend.get(0).colorWriteMask(0xF);
        var info = VkGraphicsPipelineCreateInfo.calloc(1, stack);
        info.get(0)
                .sType$Default()
                .pNext(VkPipelineRenderingCreateInfo.calloc(stack)
                        .sType$Default()
                        .colorAttachmentCount(1)
                        .pColorAttachmentFormats(stack.ints(VK13.VK_FORMAT_R8G8B8A8_UNORM)))
                .pStages(stages)
                .pVertexInputState(
                        VkPipelineVertexInputStateCreateInfo.calloc(stack).sType$Default())
                .pInputAssemblyState(VkPipelineInputAssemblyStateCreateInfo.calloc(stack)
                        .sType$Default()
                        .topology(VK13.VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST))
                .pViewportState(VkPipelineViewportStateCreateInfo.calloc(stack)
                        .sType$Default()
                        .viewportCount(1)
                        .scissorCount(1))
                .pRasterizationState(VkPipelineRasterizationStateCreateInfo.calloc(stack)
                        .sType$Default()
                        .lineWidth(1))
                .pMultisampleState(VkPipelineMultisampleStateCreateInfo.calloc(stack)
                        .sType$Default()
                        .rasterizationSamples(1))
                .pColorBlendState(VkPipelineColorBlendStateCreateInfo.calloc(stack)
                        .sType$Default()
                        .pAttachments(blend))
                .pDynamicState(VkPipelineDynamicStateCreateInfo.calloc(stack)
                        .sType$Default()
                        .pDynamicStates(stack.ints(VK13.VK_DYNAMIC_STATE_VIEWPORT, VK13.VK_DYNAMIC_STATE_SCISSOR)))
                .layout(layout);
        check(VK13.vkCreateGraphicsPipelines(device, VK13.VK_NULL_HANDLE, info, null, out));
        long made = out.get(0);
        plain.later(() -> VK13.vkDestroyPipeline(device, made, null));
        return made;
    }

    private void pools(int thread, MemoryStack stack) {
        var out = stack.mallocLong(1);
        check(VK13.vkCreateCommandPool(
                device, VkCommandPoolCreateInfo.calloc(stack).sType$Default(), null, out));
        long pool = out.get(0);
        plain.later(() -> VK13.vkDestroyCommandPool(device, pool, null));
        commandPools[thread] = pool;
        var sizes = VkDescriptorPoolSize.calloc(1, stack);
        sizes.get(0).type(VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER).descriptorCount(Stream.LENGTH);
        check(VK13.vkCreateDescriptorPool(
                device,
                VkDescriptorPoolCreateInfo.calloc(stack)
                        .sType$Default()
                        .maxSets(Stream.LENGTH)
                        .pPoolSizes(sizes),
                null,
                out));
        long descriptors = out.get(0);
        plain.later(() -> VK13.vkDestroyDescriptorPool(device, descriptors, null));
        descriptorPools[thread] = descriptors;
        PointerBuffer buffer = stack.mallocPointer(1);
        check(VK13.vkAllocateCommandBuffers(
                device,
                VkCommandBufferAllocateInfo.calloc(stack)
                        .sType$Default()
                        .commandPool(pool)
                        .commandBufferCount(1),
                buffer));
        commands[thread] = new VkCommandBuffer(buffer.get(0), device);
    }

    @Override
    public String name() {
        return "plain LWJGL";
    }

    @Override
    public void record(Stream stream, int thread) {
        VkCommandBuffer list = commands[thread];
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
            }
            check(VK13.vkEndCommandBuffer(list));
        }
    }

    private void draws(VkCommandBuffer list, int thread, MemoryStack stack) {
        var color = VkRenderingAttachmentInfo.calloc(1, stack);
        color.get(0)
                .sType$Default()
                .imageView(view)
                .imageLayout(VK13.VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
                .loadOp(VK13.VK_ATTACHMENT_LOAD_OP_CLEAR)
                .storeOp(VK13.VK_ATTACHMENT_STORE_OP_STORE);
        VkRenderingInfo info =
                VkRenderingInfo.calloc(stack).sType$Default().layerCount(1).pColorAttachments(color);
        info.renderArea().extent().set(Stream.EXTENT, Stream.EXTENT);
        VK13.vkCmdBeginRendering(list, info);
        VkViewport.Buffer viewport = VkViewport.calloc(1, stack);
        viewport.get(0).set(0, 0, Stream.EXTENT, Stream.EXTENT, 0, 1);
        VK13.vkCmdSetViewport(list, 0, viewport);
        VkRect2D.Buffer scissor = VkRect2D.calloc(1, stack);
        scissor.extent().set(Stream.EXTENT, Stream.EXTENT);
        VK13.vkCmdSetScissor(list, 0, scissor);
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
            VK13.vkCmdPushConstants(list, layout, VK13.VK_SHADER_STAGE_ALL, 0, stack.calloc(PUSH_BYTES));
            var set = stack.mallocLong(1);
            check(VK13.vkAllocateDescriptorSets(
                    device,
                    VkDescriptorSetAllocateInfo.calloc(stack)
                            .sType$Default()
                            .descriptorPool(descriptorPools[thread])
                            .pSetLayouts(stack.longs(setLayout)),
                    set));
            var range = VkDescriptorBufferInfo.calloc(1, stack);
            range.get(0).buffer(source).offset((i & 1) * Stream.RANGE).range(Stream.RANGE);
            var write = VkWriteDescriptorSet.calloc(1, stack);
            write.get(0)
                    .sType$Default()
                    .dstSet(set.get(0))
                    .descriptorCount(1)
                    .descriptorType(VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
                    .pBufferInfo(range);
            VK13.vkUpdateDescriptorSets(device, write, null);
            VK13.vkCmdBindDescriptorSets(list, point, layout, 0, set, null);
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
            check(VK13.vkResetCommandPool(device, commandPools[i], 0));
            check(VK13.vkResetDescriptorPool(device, descriptorPools[i], 0));
        }
    }

    @Override
    public void close() {
        plain.close();
    }
}
