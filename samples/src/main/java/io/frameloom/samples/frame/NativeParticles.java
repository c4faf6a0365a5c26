package io.frameloom.samples.frame;

import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.vulkan.VulkanHandles;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.util.shaderc.Shaderc;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;
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
import org.lwjgl.vulkan.VkPipelineDepthStencilStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineDynamicStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineInputAssemblyStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineLayoutCreateInfo;
import org.lwjgl.vulkan.VkPipelineMultisampleStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineRasterizationStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineRenderingCreateInfo;
import org.lwjgl.vulkan.VkPipelineShaderStageCreateInfo;
import org.lwjgl.vulkan.VkPipelineVertexInputStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineViewportStateCreateInfo;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;
import org.lwjgl.vulkan.VkVertexInputAttributeDescription;
import org.lwjgl.vulkan.VkVertexInputBindingDescription;
import org.lwjgl.vulkan.VkWriteDescriptorSet;

/**
 * A particle system as an engine has it that was written for Vulkan: shader modules, pipelines, layouts and descriptor
 * sets of its own, in calls of LWJGL. Frameloom gives it a device, command buffers and buffers, and knows nothing of
 * the rest.
 *
 * <p>{@link #move} and {@link #draw} record on any threads, also at the same time. Closing needs an idle device.
 */
final class NativeParticles implements AutoCloseable {
    /** Bytes of one particle: position and brightness. */
    static final int BYTES = 4 * Float.BYTES;

    /** Frames that may be under way at once, each with descriptor sets of its own. */
    static final int TURNS = 8;

    private static final int GROUP = 64;
    private static final int CORNERS = 6;
    private static final int FRAME_BINDING = 0;
    private static final int PARTICLES_BINDING = 1;

    private final VkDevice device;
    private final int count;
    // What was not created yet is VK_NULL_HANDLE, which may be destroyed.
    private long setLayout;
    private long layout;
    private long pool;
    private final long[] sets = new long[2 * TURNS];
    private long moving;
    private long drawing;

    /**
     * Creates the pipelines.
     *
     * @param count number of particles, a multiple of 64
     * @param colorFormat VkFormat of the target
     * @param depthFormat VkFormat of the depth, which is reversed
     * @throws GpuException if a call fails
     */
    NativeParticles(VulkanHandles handles, int count, int colorFormat, int depthFormat) {
        device = handles.device();
        this.count = count;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            createLayouts(stack);
            createSets(stack);
            createMoving(stack);
            createDrawing(stack, colorFormat, depthFormat);
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
    }

    private static void check(int result, String call) {
        if (result != VK13.VK_SUCCESS) {
            throw new GpuException(call + " for the particles failed with VkResult " + result);
        }
    }

