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

/** Lays down the depth that the camera sees, so that the g-buffer shades every texel once. */
final class DepthPrepass implements AutoCloseable {
    private final GeometryPipelines pipelines;

    DepthPrepass(GpuDevice device, Scene scene, SceneBuffers buffers) {
        pipelines = new GeometryPipelines(
                device,
                scene,
                buffers,
                new GeometryPipelines.Shape(
                        "depth prepass",
                        Shaders.load("depth.vert"),
                        null,
                        Shaders.load("depth.vert", "SPECIAL"),
                        Shaders.load("depth_special.frag"),
                        true,
                        new DepthState(DepthCompare.GREATER_OR_EQUAL, true, 0, 0),
                        List.of()));
    }

    void declare(RenderGraph graph, FrameResources resources, FrameSnapshot snapshot) {
        int passes = GeometryPipelines.passes(snapshot.cameraCount);
        for (int i = 0; i < passes; i++) {
            int number = i;
            resources
                    .readsDeformed(graph.addPass("depth prepass " + i, PassKind.RASTER))
                    .reads(resources.constants, Access.UNIFORM_GRAPHICS)
                    .reads(resources.draws, Access.STORAGE_READ_VERTEX)
                    .depth(resources.depth, i == 0 ? LoadOp.CLEAR : LoadOp.LOAD, 0)
                    .record(context ->
                            pipelines.draw(context, resources, snapshot.cameraDraws, snapshot.cameraCount, number));
        }
    }

    /** Lets mesh shaders draw meshlets. */
    void compileMeshes() {
        pipelines.compileMeshes();
    }

    /** Declares the drawing of meshlets that the device has chosen. */
    void declare(
            RenderGraph graph,
            FrameResources resources,
            MeshletDraws.Which which,
            LoadOp load,
            MeshletDraws.Chosen chosen) {
        chosen.reads(graph.addPass("depth prepass " + which, PassKind.RASTER))
                .reads(resources.constants, Access.UNIFORM_GRAPHICS)
                .reads(resources.draws, Access.STORAGE_READ_VERTEX)
                .depth(resources.depth, load, 0)
                .record(context -> pipelines.draw(context, resources, chosen));
    }

    @Override
    public void close() {
        pipelines.close();
    }
}
