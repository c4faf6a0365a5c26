package io.frameloom.benchmarks.gpu.frame;

import static io.frameloom.benchmarks.gpu.plain.PlainDevice.check;

import io.frameloom.benchmarks.gpu.plain.PlainDevice;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.util.shaderc.Shaderc;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
import org.lwjgl.vulkan.VkDescriptorImageInfo;
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
import org.lwjgl.vulkan.VkSamplerCreateInfo;
import org.lwjgl.vulkan.VkWriteDescriptorSet;

/** The pipelines of plain frames and a descriptor set for each pass, all made once. */
final class PlainPrograms {
    private static final int TEXTURES = 2;
    private static final int RESULT = 2;
    private static final int BINDINGS = 3;

    private final PlainDevice plain;
    private final VkDevice device;
    private final long setLayout;
    private final long layout;
    private final long first;
    private final long draw;
    private final long compute;

    PlainPrograms(PlainDevice plain) {
        this.plain = plain;
        device = plain.device();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            setLayout = setLayout(stack);
            layout = layout(stack);
            first = graphics(FrameShape.FIRST_FRAGMENT, stack);
            draw = graphics(FrameShape.FRAGMENT, stack);
            compute = compute(stack);
        }
    }

    long layout() {
        return layout;
    }

    long first() {
        return first;
    }

    long draw() {
        return draw;
    }

    long compute() {
        return compute;
    }

    private static int type(int binding) {
        return binding < TEXTURES
                ? VK13.VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                : VK13.VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    }

    private long setLayout(MemoryStack stack) {
        var out = stack.mallocLong(1);
        var bindings = VkDescriptorSetLayoutBinding.calloc(BINDINGS, stack);
        for (int i = 0; i < BINDINGS; i++) {
            bindings.get(i)
                    .binding(i)
                    .descriptorType(type(i))
                    .descriptorCount(1)
                    .stageFlags(VK13.VK_SHADER_STAGE_FRAGMENT_BIT | VK13.VK_SHADER_STAGE_COMPUTE_BIT);
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

    private long layout(MemoryStack stack) {
        var out = stack.mallocLong(1);
        var push = VkPushConstantRange.calloc(1, stack);
        push.get(0).stageFlags(VK13.VK_SHADER_STAGE_ALL).size(FrameShape.PUSH_BYTES);
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

    private long graphics(String fragment, MemoryStack stack) {
        var out = stack.mallocLong(1);
        var stages = VkPipelineShaderStageCreateInfo.calloc(2, stack);
        stages.get(0)
                .sType$Default()
                .stage(VK13.VK_SHADER_STAGE_VERTEX_BIT)
                .module(plain.shader(FrameShape.VERTEX, Shaderc.shaderc_glsl_vertex_shader))
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
        long made = out.get(0);
        plain.later(() -> VK13.vkDestroyPipeline(device, made, null));
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
                .module(plain.shader(FrameShape.COMPUTE, Shaderc.shaderc_glsl_compute_shader))
                .pName(stack.UTF8("main"));
        check(VK13.vkCreateComputePipelines(device, VK13.VK_NULL_HANDLE, info, null, out));
        long made = out.get(0);
        plain.later(() -> VK13.vkDestroyPipeline(device, made, null));
        return made;
    }

    /** Makes the set of each pass but the first, which has none. */
    long[] sets(FrameShape shape, PlainDevice.Image[] targets) {
        long[] sets = new long[shape.passes()];
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long sampler = sampler(stack);
            long pool = pool(shape.passes(), stack);
            for (int p = 1; p < sets.length; p++) {
                sets[p] = set(pool, sampler, shape, p, targets);
            }
        }
        return sets;
    }

    private long sampler(MemoryStack stack) {
        var out = stack.mallocLong(1);
        check(VK13.vkCreateSampler(device, VkSamplerCreateInfo.calloc(stack).sType$Default(), null, out));
        long made = out.get(0);
        plain.later(() -> VK13.vkDestroySampler(device, made, null));
        return made;
    }

    private long pool(int passes, MemoryStack stack) {
        var out = stack.mallocLong(1);
        var sizes = VkDescriptorPoolSize.calloc(2, stack);
        sizes.get(0).type(type(0)).descriptorCount(TEXTURES * passes);
        sizes.get(1).type(type(RESULT)).descriptorCount(passes);
        check(VK13.vkCreateDescriptorPool(
                device,
                VkDescriptorPoolCreateInfo.calloc(stack)
                        .sType$Default()
                        .maxSets(passes)
                        .pPoolSizes(sizes),
                null,
                out));
        long made = out.get(0);
        plain.later(() -> VK13.vkDestroyDescriptorPool(device, made, null));
        return made;
    }

    private long set(long pool, long sampler, FrameShape shape, int pass, PlainDevice.Image[] targets) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            check(VK13.vkAllocateDescriptorSets(
                    device,
                    VkDescriptorSetAllocateInfo.calloc(stack)
                            .sType$Default()
                            .descriptorPool(pool)
                            .pSetLayouts(stack.longs(setLayout)),
                    out));
            int bound = shape.computes(pass) ? BINDINGS : TEXTURES;
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
                        .dstSet(out.get(0))
                        .dstBinding(i)
                        .descriptorCount(1)
                        .descriptorType(type(i))
                        .pImageInfo(image);
            }
            VK13.vkUpdateDescriptorSets(device, writes, null);
            return out.get(0);
        }
    }
}
