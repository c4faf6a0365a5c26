package io.frameloom.gpu.record;

import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.RasterState.Topology;
import io.frameloom.gpu.pipeline.StencilState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a list has set in its render pass for pipelines that leave it to the list, as far as draws depend on it. */
final class DynamicTests {
    private @Nullable Topology topology;
    private @Nullable DepthState depth;
    private boolean depthIsSet;
    private @Nullable StencilState stencil;
    private boolean stencilIsSet;

    private @Nullable List<VertexBuffer> vertexInput;

    void clear() {
        vertexInput = null;
        topology = null;
        depth = null;
        depthIsSet = false;
        stencil = null;
        stencilIsSet = false;
    }

    void topology(Topology set) {
        topology = set;
    }

    void vertexInput(List<VertexBuffer> set) {
        vertexInput = set;
    }

    void depth(@Nullable DepthState set) {
        depth = set;
        depthIsSet = true;
    }

    void stencil(@Nullable StencilState set) {
        stencil = set;
        stencilIsSet = true;
    }

    Topology topology(GraphicsPipelineDescription pipeline) {
        Topology set = topology;
        return set != null && pipeline.dynamicStates().contains(DynamicState.TOPOLOGY)
                ? set
                : pipeline.raster().topology();
    }

    List<VertexBuffer> vertexInput(GraphicsPipelineDescription pipeline) {
        List<VertexBuffer> set = vertexInput;
        return set != null && pipeline.dynamicStates().contains(DynamicState.VERTEX_INPUT)
                ? set
                : pipeline.vertexBuffers();
    }

    @Nullable
    DepthState depth(GraphicsPipelineDescription pipeline) {
        return depthIsSet && pipeline.dynamicStates().contains(DynamicState.DEPTH_TEST) ? depth : pipeline.depth();
    }

    @Nullable
    StencilState stencil(GraphicsPipelineDescription pipeline) {
        return stencilIsSet && pipeline.dynamicStates().contains(DynamicState.STENCIL_TEST)
                ? stencil
                : pipeline.stencil();
    }
}
