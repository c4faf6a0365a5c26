package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.util.EnumSet;
import java.util.Set;
import org.lwjgl.vulkan.EXTGraphicsPipelineLibrary;

/** The parts that a graphics pipeline consists of, in the order in which they are made. */
enum PipelinePart {
    /** Vertex buffers and how vertices make primitives. */
    VERTEX_INPUT(
            "vertex input", EXTGraphicsPipelineLibrary.VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT),
    /** The vertex shader, or task and mesh shaders, viewports, and how primitives make fragments. */
    PRE_RASTERIZATION(
            "vertex or mesh shader",
            EXTGraphicsPipelineLibrary.VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT),
    /** The fragment shader, if there is one, and the tests of depth and stencil. */
    FRAGMENT_SHADER("fragment shader", EXTGraphicsPipelineLibrary.VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT),
    /** Formats of attachments, and blending. */
    FRAGMENT_OUTPUT(
            "fragment output",
            EXTGraphicsPipelineLibrary.VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT);

    private final String words;
    private final int bit;

    PipelinePart(String words, int bit) {
        this.words = words;
        this.bit = bit;
    }

    String words() {
        return words;
    }

    /** Returns its VkGraphicsPipelineLibraryFlagBitsEXT. */
    int bit() {
        return bit;
    }

    /** Returns the stages whose shaders it has, as far as the pipeline has them. */
    Set<ShaderStage> stages() {
        return switch (this) {
            case PRE_RASTERIZATION -> Set.of(ShaderStage.VERTEX, ShaderStage.TASK, ShaderStage.MESH);
            case FRAGMENT_SHADER -> Set.of(ShaderStage.FRAGMENT);
            case VERTEX_INPUT, FRAGMENT_OUTPUT -> Set.of();
        };
    }

    /** Returns the parts of a pipeline: a mesh shader has no vertex input. */
    static Set<PipelinePart> of(GraphicsPipelineDescription description) {
        return description.drawsMeshes()
                ? EnumSet.complementOf(EnumSet.of(VERTEX_INPUT))
                : EnumSet.allOf(PipelinePart.class);
    }

    static PipelinePart of(DynamicState state) {
        return switch (state) {
            case TOPOLOGY, VERTEX_INPUT -> VERTEX_INPUT;
            case DEPTH_BIAS, LINE_WIDTH, CULL_MODE, FRONT_FACE -> PRE_RASTERIZATION;
            case STENCIL_REFERENCE, DEPTH_TEST, STENCIL_TEST -> FRAGMENT_SHADER;
            case BLEND_CONSTANTS -> FRAGMENT_OUTPUT;
        };
    }
}
