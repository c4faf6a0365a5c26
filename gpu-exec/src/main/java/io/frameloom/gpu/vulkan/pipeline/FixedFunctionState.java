package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.MultisampleState;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.pipeline.TargetBlend;
import io.frameloom.gpu.resource.Format;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTVertexInputDynamicState;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkGraphicsPipelineCreateInfo;
import org.lwjgl.vulkan.VkPipelineColorBlendAttachmentState;
import org.lwjgl.vulkan.VkPipelineColorBlendStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineDepthStencilStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineDynamicStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineInputAssemblyStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineMultisampleStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineRasterizationStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineRenderingCreateInfo;
import org.lwjgl.vulkan.VkPipelineVertexInputStateCreateInfo;
import org.lwjgl.vulkan.VkPipelineViewportStateCreateInfo;
import org.lwjgl.vulkan.VkRenderingInputAttachmentIndexInfoKHR;
import org.lwjgl.vulkan.VkStencilOpState;
import org.lwjgl.vulkan.VkVertexInputAttributeDescription;
import org.lwjgl.vulkan.VkVertexInputBindingDescription;

/** A graphics pipeline without its shaders, in Vulkan's structures on a memory stack. One thread. */
record FixedFunctionState(GraphicsPipelineDescription description, MemoryStack stack) {
    /** Writes the state that belongs to these parts of the pipeline, and nothing else. */
    void fill(VkGraphicsPipelineCreateInfo info, Set<PipelinePart> parts) {
        if (parts.contains(PipelinePart.VERTEX_INPUT)) {
            boolean dynamic = description.dynamicStates().contains(DynamicState.VERTEX_INPUT);
            info.pVertexInputState(dynamic ? null : vertexInput())
                    .pInputAssemblyState(VkPipelineInputAssemblyStateCreateInfo.calloc(stack)
                            .sType$Default()
                            .topology(PipelineEnums.of(description.raster().topology()))
                            .primitiveRestartEnable(description.raster().primitiveRestart()));
        }
        if (parts.contains(PipelinePart.PRE_RASTERIZATION)) {
            info.pViewportState(VkPipelineViewportStateCreateInfo.calloc(stack)
                            .sType$Default()
                            .viewportCount(description.viewports())
                            .scissorCount(description.viewports()))
                    .pRasterizationState(rasterization());
        }
        if (parts.contains(PipelinePart.FRAGMENT_SHADER)) {
            info.pMultisampleState(multisample()).pDepthStencilState(depthStencil());
        }
        if (parts.contains(PipelinePart.FRAGMENT_OUTPUT)) {
            info.pMultisampleState(multisample()).pColorBlendState(blend());
        }
        info.pDynamicState(VkPipelineDynamicStateCreateInfo.calloc(stack)
                .sType$Default()
                .pDynamicStates(stack.ints(dynamicStates(parts))));
    }

    /** Returns the views, and the formats of attachments if these parts have those. */
    VkPipelineRenderingCreateInfo rendering(Set<PipelinePart> parts) {
        VkPipelineRenderingCreateInfo info =
                VkPipelineRenderingCreateInfo.calloc(stack).sType$Default().viewMask((1 << description.views()) - 1);
        if (!parts.contains(PipelinePart.FRAGMENT_OUTPUT)) {
            return info;
        }
        int[] formats =
                description.colorFormats().stream().mapToInt(Format::vulkan).toArray();
        return info.colorAttachmentCount(formats.length)
                .pColorAttachmentFormats(stack.ints(formats))
                .depthAttachmentFormat(format(description.depthFormat()))
                .stencilAttachmentFormat(format(description.stencilFormat()));
    }

    /** Returns which input attachment reads which attachment: depth has the number after the last colour. */
    VkRenderingInputAttachmentIndexInfoKHR inputIndices() {
        int colors = description.colorFormats().size();
        return VkRenderingInputAttachmentIndexInfoKHR.calloc(stack)
                .sType$Default()
                .colorAttachmentCount(colors)
                .pColorAttachmentInputIndices(
                        stack.ints(IntStream.range(0, colors).toArray()))
                .pDepthInputAttachmentIndex(stack.ints(colors));
    }

    private static int format(@Nullable Format format) {
        return format == null ? VK13.VK_FORMAT_UNDEFINED : format.vulkan();
    }

