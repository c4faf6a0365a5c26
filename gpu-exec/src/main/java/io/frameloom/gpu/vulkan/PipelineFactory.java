package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.VulkanResults.check;

import io.frameloom.gpu.ComputePipelineDescription;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.GraphicsPipelineDescription;
import io.frameloom.gpu.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.shader.ShaderKeys;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
import org.lwjgl.vulkan.VkGraphicsPipelineCreateInfo;
import org.lwjgl.vulkan.VkPipelineColorBlendAttachmentState;
import org.lwjgl.vulkan.VkPipelineColorBlendStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineDepthStencilStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineDynamicStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineInputAssemblyStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineMultisampleStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineRasterizationStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineRenderingCreateInfo;
import org.lwjgl.vulkan.VkPipelineShaderStageCreateInfo;
import org.lwjgl.vulkan.VkPipelineVertexInputStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineViewportStateCreateInfo;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;
import org.lwjgl.vulkan.VkVertexInputAttributeDescription;
import org.lwjgl.vulkan.VkVertexInputBindingDescription;

/**
 * Makes pipelines; shaders, set layouts and the driver's pipeline cache live as long as the device. With a program cache
 * shaders and pipelines come from there, and go there. Any thread.
 */
final class PipelineFactory implements AutoCloseable {
    private final DeviceCore core;
    private final ShaderCompiler compiler;
    private final SetLayoutCache setLayouts;
    private final PipelineSource source;

    PipelineFactory(DeviceCore core, @Nullable ProgramCache programs) {
        this.core = core;
        this.setLayouts = new SetLayoutCache(core);
        this.compiler = new ShaderCompiler(programs);
        try {
            this.source = programs == null ? new DriverPipelines(core) : new CachedPipelines(core, programs);
        } catch (RuntimeException e) {
            compiler.close();
            throw e;
        }
    }

    VulkanPipeline.Compute create(ComputePipelineDescription description) {
        List<CompiledShader> shaders = List.of(compiler.compile(description.shader()));
        PipelineInterface layout = new PipelineInterface(
                core, setLayouts, description.name(), VK13.VK_PIPELINE_BIND_POINT_COMPUTE, shaders);
        try (MemoryStack stack = MemoryStack.stackPush();
                Stages stages = new Stages(shaders, stack)) {
            VkComputePipelineCreateInfo.Buffer info = VkComputePipelineCreateInfo.calloc(1, stack);
            info.get(0).sType$Default().stage(stages.infos.get(0)).layout(layout.layout());
            long pipeline = source.obtain(
                    "compute pipeline '" + description.name() + "'",
                    device -> PipelineKeys.compute(description, shaders, layout, device),
                    (cache, extension, out) -> {
                        info.get(0).pNext(extension);
                        return VK13.vkCreateComputePipelines(core.handle(), cache, info, null, out);
                    });
            return new VulkanPipeline.Compute(core, layout, pipeline, description);
        } catch (RuntimeException e) {
            layout.close();
            throw e;
        }
    }

    VulkanPipeline.Graphics create(GraphicsPipelineDescription description) {
        List<CompiledShader> shaders = new ArrayList<>();
        shaders.add(compiler.compile(description.vertexShader()));
        ShaderSource fragment = description.fragmentShader();
        if (fragment != null) {
            shaders.add(compiler.compile(fragment));
        }
        PipelineInterface layout = new PipelineInterface(
                core, setLayouts, description.name(), VK13.VK_PIPELINE_BIND_POINT_GRAPHICS, shaders);
        try (MemoryStack stack = MemoryStack.stackPush();
                Stages stages = new Stages(shaders, stack)) {
            VkGraphicsPipelineCreateInfo.Buffer info = VkGraphicsPipelineCreateInfo.calloc(1, stack);
            VkPipelineRenderingCreateInfo rendering = rendering(description, stack);
            info.get(0)
                    .sType$Default()
                    .pNext(rendering)
                    .pStages(stages.infos)
                    .pVertexInputState(vertexInput(description, stack))
                    .pInputAssemblyState(VkPipelineInputAssemblyStateCreateInfo.calloc(stack)
                            .sType$Default()
                            .topology(VK13.VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST))
                    .pViewportState(VkPipelineViewportStateCreateInfo.calloc(stack)
                            .sType$Default()
                            .viewportCount(1)
                            .scissorCount(1))
                    .pRasterizationState(rasterization(description, stack))
                    .pMultisampleState(VkPipelineMultisampleStateCreateInfo.calloc(stack)
                            .sType$Default()
                            .rasterizationSamples(VK13.VK_SAMPLE_COUNT_1_BIT))
                    .pDepthStencilState(depth(description, stack))
                    .pColorBlendState(blend(description, stack))
                    .pDynamicState(VkPipelineDynamicStateCreateInfo.calloc(stack)
                            .sType$Default()
                            .pDynamicStates(stack.ints(
                                    VK13.VK_DYNAMIC_STATE_VIEWPORT,
                                    VK13.VK_DYNAMIC_STATE_SCISSOR,
                                    VK13.VK_DYNAMIC_STATE_STENCIL_REFERENCE,
                                    VK13.VK_DYNAMIC_STATE_BLEND_CONSTANTS)))
                    .layout(layout.layout());
            long pipeline = source.obtain(
                    "graphics pipeline '" + description.name() + "'",
                    device -> PipelineKeys.graphics(description, shaders, layout, device),
                    (cache, extension, out) -> {
                        rendering.pNext(extension);
                        return VK13.vkCreateGraphicsPipelines(core.handle(), cache, info, null, out);
                    });
            return new VulkanPipeline.Graphics(core, layout, pipeline, description);
        } catch (RuntimeException e) {
            layout.close();
            throw e;
        }
    }

