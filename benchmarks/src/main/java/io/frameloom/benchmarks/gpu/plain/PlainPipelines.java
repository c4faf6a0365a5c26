package io.frameloom.benchmarks.gpu.plain;

import static io.frameloom.benchmarks.gpu.plain.PlainDevice.check;

import org.lwjgl.system.MemoryStack;
import org.lwjgl.util.shaderc.Shaderc;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
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

/**
 * Pipelines of plain LWJGL that share one layout: one descriptor set with a descriptor for each binding, and push constants
 * for all stages. They draw into one target of R8G8B8A8_UNORM. The device closes all of it.
 */
public final class PlainPipelines {
    private final PlainDevice plain;
    private final VkDevice device;
    private final int[] types;
    private final long setLayout;
    private final long layout;

    /**
     * Makes the layout.
     *
     * @param stages that see the descriptors
     * @param pushBytes bytes of push constants
     * @param types descriptor types of the bindings, from 0 on
     */
    public PlainPipelines(PlainDevice plain, int stages, int pushBytes, int... types) {
        this.plain = plain;
        this.types = types.clone();
        device = plain.device();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            setLayout = setLayout(stages, stack);
            layout = layout(pushBytes, stack);
        }
    }

    private long setLayout(int stages, MemoryStack stack) {
        var out = stack.mallocLong(1);
        var bindings = VkDescriptorSetLayoutBinding.calloc(types.length, stack);
        for (int i = 0; i < types.length; i++) {
            bindings.get(i)
                    .binding(i)
                    .descriptorType(types[i])
                    .descriptorCount(1)
                    .stageFlags(stages);
        }
        check(VK13.vkCreateDescriptorSetLayout(
                device,
                VkDescriptorSetLayoutCreateInfo.calloc(stack).sType$Default().pBindings(bindings),
                null,
                out));
        long made = out.get(0);
        plain.later(() -> VK13.vkDestroyDescriptorSetLayout(device, made, null));
        return made;
    }

    private long layout(int pushBytes, MemoryStack stack) {
        var out = stack.mallocLong(1);
        var push = VkPushConstantRange.calloc(1, stack);
        push.get(0).stageFlags(VK13.VK_SHADER_STAGE_ALL).size(pushBytes);
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

    /** Returns the layout. */
    public long layout() {
        return layout;
    }

    /** Makes a pipeline that draws triangles without vertex buffers; viewport and scissor are dynamic. */
    public long graphics(String vertex, String fragment) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            var stages = VkPipelineShaderStageCreateInfo.calloc(2, stack);
            stages.get(0)
                    .sType$Default()
                    .stage(VK13.VK_SHADER_STAGE_VERTEX_BIT)
                    .module(plain.shader(vertex, Shaderc.shaderc_glsl_vertex_shader))
                    .pName(stack.UTF8("main"));
            stages.get(1)
                    .sType$Default()
                    .stage(VK13.VK_SHADER_STAGE_FRAGMENT_BIT)
                    .module(plain.shader(fragment, Shaderc.shaderc_glsl_fragment_shader))
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
            return closedLater(out.get(0));
        }
    }

    /** Makes a pipeline that dispatches. */
    public long compute(String shader) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            var info = VkComputePipelineCreateInfo.calloc(1, stack);
            info.get(0).sType$Default().layout(layout);
            info.get(0)
                    .stage()
                    .sType$Default()
                    .stage(VK13.VK_SHADER_STAGE_COMPUTE_BIT)
                    .module(plain.shader(shader, Shaderc.shaderc_glsl_compute_shader))
                    .pName(stack.UTF8("main"));
            check(VK13.vkCreateComputePipelines(device, VK13.VK_NULL_HANDLE, info, null, out));
            return closedLater(out.get(0));
        }
    }

    private long closedLater(long pipeline) {
        plain.later(() -> VK13.vkDestroyPipeline(device, pipeline, null));
        return pipeline;
    }

    /** Makes a pool for so many sets. */
    public long descriptorPool(int sets) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            var sizes = VkDescriptorPoolSize.calloc(types.length, stack);
            for (int i = 0; i < types.length; i++) {
                sizes.get(i).type(types[i]).descriptorCount(sets);
            }
            check(VK13.vkCreateDescriptorPool(
                    device,
                    VkDescriptorPoolCreateInfo.calloc(stack)
                            .sType$Default()
                            .maxSets(sets)
                            .pPoolSizes(sizes),
                    null,
                    out));
            long made = out.get(0);
            plain.later(() -> VK13.vkDestroyDescriptorPool(device, made, null));
            return made;
        }
    }

    /** Allocates a set from a pool. */
    public long set(long pool, MemoryStack stack) {
        var out = stack.mallocLong(1);
        check(VK13.vkAllocateDescriptorSets(
                device,
                VkDescriptorSetAllocateInfo.calloc(stack)
                        .sType$Default()
                        .descriptorPool(pool)
                        .pSetLayouts(stack.longs(setLayout)),
                out));
        return out.get(0);
    }
}
