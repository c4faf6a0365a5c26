package io.frameloom.samples.frame;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.compute.ElementType;
import io.frameloom.gpu.compute.StreamCompaction;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.PrimitivePasses;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Draws meshlets by vertex shaders: compacts the bits, and makes the arguments of an indirect draw for each meshlet. */
final class MeshletIndirects implements MeshletDraws {
    private static final int GROUP = 64;
    private static final int PAIR_BYTES = 2 * Integer.BYTES;

    /** Bytes of the arguments of an indirect draw. */
    private static final int RECORD_BYTES = 5 * Integer.BYTES;

    private final Meshlets meshlets;
    private final Buffer data;
    private final Buffer instances;
    private final Buffer batches;
    private final Buffer indices;
    private final ComputePipeline records;
    private final StreamCompaction compaction;
    private final Map<Which, Arguments> arguments = new EnumMap<>(Which.class);

    /**
     * Memory of indirect draws. It outlives frames, so that no texture shares it: layers that validate synchronization do
     * not see a texture's readers wait for what only indirect draws have read.
     */
    private record Arguments(Buffer records, Buffer counts) {}

    /**
     * Makes the memory.
     *
     * @param data the meshlets
     * @param instances their instances
     * @throws UnsupportedOperationException if the device cannot take the draws from buffers, or not as many
     */
    MeshletIndirects(GpuDevice device, MeshletMemory memory, Meshlets meshlets, Buffer data, Buffer instances) {
        int draws = meshlets.instances().size();
        requireDraws(device.capabilities(), draws);
        this.meshlets = meshlets;
        this.data = data;
        this.instances = instances;
        batches = memory.buffer(
                "meshlet batches",
                (long) meshlets.batches(Which.OF_BOTH).size() * PAIR_BYTES,
                BufferUsage.STORAGE,
                BufferUsage.COPY_DST);
        indices = memory.buffer(
                "meshlet indices",
                (long) meshlets.indices().limit() * Integer.BYTES,
                BufferUsage.INDEX,
                BufferUsage.COPY_DST);
        for (Which which : Which.values()) {
            long counts = (long) meshlets.batches(which).size() * Integer.BYTES;
            arguments.put(
                    which,
                    new Arguments(
                            indirect(memory, "meshlet draws " + which, (long) draws * RECORD_BYTES),
                            indirect(memory, "numbers of meshlet draws " + which, counts)));
        }
        records = memory.pipeline("meshlet draws", Shaders.load("meshlets_records.comp"));
        compaction = memory.own(StreamCompaction.create(device, ElementType.U32X2), StreamCompaction::close);
    }

    private static Buffer indirect(MeshletMemory memory, String name, long bytes) {
        return memory.buffer(name, bytes, BufferUsage.STORAGE, BufferUsage.INDIRECT);
    }

    private static void requireDraws(DeviceCapabilities device, int draws) {
        DeviceLimits.Drawing limits = device.limits().drawing();
        String name = device.name();
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

    @Override
    public void upload(Uploader uploader) {
        ByteBuffer starts = MeshletMemory.contents(batches);
        meshlets.batches(Which.OF_BOTH)
                .forEach(one -> starts.putInt(one.firstDraw()).putInt(one.firstInstance()));
        uploader.upload(batches, 0, starts.flip());
        ByteBuffer order = MeshletMemory.contents(indices);
        order.asIntBuffer().put(meshlets.indices());
        uploader.upload(indices, 0, order);
    }

    @Override
    public Chosen choose(RenderGraph graph, Which which, RdgBuffer bits) {
        Arguments target = Objects.requireNonNull(arguments.get(which)); // there is one of each
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
        RdgBuffer draws = graph.registerExternal(target.records());
        RdgBuffer counts = graph.registerExternal(target.counts());
        List<Meshlets.Batch> drawn = meshlets.batches(which);
        graph.addPass("meshlet draws " + which, PassKind.COMPUTE)
                .reads(kept, Access.STORAGE_READ_COMPUTE)
                .reads(keptCount, Access.STORAGE_READ_COMPUTE)
                .overwrites(draws, Access.STORAGE_WRITE_COMPUTE)
                .overwrites(counts, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {
                    CommandList commands = context.commands();
                    commands.bindPipeline(records);
                    GeometryPipelines.bindBlock(context, "Kept", kept);
                    GeometryPipelines.bindBlock(context, "KeptCount", keptCount);
                    GeometryPipelines.bindBlock(context, "Records", draws);
                    GeometryPipelines.bindBlock(context, "Counts", counts);
                    MeshletPasses.bind(commands, "Meshlets", data);
                    commands.bindBuffer("Batches", batches, 0, (long) drawn.size() * PAIR_BYTES);
                    commands.dispatch(FrameResources.groups(most, GROUP), 1, 1);
                });
        return new Chosen() {
            @Override
            public List<Meshlets.Batch> batches() {
                return drawn;
            }

            @Override
            public PassBuilder reads(PassBuilder pass) {
                return pass.reads(draws, Access.INDIRECT).reads(counts, Access.INDIRECT);
            }

            @Override
            public void bind(PassContext context, FrameResources resources, GeometryPipelines pipelines) {
                pipelines.bindOpaque(context, resources, indices);
            }

            @Override
            public void draw(PassContext context, int number) {
                Meshlets.Batch batch = drawn.get(number);
                long first = (long) batch.firstInstance() * RECORD_BYTES;
                context.commands()
                        .drawIndexedIndirectCount(
                                context.buffer(draws),
                                first,
                                context.buffer(counts),
                                (long) number * Integer.BYTES,
                                batch.instances(),
                                RECORD_BYTES);
            }
        };
    }
}