    private int[] dynamicStates(Set<PipelinePart> parts) {
        IntStream.Builder states = IntStream.builder();
        if (parts.contains(PipelinePart.PRE_RASTERIZATION)) {
            states.add(VK13.VK_DYNAMIC_STATE_VIEWPORT).add(VK13.VK_DYNAMIC_STATE_SCISSOR);
        }
        for (DynamicState state : description.dynamicStates()) {
            if (!parts.contains(PipelinePart.of(state))) {
                continue;
            }
            switch (state) {
                case STENCIL_REFERENCE -> states.add(VK13.VK_DYNAMIC_STATE_STENCIL_REFERENCE);
                case BLEND_CONSTANTS -> states.add(VK13.VK_DYNAMIC_STATE_BLEND_CONSTANTS);
                case DEPTH_BIAS -> states.add(VK13.VK_DYNAMIC_STATE_DEPTH_BIAS);
                case LINE_WIDTH -> states.add(VK13.VK_DYNAMIC_STATE_LINE_WIDTH);
                case CULL_MODE -> states.add(VK13.VK_DYNAMIC_STATE_CULL_MODE);
                case FRONT_FACE -> states.add(VK13.VK_DYNAMIC_STATE_FRONT_FACE);
                case TOPOLOGY -> states.add(VK13.VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY);
                case DEPTH_TEST ->
                    states.add(VK13.VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE)
                            .add(VK13.VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE)
                            .add(VK13.VK_DYNAMIC_STATE_DEPTH_COMPARE_OP);
                case STENCIL_TEST ->
                    states.add(VK13.VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE)
                            .add(VK13.VK_DYNAMIC_STATE_STENCIL_OP)
                            .add(VK13.VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK)
                            .add(VK13.VK_DYNAMIC_STATE_STENCIL_WRITE_MASK)
                            // The list's own, or that of the test.
                            .add(VK13.VK_DYNAMIC_STATE_STENCIL_REFERENCE);
                case VERTEX_INPUT -> states.add(EXTVertexInputDynamicState.VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
            }
        }
        return states.build().distinct().toArray();
    }

    private VkPipelineVertexInputStateCreateInfo vertexInput() {
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
                        .format(attribute.format().vulkan())
                        .offset(attribute.offset());
            }
        }
        return VkPipelineVertexInputStateCreateInfo.calloc(stack)
                .sType$Default()
                .pVertexBindingDescriptions(bindings)
                .pVertexAttributeDescriptions(attributes.flip());
    }

    private VkPipelineRasterizationStateCreateInfo rasterization() {
        VkPipelineRasterizationStateCreateInfo info = VkPipelineRasterizationStateCreateInfo.calloc(stack)
                .sType$Default()
                .depthClampEnable(description.raster().depthClamp())
                .polygonMode(PipelineEnums.of(description.raster().polygonMode()))
                .cullMode(PipelineEnums.of(description.cull()))
                .frontFace(PipelineEnums.of(description.raster().frontFace()))
                .lineWidth(1);
        DepthState depth = description.depth();
        if (depth != null && (depth.biasConstant() != 0 || depth.biasSlope() != 0)) {
            info.depthBiasEnable(true)
                    .depthBiasConstantFactor(depth.biasConstant())
                    .depthBiasSlopeFactor(depth.biasSlope())
                    .depthBiasClamp(depth.biasClamp());
        }
        if (description.dynamicStates().contains(DynamicState.DEPTH_BIAS)) {
            info.depthBiasEnable(true);
        }
        return info;
    }

    private VkPipelineMultisampleStateCreateInfo multisample() {
        MultisampleState state = description.multisample();
        return VkPipelineMultisampleStateCreateInfo.calloc(stack)
                .sType$Default()
                .rasterizationSamples(state.samples())
                .pSampleMask(stack.ints((int) state.sampleMask(), (int) (state.sampleMask() >>> Integer.SIZE)))
                .alphaToCoverageEnable(state.alphaToCoverage())
                .sampleShadingEnable(state.minSampleShading() > 0)
                .minSampleShading(state.minSampleShading());
    }

    private VkPipelineDepthStencilStateCreateInfo depthStencil() {
        VkPipelineDepthStencilStateCreateInfo info =
                VkPipelineDepthStencilStateCreateInfo.calloc(stack).sType$Default();
        DepthState depth = description.depth();
        if (depth != null) {
            info.depthTestEnable(true)
                    .depthWriteEnable(depth.write())
                    .depthCompareOp(PipelineEnums.of(depth.compare()));
        }
        StencilState stencil = description.stencil();
        if (stencil != null) {
            info.stencilTestEnable(true);
            face(info.front(), stencil.front());
            face(info.back(), stencil.back());
        }
        return info;
    }

    private static void face(VkStencilOpState state, StencilState.Face face) {
        state.failOp(PipelineEnums.of(face.fail()))
                .depthFailOp(PipelineEnums.of(face.depthFail()))
                .passOp(PipelineEnums.of(face.pass()))
                .compareOp(PipelineEnums.of(face.compare()))
                .compareMask(face.compareMask())
                .writeMask(face.writeMask())
                .reference(face.reference());
    }

    private VkPipelineColorBlendStateCreateInfo blend() {
        var attachments =
                VkPipelineColorBlendAttachmentState.calloc(description.blends().size(), stack);
        for (TargetBlend blend : description.blends()) {
            attachments
                    .get()
                    .blendEnable(blend.enabled())
                    .srcColorBlendFactor(PipelineEnums.of(blend.sourceColor()))
                    .dstColorBlendFactor(PipelineEnums.of(blend.destinationColor()))
                    .colorBlendOp(PipelineEnums.of(blend.colorOperation()))
                    .srcAlphaBlendFactor(PipelineEnums.of(blend.sourceAlpha()))
                    .dstAlphaBlendFactor(PipelineEnums.of(blend.destinationAlpha()))
                    .alphaBlendOp(PipelineEnums.of(blend.alphaOperation()))
                    // Its bits are Vulkan's.
                    .colorWriteMask(blend.writeMask());
        }
        return VkPipelineColorBlendStateCreateInfo.calloc(stack).sType$Default().pAttachments(attachments.flip());
    }
}
