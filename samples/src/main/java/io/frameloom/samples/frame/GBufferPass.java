package io.frameloom.samples.frame;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.Scene;
import java.util.List;

/** Draws albedo, metallic, normal, roughness, emission and motion of what the depth prepass has found visible. */
final class GBufferPass implements AutoCloseable {
    private final GeometryPipelines pipelines;

    GBufferPass(GpuDevice device, Scene scene, SceneBuffers buffers) {
        pipelines = new GeometryPipelines(
                device,
                scene,
                buffers,
                new GeometryPipelines.Shape(
                        "g-buffer",
                        Shaders.load("gbuffer.vert"),
                        Shaders.load("gbuffer.frag"),
                        Shaders.load("gbuffer.vert", "SPECIAL"),
                        Shaders.load("gbuffer.frag", "SPECIAL"),
                        true,
                        new DepthState(DepthCompare.EQUAL, false, 0, 0),
                        List.of(
                                FrameResources.ALBEDO,
                                FrameResources.NORMAL,
                                FrameResources.EMISSIVE,
                                FrameResources.MOTION)));
    }

    void declare(RenderGraph graph, FrameResources resources, FrameSnapshot snapshot) {
        int passes = GeometryPipelines.passes(snapshot.cameraCount);
        for (int i = 0; i < passes; i++) {
            int number = i;
            PassBuilder pass = add(graph, resources, "g-buffer " + i, i == 0 ? LoadOp.CLEAR : LoadOp.LOAD);
            resources
                    .readsFormer(pass)
                    .record(context ->
                            pipelines.draw(context, resources, snapshot.cameraDraws, snapshot.cameraCount, number));
        }
    }

    /** Lets mesh shaders draw meshlets. */
    void compileMeshes() {
        pipelines.compileMeshes();
    }

    /** Declares the drawing of meshlets that the device has chosen. */
    void declare(RenderGraph graph, FrameResources resources, MeshletDraws.Chosen chosen) {
        chosen.reads(add(graph, resources, "g-buffer", LoadOp.CLEAR))
                .record(context -> pipelines.draw(context, resources, chosen));
    }

    private static PassBuilder add(RenderGraph graph, FrameResources resources, String name, LoadOp load) {
        return graph.addPass(name, PassKind.RASTER)
                .reads(resources.constants, Access.UNIFORM_GRAPHICS)
                .reads(resources.draws, Access.STORAGE_READ_VERTEX)
                .color(resources.albedo, load, ClearColor.BLACK_TRANSPARENT)
                .color(resources.normal, load, ClearColor.BLACK_TRANSPARENT)
                .color(resources.emissive, load, ClearColor.BLACK_TRANSPARENT)
                .color(resources.motion, load, ClearColor.BLACK_TRANSPARENT)
                .depthReadOnly(resources.depth);
    }

    @Override
    public void close() {
        pipelines.close();
    }
}
