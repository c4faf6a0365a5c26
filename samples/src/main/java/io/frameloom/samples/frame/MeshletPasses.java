package io.frameloom.samples.frame;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.rdg.BufferHistory;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.samples.frame.MeshletDraws.Which;
import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.Scene;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Depth prepass and g-buffer by meshlets that the device has found visible, by two-phase occlusion culling. First it draws
 * the depth of what the frame before has seen, and halves this depth to a pyramid. Then it asks the pyramid about every
 * meshlet, and draws the depth of those that are new. The g-buffer draws both in the order of the scene.
 *
 * <p>Declared as {@link DeferredFrame}, which it is a part of.
 */
final class MeshletPasses implements AutoCloseable {
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);
    private static final int GROUP = 64;
    private static final int PYRAMID_GROUP = 8;
    private static final int MESHLET_BYTES = 80;
    private static final int PAIR_BYTES = 2 * Integer.BYTES;

    private final MeshletMemory memory;
    private final MeshletForm form;
    private final Meshlets meshlets;
    private final Buffer data;
    private final Buffer instances;
    private final MeshletDraws draws;
    private final BufferHistory visibility;
    private final ComputePipeline early;
    private final ComputePipeline late;
    private final ComputePipeline halve;
    private final Sampler nearest;
    private final long bitBytes;
    private @Nullable RdgReadback counted;

    /** What one frame has found, before it is complete. */
    record Found(RdgBuffer early, RdgTexture pyramid, RdgBuffer visible, RdgBuffer drawn) {}

    /** Builds and uploads the meshlets. Waits for the device. */
    MeshletPasses(GpuDevice device, Scene scene, SceneBuffers buffers, ShaderSource pyramid, MeshletForm form) {
        meshlets = new Meshlets(scene, buffers);
        int count = meshlets.instances().size();
        bitBytes = (long) FrameResources.groups(count, Integer.SIZE) * Integer.BYTES;
        this.form = form;
        memory = new MeshletMemory(device);
        try {
            data = buffer("meshlets", (long) meshlets.all().size() * MESHLET_BYTES);
            instances = buffer("meshlet instances", (long) count * PAIR_BYTES);
            draws = form == MeshletForm.MESH
                    ? new MeshletTasks(device.capabilities(), memory, meshlets, data, instances, buffers.vertices())
                    : new MeshletIndirects(device, memory, meshlets, data, instances);
            upload(device);
            visibility = memory.own(
                    new BufferHistory(device, "visible meshlets", Access.STORAGE_READ_COMPUTE, 0),
                    BufferHistory::close);
            early = memory.pipeline("cull meshlets early", Shaders.load("meshlets_cull.comp"));
            late = memory.pipeline("cull meshlets late", Shaders.load("meshlets_cull.comp", "LATE"));
            halve = memory.pipeline("depth pyramid", pyramid);
            nearest = device.sampler(SamplerDescription.NEAREST_CLAMP);
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    private Buffer buffer(String name, long bytes) {
        return memory.buffer(name, bytes, BufferUsage.STORAGE, BufferUsage.COPY_DST);
    }

    private void upload(GpuDevice device) {
        ByteBuffer all = MeshletMemory.contents(data);
        for (Meshlets.Meshlet one : meshlets.all()) {
            all.putFloat(one.box().min().x())
                    .putFloat(one.box().min().y())
                    .putFloat(one.box().min().z())
                    .putFloat(0);
            all.putFloat(one.box().max().x())
                    .putFloat(one.box().max().y())
                    .putFloat(one.box().max().z())
                    .putFloat(0);
            for (float value : one.sphere()) {
                all.putFloat(value);
            }
            for (float value : one.cone()) {
                all.putFloat(value);
            }
            all.putInt(one.indexCount())
                    .putInt(one.firstIndex())
                    .putInt(one.firstVertex())
                    .putInt(one.vertexCount());
        }
        ByteBuffer pairs = MeshletMemory.contents(instances);
        meshlets.instances().forEach(one -> pairs.putInt(one.draw()).putInt(one.meshlet()));
        try (Uploader uploader = new Uploader(device, "meshlet upload")) {
            uploader.upload(data, 0, all.flip());
            uploader.upload(instances, 0, pairs.flip());
            draws.upload(uploader);
            TimelinePoint last = uploader.flush();
            last.queue().timeline().await(last.value(), FOREVER);
        }
    }

    Meshlets meshlets() {
        return meshlets;
    }

    /** Returns whether mesh shaders draw. */
    boolean drawsMeshes() {
        return form == MeshletForm.MESH;
    }

    /**
     * Declares the passes that fill depth and g-buffer.
     *
     * @param count whether {@link #counts} tells of this frame
     */
    Found declare(
            RenderGraph graph,
            FrameResources resources,
            FrameSnapshot snapshot,
            DepthPrepass depthPrepass,
            GBufferPass gBuffer,
            boolean count) {
        if (snapshot.reset) {
            visibility.reset();
        }
        BufferHistory.Frame history = graph.history(
                visibility, BufferDescription.device(bitBytes, BufferUsage.STORAGE, BufferUsage.COPY_SRC));
        RdgBuffer again = bits(graph, "meshlets drawn early");
        graph.addPass("cull meshlets early", PassKind.COMPUTE)
                .reads(resources.constants, Access.UNIFORM_COMPUTE)
                .reads(resources.draws, Access.STORAGE_READ_COMPUTE)
                .reads(history.previous(), Access.STORAGE_READ_COMPUTE)
                .overwrites(again, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {
                    context.commands().bindPipeline(early);
                    recordCull(context, resources, history.previous(), again);
                });
        depthPrepass.declare(graph, resources, Which.EARLY, LoadOp.CLEAR, draws.choose(graph, Which.EARLY, again));
        RdgTexture pyramid = declarePyramid(graph, resources);
        RdgBuffer fresh = bits(graph, "meshlets drawn late");
        RdgBuffer drawn = bits(graph, "meshlets drawn");
        declareLate(graph, resources, again, pyramid, fresh, history.current(), drawn, count);
        depthPrepass.declare(graph, resources, Which.LATE, LoadOp.LOAD, draws.choose(graph, Which.LATE, fresh));
        gBuffer.declare(graph, resources, draws.choose(graph, Which.OF_BOTH, drawn));
        return new Found(again, pyramid, history.current(), drawn);
    }

    private RdgBuffer bits(RenderGraph graph, String name) {
        return graph.createBuffer(name, BufferDescription.device(bitBytes));
    }

    private void declareLate(
            RenderGraph graph,
            FrameResources resources,
            RdgBuffer again,
            RdgTexture pyramid,
            RdgBuffer fresh,
            RdgBuffer visible,
            RdgBuffer drawn,
            boolean count) {
        RdgBuffer tally = graph.createBuffer(
                "meshlet counts", BufferDescription.device((long) MeshletCounts.COUNTERS * Integer.BYTES));
        ClearPasses.buffer(graph, tally, 0);
        graph.addPass("cull meshlets late", PassKind.COMPUTE)
                .reads(resources.constants, Access.UNIFORM_COMPUTE)
                .reads(resources.draws, Access.STORAGE_READ_COMPUTE)
                .reads(again, Access.STORAGE_READ_COMPUTE)
                .reads(pyramid, Access.SAMPLED_COMPUTE)
                .overwrites(fresh, Access.STORAGE_WRITE_COMPUTE)
                .overwrites(visible, Access.STORAGE_WRITE_COMPUTE)
                .overwrites(drawn, Access.STORAGE_WRITE_COMPUTE)
                .writes(tally, Access.STORAGE_READ_WRITE_COMPUTE)
                .record(context -> {
                    CommandList commands = context.commands();
                    commands.bindPipeline(late);
                    GeometryPipelines.bindBlock(context, "Fresh", fresh);
                    GeometryPipelines.bindBlock(context, "Visible", visible);
                    GeometryPipelines.bindBlock(context, "Tally", tally);
                    commands.bindTexture("pyramid", context.view(pyramid), nearest);
                    recordCull(context, resources, again, drawn);
                });
        if (count) {
            counted = ReadbackPasses.buffer(graph, tally);
        }
    }

    private void recordCull(PassContext context, FrameResources resources, RdgBuffer before, RdgBuffer drawn) {
        GeometryPipelines.bindBlock(context, "Frame", resources.constants);
        GeometryPipelines.bindBlock(context, "Draws", resources.draws);
        GeometryPipelines.bindBlock(context, "Before", before);
        GeometryPipelines.bindBlock(context, "Drawn", drawn);
        bind(context.commands(), "Meshlets", data);
        bind(context.commands(), "Instances", instances);
        context.commands().dispatch(FrameResources.groups(meshlets.instances().size(), GROUP), 1, 1);
    }

    /** Binds all of a buffer to a block. */
    static void bind(CommandList commands, String block, Buffer buffer) {
        commands.bindBuffer(block, buffer, 0, buffer.description().bytes());
    }

    private RdgTexture declarePyramid(RenderGraph graph, FrameResources resources) {
        int width = powerOfTwo(resources.width) / 2;
        int height = powerOfTwo(resources.height) / 2;
        int mips = 32 - Integer.numberOfLeadingZeros(Math.max(width, height));
        TextureDescription shape =
                TextureDescription.of(width, height, Format.R32_SFLOAT).withMips(mips);
        RdgTexture pyramid = graph.createTexture("depth pyramid", shape);
        for (int mip = 0; mip < mips; mip++) {
            RdgTexture source = mip == 0 ? resources.depth : pyramid;
            SubresourceRange from = SubresourceRange.mip(Math.max(0, mip - 1));
            SubresourceRange to = SubresourceRange.mip(mip);
            int groupsX = FrameResources.groups(shape.width(mip), PYRAMID_GROUP);
            int groupsY = FrameResources.groups(shape.height(mip), PYRAMID_GROUP);
            graph.addPass("depth pyramid " + mip, PassKind.COMPUTE)
                    .reads(source, from, Access.SAMPLED_COMPUTE)
                    .overwrites(pyramid, to, Access.STORAGE_WRITE_COMPUTE)
                    .record(context -> {
                        CommandList commands = context.commands();
                        commands.bindPipeline(halve);
                        commands.bindTexture("sourceTexture", context.view(source, from), nearest);
                        commands.bindStorageTexture("halved", context.view(pyramid, to));
                        commands.dispatch(groupsX, groupsY, 1);
                    });
        }
        return pyramid;
    }

    /** Returns the smallest power of two that is not smaller. */
    private static int powerOfTwo(int extent) {
        return Integer.highestOneBit(2 * extent - 1);
    }

    /** Returns what became of the meshlets of the last frame that counted them, when it is complete; null without any. */
    @Nullable
    MeshletCounts counts() {
        RdgReadback readback = counted;
        return readback == null
                ? null
                : MeshletCounts.of(
                        form,
                        meshlets.instances().size(),
                        readback.bytes().join().asIntBuffer());
    }

    @Override
    public void close() {
        memory.close();
    }
}