    /** Shader modules of one creation: the driver needs them no longer afterwards. */
    private final class Stages implements AutoCloseable {
        private final List<Long> modules = new ArrayList<>();
        private final VkPipelineShaderStageCreateInfo.Buffer infos;

        Stages(List<CompiledShader> shaders, MemoryStack stack) {
            infos = VkPipelineShaderStageCreateInfo.calloc(shaders.size(), stack);
            try {
                for (int i = 0; i < shaders.size(); i++) {
                    add(shaders.get(i), infos.get(i), stack);
                }
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        private void add(CompiledShader shader, VkPipelineShaderStageCreateInfo info, MemoryStack stack) {
            ByteBuffer code = shader.spirv();
            var out = stack.mallocLong(1);
            ShaderSource source = shader.source();
            check(
                    VK13.vkCreateShaderModule(
                            core.handle(),
                            VkShaderModuleCreateInfo.calloc(stack)
                                    .sType$Default()
                                    .pCode(code),
                            null,
                            out),
                    "create the module of shader '" + source.name() + "'");
            modules.add(out.get(0));
            core.names().name(VK13.VK_OBJECT_TYPE_SHADER_MODULE, out.get(0), source.name());
            info.sType$Default()
                    .stage(PipelineInterface.stage(source.stage()))
                    .module(out.get(0))
                    .pName(stack.UTF8(ShaderKeys.ENTRY));
        }

        @Override
        public void close() {
            modules.forEach(module -> VK13.vkDestroyShaderModule(core.handle(), module, null));
        }
    }

    private static VkPipelineRenderingCreateInfo rendering(GraphicsPipelineDescription description, MemoryStack stack) {
        int[] formats =
                description.colorFormats().stream().mapToInt(VulkanFormats::of).toArray();
        Format depth = description.depthFormat();
        return VkPipelineRenderingCreateInfo.calloc(stack)
                .sType$Default()
                .colorAttachmentCount(formats.length)
                .pColorAttachmentFormats(stack.ints(formats))
                .depthAttachmentFormat(depth == null ? VK13.VK_FORMAT_UNDEFINED : VulkanFormats.of(depth));
    }

    private static VkPipelineVertexInputStateCreateInfo vertexInput(
            GraphicsPipelineDescription description, MemoryStack stack) {
        List<VertexBuffer> buffers = description.vertexBuffers();
        int attributeCount =
                buffers.stream().mapToInt(buffer -> buffer.attributes().size()).sum();
        var bindings = VkVertexInputBindingDescription.calloc(buffers.size(), stack);
        var attributes = VkVertexInputAttributeDescription.calloc(attributeCount, stack);
        for (int i = 0; i < buffers.size(); i++) {
            VertexBuffer buffer = buffers.get(i);
            bindings.get(i)
                    .binding(i)
                    .stride(buffer.stride())
                    .inputRate(
                            buffer.perInstance()
                                    ? VK13.VK_VERTEX_INPUT_RATE_INSTANCE
                                    : VK13.VK_VERTEX_INPUT_RATE_VERTEX);
            for (VertexAttribute attribute : buffer.attributes()) {
                attributes
                        .get()
                        .binding(i)
                        .location(attribute.location())
                        .format(VulkanFormats.of(attribute.format()))
                        .offset(attribute.offset());
            }
        }
        return VkPipelineVertexInputStateCreateInfo.calloc(stack)
                .sType$Default()
                .pVertexBindingDescriptions(bindings)
                .pVertexAttributeDescriptions(attributes.flip());
    }

    private static VkPipelineRasterizationStateCreateInfo rasterization(
            GraphicsPipelineDescription description, MemoryStack stack) {
        DepthState depth = description.depth();
        return VkPipelineRasterizationStateCreateInfo.calloc(stack)
                .sType$Default()
                .polygonMode(VK13.VK_POLYGON_MODE_FILL)
                .cullMode(
                        switch (description.cull()) {
                            case NONE -> VK13.VK_CULL_MODE_NONE;
                            case BACK -> VK13.VK_CULL_MODE_BACK_BIT;
                            case FRONT -> VK13.VK_CULL_MODE_FRONT_BIT;
                        })
                .frontFace(VK13.VK_FRONT_FACE_COUNTER_CLOCKWISE)
                .lineWidth(1)
                .depthBiasEnable(depth != null && (depth.biasConstant() != 0 || depth.biasSlope() != 0))
                .depthBiasConstantFactor(depth == null ? 0 : depth.biasConstant())
                .depthBiasSlopeFactor(depth == null ? 0 : depth.biasSlope());
    }

    private static VkPipelineDepthStencilStateCreateInfo depth(
            GraphicsPipelineDescription description, MemoryStack stack) {
        VkPipelineDepthStencilStateCreateInfo info =
                VkPipelineDepthStencilStateCreateInfo.calloc(stack).sType$Default();
        DepthState depth = description.depth();
        if (depth == null) {
            return info;
        }
        return info.depthTestEnable(true)
                .depthWriteEnable(depth.write())
                .depthCompareOp(
                        switch (depth.compare()) {
                            case LESS -> VK13.VK_COMPARE_OP_LESS;
                            case LESS_OR_EQUAL -> VK13.VK_COMPARE_OP_LESS_OR_EQUAL;
                            case EQUAL -> VK13.VK_COMPARE_OP_EQUAL;
                            case GREATER_OR_EQUAL -> VK13.VK_COMPARE_OP_GREATER_OR_EQUAL;
                            case ALWAYS -> VK13.VK_COMPARE_OP_ALWAYS;
                        });
    }

    private static VkPipelineColorBlendStateCreateInfo blend(
            GraphicsPipelineDescription description, MemoryStack stack) {
        int allChannels = VK13.VK_COLOR_COMPONENT_R_BIT
                | VK13.VK_COLOR_COMPONENT_G_BIT
                | VK13.VK_COLOR_COMPONENT_B_BIT
                | VK13.VK_COLOR_COMPONENT_A_BIT;
        var attachments = VkPipelineColorBlendAttachmentState.calloc(
                description.colorFormats().size(), stack);
        for (VkPipelineColorBlendAttachmentState attachment : attachments) {
            attachment.colorWriteMask(allChannels);
            switch (description.blend()) {
                case NONE -> attachment.blendEnable(false);
                case ADD -> {
                    factors(attachment, VK13.VK_BLEND_FACTOR_ONE, VK13.VK_BLEND_FACTOR_ONE);
                    attachment.dstAlphaBlendFactor(VK13.VK_BLEND_FACTOR_ONE);
                }
                case ALPHA -> {
                    factors(attachment, VK13.VK_BLEND_FACTOR_SRC_ALPHA, VK13.VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA);
                    attachment.dstAlphaBlendFactor(VK13.VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA);
                }
            }
        }
        return VkPipelineColorBlendStateCreateInfo.calloc(stack).sType$Default().pAttachments(attachments);
    }

    private static void factors(VkPipelineColorBlendAttachmentState attachment, int source, int destination) {
        attachment
                .blendEnable(true)
                .srcColorBlendFactor(source)
                .dstColorBlendFactor(destination)
                .colorBlendOp(VK13.VK_BLEND_OP_ADD)
                .srcAlphaBlendFactor(VK13.VK_BLEND_FACTOR_ONE)
                .alphaBlendOp(VK13.VK_BLEND_OP_ADD);
    }

    @Override
    public void close() {
        source.close();
        setLayouts.close();
        compiler.close();
    }
}