    private void createLayouts(MemoryStack stack) {
        VkDescriptorSetLayoutBinding.Buffer bindings = VkDescriptorSetLayoutBinding.calloc(2, stack);
        bindings.get(0)
                .binding(FRAME_BINDING)
                .descriptorType(VK13.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
                .descriptorCount(1)
                .stageFlags(VK13.VK_SHADER_STAGE_COMPUTE_BIT | VK13.VK_SHADER_STAGE_VERTEX_BIT);
        bindings.get(1)
                .binding(PARTICLES_BINDING)
                .descriptorType(VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
                .descriptorCount(1)
                .stageFlags(VK13.VK_SHADER_STAGE_COMPUTE_BIT);
        LongBuffer out = stack.mallocLong(1);
        check(
                VK13.vkCreateDescriptorSetLayout(
                        device,
                        VkDescriptorSetLayoutCreateInfo.calloc(stack)
                                .sType$Default()
                                .pBindings(bindings),
                        null,
                        out),
                "vkCreateDescriptorSetLayout");
        setLayout = out.get(0);
        check(
                VK13.vkCreatePipelineLayout(
                        device,
                        VkPipelineLayoutCreateInfo.calloc(stack)
                                .sType$Default()
                                .setLayoutCount(1)
                                .pSetLayouts(stack.longs(setLayout)),
                        null,
                        out),
                "vkCreatePipelineLayout");
        layout = out.get(0);
    }

    private void createSets(MemoryStack stack) {
        VkDescriptorPoolSize.Buffer sizes = VkDescriptorPoolSize.calloc(2, stack);
        sizes.get(0).type(VK13.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER).descriptorCount(sets.length);
        sizes.get(1).type(VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER).descriptorCount(sets.length);
        LongBuffer out = stack.mallocLong(sets.length);
        check(
                VK13.vkCreateDescriptorPool(
                        device,
                        VkDescriptorPoolCreateInfo.calloc(stack)
                                .sType$Default()
                                .maxSets(sets.length)
                                .pPoolSizes(sizes),
                        null,
                        out),
                "vkCreateDescriptorPool");
        pool = out.get(0);
        LongBuffer layouts = stack.mallocLong(sets.length);
        for (int i = 0; i < sets.length; i++) {
            layouts.put(i, setLayout);
        }
        check(
                VK13.vkAllocateDescriptorSets(
                        device,
                        VkDescriptorSetAllocateInfo.calloc(stack)
                                .sType$Default()
                                .descriptorPool(pool)
                                .pSetLayouts(layouts),
                        out),
                "vkAllocateDescriptorSets");
        out.get(sets);
    }

    private void createMoving(MemoryStack stack) {
        long module = module(stack, "particles.comp", Shaderc.shaderc_compute_shader);
        try {
            VkComputePipelineCreateInfo.Buffer info = VkComputePipelineCreateInfo.calloc(1, stack);
            info.get(0).sType$Default().layout(layout);
            stage(info.get(0).stage(), stack, VK13.VK_SHADER_STAGE_COMPUTE_BIT, module);
            LongBuffer out = stack.mallocLong(1);
            check(
                    VK13.vkCreateComputePipelines(device, VK13.VK_NULL_HANDLE, info, null, out),
                    "vkCreateComputePipelines");
            moving = out.get(0);
        } finally {
            VK13.vkDestroyShaderModule(device, module, null);
        }
    }

    private void createDrawing(MemoryStack stack, int colorFormat, int depthFormat) {
        long vertex = module(stack, "particles.vert", Shaderc.shaderc_vertex_shader);
        long fragment = VK13.VK_NULL_HANDLE;
        try {
            fragment = module(stack, "particles.frag", Shaderc.shaderc_fragment_shader);
            VkPipelineShaderStageCreateInfo.Buffer stages = VkPipelineShaderStageCreateInfo.calloc(2, stack);
            stage(stages.get(0), stack, VK13.VK_SHADER_STAGE_VERTEX_BIT, vertex);
            stage(stages.get(1), stack, VK13.VK_SHADER_STAGE_FRAGMENT_BIT, fragment);
            VkGraphicsPipelineCreateInfo.Buffer info = VkGraphicsPipelineCreateInfo.calloc(1, stack);
            info.get(0)
                    .sType$Default()
                    .layout(layout)
                    .pStages(stages)
                    .pVertexInputState(oneParticlePerInstance(stack))
                    .pInputAssemblyState(VkPipelineInputAssemblyStateCreateInfo.calloc(stack)
                            .sType$Default()
                            .topology(VK13.VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST))
                    .pViewportState(VkPipelineViewportStateCreateInfo.calloc(stack)
                            .sType$Default()
                            .viewportCount(1)
                            .scissorCount(1))
                    .pRasterizationState(VkPipelineRasterizationStateCreateInfo.calloc(stack)
                            .sType$Default()
                            .cullMode(VK13.VK_CULL_MODE_NONE)
                            .lineWidth(1))
                    .pMultisampleState(VkPipelineMultisampleStateCreateInfo.calloc(stack)
                            .sType$Default()
                            .rasterizationSamples(VK13.VK_SAMPLE_COUNT_1_BIT))
                    .pDepthStencilState(VkPipelineDepthStencilStateCreateInfo.calloc(stack)
                            .sType$Default()
                            .depthTestEnable(true)
                            .depthCompareOp(VK13.VK_COMPARE_OP_GREATER_OR_EQUAL))
                    .pColorBlendState(added(stack))
                    .pDynamicState(VkPipelineDynamicStateCreateInfo.calloc(stack)
                            .sType$Default()
                            .pDynamicStates(stack.ints(VK13.VK_DYNAMIC_STATE_VIEWPORT, VK13.VK_DYNAMIC_STATE_SCISSOR)))
                    // The graph renders dynamically, so the pipeline names the formats of the targets.
                    .pNext(VkPipelineRenderingCreateInfo.calloc(stack)
                            .sType$Default()
                            .colorAttachmentCount(1)
                            .pColorAttachmentFormats(stack.ints(colorFormat))
                            .depthAttachmentFormat(depthFormat));
            LongBuffer out = stack.mallocLong(1);
            check(
                    VK13.vkCreateGraphicsPipelines(device, VK13.VK_NULL_HANDLE, info, null, out),
                    "vkCreateGraphicsPipelines");
            drawing = out.get(0);
        } finally {
            VK13.vkDestroyShaderModule(device, vertex, null);
            VK13.vkDestroyShaderModule(device, fragment, null);
        }
    }

    private static void stage(VkPipelineShaderStageCreateInfo info, MemoryStack stack, int stage, long module) {
        info.sType$Default().stage(stage).module(module).pName(stack.ASCII("main"));
    }

    private static VkPipelineVertexInputStateCreateInfo oneParticlePerInstance(MemoryStack stack) {
        VkVertexInputBindingDescription.Buffer binding = VkVertexInputBindingDescription.calloc(1, stack);
        binding.get(0).stride(BYTES).inputRate(VK13.VK_VERTEX_INPUT_RATE_INSTANCE);
        VkVertexInputAttributeDescription.Buffer attribute = VkVertexInputAttributeDescription.calloc(1, stack);
        attribute.get(0).format(VK13.VK_FORMAT_R32G32B32A32_SFLOAT);
        return VkPipelineVertexInputStateCreateInfo.calloc(stack)
                .sType$Default()
                .pVertexBindingDescriptions(binding)
                .pVertexAttributeDescriptions(attribute);
    }

    private static VkPipelineColorBlendStateCreateInfo added(MemoryStack stack) {
        VkPipelineColorBlendAttachmentState.Buffer blend = VkPipelineColorBlendAttachmentState.calloc(1, stack);
        blend.get(0)
                .blendEnable(true)
                .srcColorBlendFactor(VK13.VK_BLEND_FACTOR_ONE)
                .dstColorBlendFactor(VK13.VK_BLEND_FACTOR_ONE)
                .colorBlendOp(VK13.VK_BLEND_OP_ADD)
                .srcAlphaBlendFactor(VK13.VK_BLEND_FACTOR_ZERO)
                .dstAlphaBlendFactor(VK13.VK_BLEND_FACTOR_ONE)
                .alphaBlendOp(VK13.VK_BLEND_OP_ADD)
                .colorWriteMask(VK13.VK_COLOR_COMPONENT_R_BIT
                        | VK13.VK_COLOR_COMPONENT_G_BIT
                        | VK13.VK_COLOR_COMPONENT_B_BIT
                        | VK13.VK_COLOR_COMPONENT_A_BIT);
        return VkPipelineColorBlendStateCreateInfo.calloc(stack).sType$Default().pAttachments(blend);
    }

    private long module(MemoryStack stack, String file, int kind) {
        long compiler = Shaderc.shaderc_compiler_initialize();
        long options = Shaderc.shaderc_compile_options_initialize();
        Shaderc.shaderc_compile_options_set_target_env(
                options, Shaderc.shaderc_target_env_vulkan, Shaderc.shaderc_env_version_vulkan_1_2);
        long result = Shaderc.shaderc_compile_into_spv(compiler, Shaders.whole(file), kind, file, "main", options);
        try {
            ByteBuffer words = Shaderc.shaderc_result_get_bytes(result);
            if (words == null
                    || Shaderc.shaderc_result_get_compilation_status(result)
                            != Shaderc.shaderc_compilation_status_success) {
                throw new GpuException(
                        "shader '" + file + "' does not compile: " + Shaderc.shaderc_result_get_error_message(result));
            }
            LongBuffer out = stack.mallocLong(1);
            check(
                    VK13.vkCreateShaderModule(
                            device,
                            VkShaderModuleCreateInfo.calloc(stack)
                                    .sType$Default()
                                    .pCode(words),
                            null,
                            out),
                    "vkCreateShaderModule");
            return out.get(0);
        } finally {
            Shaderc.shaderc_result_release(result);
            Shaderc.shaderc_compile_options_release(options);
            Shaderc.shaderc_compiler_release(compiler);
        }
    }

    /**
     * Records the dispatch that says where the particles are.
     *
     * @param turn of the frame, 0 to {@link #TURNS} - 1; the frame that had it before is done
     * @param frame VkBuffer of the uniform block {@code Frame}
     * @param particles VkBuffer of {@link #BYTES} for each particle
     */
    void move(VkCommandBuffer vk, int turn, long frame, long particles) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long set = sets[2 * turn];
            write(stack, set, FRAME_BINDING, VK13.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, frame);
            write(stack, set, PARTICLES_BINDING, VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, particles);
            VK13.vkCmdBindPipeline(vk, VK13.VK_PIPELINE_BIND_POINT_COMPUTE, moving);
            VK13.vkCmdBindDescriptorSets(vk, VK13.VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, stack.longs(set), null);
            VK13.vkCmdDispatch(vk, count / GROUP, 1, 1);
        }
    }

