package io.frameloom.samples.frame;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.Scene;
import java.util.List;

/** Draws the depth that the sun sees, in passes of at most {@link GeometryPipelines#DRAWS_PER_PASS} draws. */
final class ShadowPass implements AutoCloseable {
    private final GeometryPipelines pipelines;

    ShadowPass(GpuDevice device, Scene scene, SceneBuffers buffers) {
        pipelines = new GeometryPipelines(
                device,
                scene,
                buffers,
                new GeometryPipelines.Shape(
                        "shadow map",
                        Shaders.load("depth.vert", "SHADOW"),
                        null,
                        Shaders.load("depth.vert", "SHADOW", "SPECIAL"),
                        Shaders.load("depth_special.frag", "SHADOW"),
                        false,
                        new DepthState(DepthCompare.LESS_OR_EQUAL, true, 1.5f, 1.75f),
                        List.of()));
    }

    void declare(RenderGraph graph, FrameResources resources, FrameSnapshot snapshot) {
        int passes = GeometryPipelines.passes(snapshot.shadowCount);
        for (int i = 0; i < passes; i++) {
            int number = i;
            resources
                    .readsDeformed(graph.addPass("shadow map " + i, PassKind.RASTER))
                    .reads(resources.constants, Access.UNIFORM_GRAPHICS)
                    .reads(resources.draws, Access.STORAGE_READ_VERTEX)
                    .depth(resources.shadow, i == 0 ? LoadOp.CLEAR : LoadOp.LOAD, 1)
                    .record(context ->
                            pipelines.draw(context, resources, snapshot.shadowDraws, snapshot.shadowCount, number));
        }
    }

    @Override
    public void close() {
        pipelines.close();
    }
}
