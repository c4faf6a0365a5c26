package io.frameloom.samples.frame;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.samples.scene.Deformable;
import io.frameloom.samples.scene.Deformation;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.Scene;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Moves vertices by morph targets and joints, once for all passes that draw them. Depth prepass and g-buffer must see
 * the same positions to the last bit. Positions of the frame before are computed anew from its rig: so they need no frame
 * before, and a frame that is rendered again is the same.
 */
final class DeformPass implements AutoCloseable {
    private static final int GROUP = 64;
    private static final int FLOATS_PER_VECTOR = 4;

    private final Scene scene;
    private final SceneBuffers buffers;
    private final @Nullable ComputePipeline pipeline;

    DeformPass(GpuDevice device, Scene scene, SceneBuffers buffers) {
        this.scene = scene;
        this.buffers = buffers;
        pipeline = buffers.deformedBytes() == 0
                ? null
                : device.createComputePipeline(
                        new ComputePipelineDescription("deform", Shaders.load("deform.comp"), null));
    }

    void declare(RenderGraph graph, FrameResources resources) {
        RdgBuffer rig = resources.rig;
        RdgBuffer deformed = resources.deformed;
        RdgBuffer former = resources.former;
        if (rig != null && deformed != null && former != null) {
            graph.addPass("deform", PassKind.COMPUTE)
                    .reads(rig, Access.STORAGE_READ_COMPUTE)
                    .overwrites(deformed, Access.STORAGE_WRITE_COMPUTE)
                    .overwrites(former, Access.STORAGE_WRITE_COMPUTE)
                    .record(context -> record(context, rig, deformed, former));
        }
    }

    private void record(PassContext context, RdgBuffer rig, RdgBuffer deformed, RdgBuffer former) {
        CommandList commands = context.commands();
        if (pipeline == null) {
            return;
        }
        commands.bindPipeline(pipeline);
        GeometryPipelines.bindBlock(context, "Rig", rig);
        ByteBuffer constants = ByteBuffer.allocateDirect(8 * Integer.BYTES).order(ByteOrder.nativeOrder());
        for (int i = 0; i < scene.draws().size(); i++) {
            DrawItem draw = scene.draws().get(i);
            Deformation deformation = draw.deformation();
            Mesh mesh = scene.meshes().get(draw.mesh());
            Deformable deformable = mesh.deformable();
            if (deformation == null || deformable == null) {
                continue;
            }
            SceneBuffers.MeshRange range = buffers.mesh(draw.mesh());
            commands.bindBuffer("MeshData", buffers.deformables(), range.dataOffset(), range.dataBytes());
            long first = buffers.firstDeformed(i) * SceneBuffers.VERTEX_BYTES;
            long bytes = mesh.vertexCount() * SceneBuffers.VERTEX_BYTES;
            commands.bindBuffer("Deformed", context.buffer(deformed), first, bytes);
            commands.bindBuffer("Former", context.buffer(former), first, bytes);
            constants
                    .clear()
                    .putInt(mesh.vertexCount())
                    .putInt(deformable.sets())
                    .putInt(deformation.joints() / FLOATS_PER_VECTOR)
                    .putInt(deformable.targets().size())
                    .putInt(deformable.targetFloats())
                    .putInt(deformation.weights() / FLOATS_PER_VECTOR)
                    .putInt(deformable.flat() ? 1 : 0)
                    .putInt(scene.rig().floats() / FLOATS_PER_VECTOR)
                    .flip();
            commands.pushConstants(constants);
            commands.dispatch(FrameResources.groups(mesh.vertexCount(), GROUP), 1, 1);
        }
    }

    @Override
    public void close() {
        if (pipeline != null) {
            pipeline.close();
        }
    }
}
