package io.frameloom.gpu.pipeline;

import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.resource.Format;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The components of a {@link GraphicsPipelineDescription}, to be changed before another is made of them. For one
 * thread.
 */
final class GraphicsPipelineDraft {
    String name;
    ShaderSource vertexShader;

    @Nullable
    ShaderSource fragmentShader;

    List<VertexBuffer> vertexBuffers;
    RasterState raster;
    CullMode cull;

    @Nullable
    DepthState depth;

    @Nullable
    StencilState stencil;

    MultisampleState multisample;
    List<TargetBlend> blends;
    List<Format> colorFormats;

    @Nullable
    Format depthFormat;

    @Nullable
    Format stencilFormat;

    Set<DynamicState> dynamicStates;

    GraphicsPipelineDraft(GraphicsPipelineDescription from) {
        name = from.name();
        vertexShader = from.vertexShader();
        fragmentShader = from.fragmentShader();
        vertexBuffers = from.vertexBuffers();
        raster = from.raster();
        cull = from.cull();
        depth = from.depth();
        stencil = from.stencil();
        multisample = from.multisample();
        blends = from.blends();
        colorFormats = from.colorFormats();
        depthFormat = from.depthFormat();
        stencilFormat = from.stencilFormat();
        dynamicStates = from.dynamicStates();
    }

    /** Returns a description of these components; its constructor checks them. */
    GraphicsPipelineDescription description() {
        return new GraphicsPipelineDescription(
                name,
                vertexShader,
                fragmentShader,
                vertexBuffers,
                raster,
                cull,
                depth,
                stencil,
                multisample,
                blends,
                colorFormats,
                depthFormat,
                stencilFormat,
                dynamicStates);
    }
}
