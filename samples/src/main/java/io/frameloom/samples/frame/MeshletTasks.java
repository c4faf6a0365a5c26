package io.frameloom.samples.frame;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Draws meshlets by task shaders, which read the bits and start a mesh shader for each meshlet. */
final class MeshletTasks implements MeshletDraws {
    private final Meshlets meshlets;
    private final Buffer data;
    private final Buffer instances;
    private final Buffer vertices;
    private final Buffer own;
    private final Buffer corners;

    /**
     * Makes the memory.
     *
     * @param data the meshlets
     * @param instances their instances
     * @param vertices the vertices of the scene
     * @throws UnsupportedOperationException if the device does not take as many tasks of mesh shaders
     */
    MeshletTasks(
            DeviceCapabilities device,
            MeshletMemory memory,
            Meshlets meshlets,
            Buffer data,
            Buffer instances,
            Buffer vertices) {
        this.meshlets = meshlets;
        DeviceLimits.MeshStage limits = device.limits().meshShaders().task();
        long most = Math.min(limits.maxGroups().x(), limits.maxTotalGroups());
        int tasks = tasks(meshlets.whole());
        if (tasks > most) {
            throw new UnsupportedOperationException(
                    device.name() + " takes " + most + " tasks of mesh shaders at once, not " + tasks);
        }
        this.data = data;
        this.instances = instances;
        this.vertices = vertices;
        own = memory.buffer(
                "vertices of meshlets",
                (long) meshlets.vertices().limit() * Integer.BYTES,
                BufferUsage.STORAGE,
                BufferUsage.COPY_DST);
        corners = memory.buffer(
                "corners of meshlets",
                (long) meshlets.corners().limit() * Integer.BYTES,
                BufferUsage.STORAGE,
                BufferUsage.COPY_DST);
    }

    @Override
    public void upload(Uploader uploader) {
        ByteBuffer all = MeshletMemory.contents(own);
        all.asIntBuffer().put(meshlets.vertices());
        uploader.upload(own, 0, all);
        ByteBuffer triangles = MeshletMemory.contents(corners);
        triangles.asIntBuffer().put(meshlets.corners());
        uploader.upload(corners, 0, triangles);
    }

    /** Returns the tasks of a batch, each for a word of bits. */
    private static int tasks(Meshlets.Batch batch) {
        int first = batch.firstInstance() / Integer.SIZE;
        return (batch.firstInstance() + batch.instances() - 1) / Integer.SIZE - first + 1;
    }

    @Override
    public Chosen choose(RenderGraph graph, Which which, RdgBuffer bits) {
        List<Meshlets.Batch> batches = meshlets.batches(which);
        return new Chosen() {
            @Override
            public List<Meshlets.Batch> batches() {
                return batches;
            }

            @Override
            public PassBuilder reads(PassBuilder pass) {
                return pass.reads(bits, Access.STORAGE_READ_VERTEX);
            }

            @Override
            public void bind(PassContext context, FrameResources resources, GeometryPipelines pipelines) {
                pipelines.bindMeshes(context, resources);
                CommandList commands = context.commands();
                GeometryPipelines.bindBlock(context, "Chosen", bits);
                MeshletPasses.bind(commands, "Meshlets", data);
                MeshletPasses.bind(commands, "Instances", instances);
                MeshletPasses.bind(commands, "Vertices", vertices);
                MeshletPasses.bind(commands, "Own", own);
                MeshletPasses.bind(commands, "Corners", corners);
            }

            @Override
            public void draw(PassContext context, int number) {
                Meshlets.Batch batch = batches.get(number);
                int first = batch.firstInstance();
                context.commands()
                        .pushConstants(ByteBuffer.allocate(2 * Integer.BYTES)
                                .order(ByteOrder.nativeOrder())
                                .putInt(first)
                                .putInt(first + batch.instances())
                                .flip());
                context.commands().drawMeshTasks(tasks(batch), 1, 1);
            }
        };
    }
}
