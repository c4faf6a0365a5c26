package io.frameloom.samples.frame;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.compute.ElementType;
import io.frameloom.gpu.compute.StreamCompaction;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
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
import io.frameloom.rdg.utility.PrimitivePasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.Scene;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
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

    /** Bytes of the arguments of an indirect draw. */
    static final int RECORD_BYTES = 5 * Integer.BYTES;

    private final Deque<Runnable> owned = new ArrayDeque<>();
    private final Meshlets meshlets;
    private final Buffer data;
    private final Buffer instances;
    private final Buffer batches;
    private final Buffer indices;
    private final BufferHistory visibility;
    private final ComputePipeline early;
    private final ComputePipeline late;
    private final ComputePipeline records;
    private final ComputePipeline halve;
    private final StreamCompaction compaction;
    private final Sampler nearest;
    private final long bitBytes;
    private final Arguments ofEarly;
    private final Arguments ofLate;
    private final Arguments ofBoth;
    private @Nullable RdgReadback counted;

    /**
     * Memory of indirect draws. It outlives frames, so that no texture shares it: layers that validate synchronization do
     * not see a texture's readers wait for what only indirect draws have read.
     *
     * @param which which draws, as names of passes say it
     * @param batches number of batches: all materials in one, or one for each
     */
    private record Arguments(String which, int batches, Buffer records, Buffer counts) {}

    /** What one frame has found, before it is complete. */
    record Found(RdgBuffer early, RdgTexture pyramid, RdgBuffer visible, RdgBuffer drawn) {}

    /** What indirect draws of meshlets read. */
    record Draws(Meshlets meshlets, Buffer indices, RdgBuffer records, RdgBuffer counts) {}

    /** Builds and uploads the meshlets. Waits for the device. */
    MeshletPasses(GpuDevice device, Scene scene, SceneBuffers buffers, ShaderSource pyramid) {
        meshlets = new Meshlets(scene, buffers);
        int count = meshlets.instances().size();
        requireDraws(device, count);
        bitBytes = (long) FrameResources.groups(count, Integer.SIZE) * Integer.BYTES;
        try {
            data = buffer(device, "meshlets", meshlets.all().size() * MESHLET_BYTES, BufferUsage.STORAGE);
            instances = buffer(device, "meshlet instances", count * PAIR_BYTES, BufferUsage.STORAGE);
            batches = buffer(device, "meshlet batches", meshlets.batches().size() * PAIR_BYTES, BufferUsage.STORAGE);
            indices = buffer(device, "meshlet indices", meshlets.indices().limit() * Integer.BYTES, BufferUsage.INDEX);
            upload(device);
            ofEarly = arguments(device, "early", 1);
            ofLate = arguments(device, "late", 1);
            ofBoth = arguments(device, "of both", meshlets.batches().size());
            visibility = own(
                    new BufferHistory(device, "visible meshlets", Access.STORAGE_READ_COMPUTE, 0),
                    BufferHistory::close);
            early = pipeline(device, "cull meshlets early", Shaders.load("meshlets_cull.comp"));
            late = pipeline(device, "cull meshlets late", Shaders.load("meshlets_cull.comp", "LATE"));
            records = pipeline(device, "meshlet draws", Shaders.load("meshlets_records.comp"));
            halve = pipeline(device, "depth pyramid", pyramid);
            compaction = own(StreamCompaction.create(device, ElementType.U32X2), StreamCompaction::close);
            nearest = device.sampler(SamplerDescription.NEAREST_CLAMP);
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    private <T> T own(T object, Consumer<T> close) {
        owned.push(() -> close.accept(object));
        return object;
    }

    private Arguments arguments(GpuDevice device, String which, int batches) {
        int draws = meshlets.instances().size();
        return new Arguments(
                which,
                batches,
                indirect(device, "meshlet draws " + which, (long) draws * RECORD_BYTES),
                indirect(device, "numbers of meshlet draws " + which, (long) batches * Integer.BYTES));
    }

    private Buffer indirect(GpuDevice device, String name, long bytes) {
        return own(
                device.createBuffer(name, BufferDescription.device(bytes, BufferUsage.STORAGE, BufferUsage.INDIRECT)),
                Buffer::close);
    }

    private ComputePipeline pipeline(GpuDevice device, String name, ShaderSource shader) {
        return own(
                device.createComputePipeline(new ComputePipelineDescription(name, shader, null)),
                ComputePipeline::close);
    }

    private static void requireDraws(GpuDevice device, int draws) {
        DeviceLimits.Drawing limits = device.capabilities().limits().drawing();
        String name = device.capabilities().name();
        if (!limits.multiDrawIndirect() || !limits.drawIndirectCount()) {
            throw new UnsupportedOperationException(name + " takes no numbers of draws from buffers");
        }
        if (!limits.drawIndirectFirstInstance()) {
            throw new UnsupportedOperationException(name + " takes no first instances of draws from buffers");
        }
        if (draws > limits.maxIndirectDraws()) {
            throw new UnsupportedOperationException(
                    name + " takes " + limits.maxIndirectDraws() + " draws from a buffer at once, not " + draws);
        }
    }

    private Buffer buffer(GpuDevice device, String name, int bytes, BufferUsage usage) {
        return own(
                device.createBuffer(name, BufferDescription.device(bytes, usage, BufferUsage.COPY_DST)), Buffer::close);
    }

    private void upload(GpuDevice device) {
        ByteBuffer all = allocate(data);
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
                    .putInt(0);
        }
        ByteBuffer pairs = allocate(instances);
        meshlets.instances().forEach(one -> pairs.putInt(one.draw()).putInt(one.meshlet()));
        ByteBuffer starts = allocate(batches);
        meshlets.batches().forEach(one -> starts.putInt(one.firstDraw()).putInt(one.firstInstance()));
        ByteBuffer order = allocate(indices);
        order.asIntBuffer().put(meshlets.indices());
        try (Uploader uploader = new Uploader(device, "meshlet upload")) {
            uploader.upload(data, 0, all.flip());
            uploader.upload(instances, 0, pairs.flip());
            uploader.upload(batches, 0, starts.flip());
            uploader.upload(indices, 0, order);
            TimelinePoint last = uploader.flush();
            last.queue().timeline().await(last.value(), FOREVER);
        }
    }

    private static ByteBuffer allocate(Buffer target) {
        return ByteBuffer.allocate(Math.toIntExact(target.description().bytes()))
                .order(ByteOrder.nativeOrder());
    }

    Meshlets meshlets() {
        return meshlets;
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
        depthPrepass.declare(graph, resources, "early", LoadOp.CLEAR, draws(graph, ofEarly, again));
        RdgTexture pyramid = declarePyramid(graph, resources);
        RdgBuffer fresh = bits(graph, "meshlets drawn late");
        RdgBuffer drawn = bits(graph, "meshlets drawn");
        declareLate(graph, resources, again, pyramid, fresh, history.current(), drawn, count);
        depthPrepass.declare(graph, resources, "late", LoadOp.LOAD, draws(graph, ofLate, fresh));
        gBuffer.declare(graph, resources, draws(graph, ofBoth, drawn));
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

    private static void bind(CommandList commands, String block, Buffer buffer) {
        commands.bindBuffer(block, buffer, 0, buffer.description().bytes());
    }

    /** Declares what turns bits into indirect draws. */
    private Draws draws(RenderGraph graph, Arguments target, RdgBuffer bits) {
        String which = target.which();
        int most = meshlets.instances().size();
        RdgBuffer kept =
                graph.createBuffer("meshlets kept " + which, BufferDescription.device((long) most * PAIR_BYTES));
        RdgBuffer keptCount =
                graph.createBuffer("number of meshlets kept " + which, BufferDescription.device(Integer.BYTES));
        PrimitivePasses.compact(
                graph,
                "compact meshlets " + which,
                compaction,
                most,
                graph.registerPassthrough(instances).view(),
                bits.view(),
                kept.view(),
                keptCount.view());
        RdgBuffer arguments = graph.registerExternal(target.records());
        RdgBuffer counts = graph.registerExternal(target.counts());
        graph.addPass("meshlet draws " + which, PassKind.COMPUTE)
                .reads(kept, Access.STORAGE_READ_COMPUTE)
                .reads(keptCount, Access.STORAGE_READ_COMPUTE)
                .overwrites(arguments, Access.STORAGE_WRITE_COMPUTE)
                .overwrites(counts, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {
                    CommandList commands = context.commands();
                    commands.bindPipeline(records);
                    GeometryPipelines.bindBlock(context, "Kept", kept);
                    GeometryPipelines.bindBlock(context, "KeptCount", keptCount);
                    GeometryPipelines.bindBlock(context, "Records", arguments);
                    GeometryPipelines.bindBlock(context, "Counts", counts);
                    bind(commands, "Meshlets", data);
                    commands.bindBuffer("Batches", batches, 0, (long) target.batches() * PAIR_BYTES);
                    commands.dispatch(FrameResources.groups(most, GROUP), 1, 1);
                });
        return new Draws(meshlets, indices, arguments, counts);
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
                        meshlets.instances().size(), readback.bytes().join().asIntBuffer());
    }

    @Override
    public void close() {
        while (!owned.isEmpty()) {
            owned.pop().run();
        }
    }
}