    /** Records the draw, in a render pass with viewport and scissor set; the parameters are those of {@link #move}. */
    void draw(VkCommandBuffer vk, int turn, long frame, long particles) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            // A set of its own: another thread may record the dispatch now.
            long set = sets[2 * turn + 1];
            write(stack, set, FRAME_BINDING, VK13.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, frame);
            VK13.vkCmdBindPipeline(vk, VK13.VK_PIPELINE_BIND_POINT_GRAPHICS, drawing);
            VK13.vkCmdBindDescriptorSets(vk, VK13.VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, stack.longs(set), null);
            VK13.vkCmdBindVertexBuffers(vk, 0, stack.longs(particles), stack.longs(0));
            VK13.vkCmdDraw(vk, CORNERS, count, 0, 0);
        }
    }

    private void write(MemoryStack stack, long set, int binding, int type, long buffer) {
        VkDescriptorBufferInfo.Buffer range = VkDescriptorBufferInfo.calloc(1, stack);
        range.get(0).buffer(buffer).range(VK13.VK_WHOLE_SIZE);
        VkWriteDescriptorSet.Buffer write = VkWriteDescriptorSet.calloc(1, stack);
        write.get(0)
                .sType$Default()
                .dstSet(set)
                .dstBinding(binding)
                .descriptorType(type)
                .descriptorCount(1)
                .pBufferInfo(range);
        VK13.vkUpdateDescriptorSets(device, write, null);
    }

    @Override
    public void close() {
        VK13.vkDestroyPipeline(device, drawing, null);
        VK13.vkDestroyPipeline(device, moving, null);
        VK13.vkDestroyDescriptorPool(device, pool, null);
        VK13.vkDestroyPipelineLayout(device, layout, null);
        VK13.vkDestroyDescriptorSetLayout(device, setLayout, null);
    }
}
