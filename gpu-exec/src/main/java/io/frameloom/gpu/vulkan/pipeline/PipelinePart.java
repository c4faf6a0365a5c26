package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.ShaderStage;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.EXTGraphicsPipelineLibrary;

/** The parts that a graphics pipeline consists of, in the order in which they are made. */
enum PipelinePart {
    /** Vertex buffers and how vertices make primitives. */
    VERTEX_INPUT(
            "vertex input",
            EXTGraphicsPipelineLibrary.VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
            null),
    /** The vertex shader, viewports, and how primitives make fragments. */
    PRE_RASTERIZATION(
            "vertex shader",
            EXTGraphicsPipelineLibrary.VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
            ShaderStage.VERTEX),
    /** The fragment shader, if there is one, and the tests of depth and stencil. */
    FRAGMENT_SHADER(
            "fragment shader",
            EXTGraphicsPipelineLibrary.VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
            ShaderStage.FRAGMENT),
    /** Formats of attachments, and blending. */
    FRAGMENT_OUTPUT(
            "fragment output",
            EXTGraphicsPipelineLibrary.VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
            null);

    private final String words;
    private final int bit;
    private final @Nullable ShaderStage stage;

    PipelinePart(String words, int bit, @Nullable ShaderStage stage) {
        this.words = words;
        this.bit = bit;
        this.stage = stage;
    }

    /** Returns what it is, for messages. */
    String words() {
        return words;
    }

    /** Returns its VkGraphicsPipelineLibraryFlagBitsEXT. */
    int bit() {
        return bit;
    }

    /** Returns the stage whose shader it has; null for one without shaders. */
    @Nullable
    ShaderStage stage() {
        return stage;
    }

    /** Returns the part that a state belongs to. */
    static PipelinePart of(DynamicState state) {
        return switch (state) {
            case TOPOLOGY, VERTEX_INPUT -> VERTEX_INPUT;
            case DEPTH_BIAS, LINE_WIDTH, CULL_MODE, FRONT_FACE -> PRE_RASTERIZATION;
            case STENCIL_REFERENCE, DEPTH_TEST, STENCIL_TEST -> FRAGMENT_SHADER;
            case BLEND_CONSTANTS -> FRAGMENT_OUTPUT;
        };
    }
}
