package io.frameloom.benchmarks.gpu.async;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureBuild.Input;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.AccelerationStructureDescription.Triangles;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.RayTracingPipeline;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.General;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.TrianglesHit;
import io.frameloom.gpu.pipeline.ShaderBindingTable;
import io.frameloom.gpu.pipeline.ShaderBindingTable.ShaderRecord;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TopLevelInstances;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Frames that draw hills with a shadow map, trace how open they are at half the size, and rebuild all structures for the next
 * frame. Two sets of structures take turns. Passes that build and trace are tagged.
 */
final class RayFrames implements AutoCloseable {
    private static final float[] IDENTITY = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    private static final int SETS = 2;

    private final GpuDevice device;
    private final Terrain terrain;
    private final int width;
    private final int height;
    private final Deque<Runnable> owned = new ArrayDeque<>();
    private final Buffer vertices;
    private final Buffer indices;
    private final AccelerationStructureDescription tile;
    private final AccelerationStructureDescription all;
    private final List<List<AccelerationStructure>> bottoms = new ArrayList<>();
    private final List<AccelerationStructure> tops = new ArrayList<>();
    private final GraphicsPipeline base;
    private final GraphicsPipeline shadow;
    private final GraphicsPipeline light;
    private final RayTracingPipeline openness;
    private final ShaderBindingTable table;
    private final Sampler nearest;
    private final FrameExecutor executor;
    private final Map<AsyncCompute, RenderGraphCompiler> compilers = new EnumMap<>(AsyncCompute.class);
    private RenderGraph graph = new RenderGraph("frame");
    private int frame;

    /** Uploads the hills and builds the structures of the first frame. */
    RayFrames(GpuDevice device, TaskGraph tasks, Terrain terrain, int width, int height) {
        this.device = device;
        this.terrain = terrain;
        this.width = width;
        this.height = height;
        try {
            vertices = buffer("vertices", terrain.vertexBytes(), BufferUsage.VERTEX);
            indices = buffer("indices", terrain.indexBytes(), BufferUsage.INDEX);
            tile = AccelerationStructureDescription.of(new Triangles(
                    Format.R32G32B32_SFLOAT,
                    Terrain.VERTEX_BYTES,
                    terrain.vertices(),
                    IndexType.UINT32,
                    terrain.triangles(),
                    true));
            all = AccelerationStructureDescription.of(terrain.tiles());
            for (int set = 0; set < SETS; set++) {
                List<AccelerationStructure> of = new ArrayList<>();
                for (int i = 0; i < terrain.tiles(); i++) {
                    of.add(structure("tile " + i + " of set " + set, tile));
                }
                bottoms.add(of);
                tops.add(structure("hills of set " + set, all));
            }
            VertexBuffer places = new VertexBuffer(
                    Terrain.VERTEX_BYTES, false, List.of(new VertexAttribute(0, Format.R32G32B32_SFLOAT, 0)));
            DepthState test = new DepthState(DepthCompare.LESS_OR_EQUAL, true, 0, 0);
            base = graphics(GraphicsPipelineDescription.of(
                            "base", RayShaders.BASE_VERTEX, RayShaders.BASE_FRAGMENT, Format.R32G32B32A32_SFLOAT)
                    .withVertexBuffers(places)
                    .withDepth(test, Format.D32_SFLOAT));
            shadow = graphics(GraphicsPipelineDescription.of("shadow", RayShaders.SHADOW, null)
                    .withVertexBuffers(places)
                    .withDepth(test, Format.D32_SFLOAT));
            light = graphics(GraphicsPipelineDescription.of(
                    "light", RayShaders.SCREEN, RayShaders.LIGHT, Format.R8G8B8A8_UNORM));
            openness = own(
                    device.createRayTracingPipeline(new RayTracingPipelineDescription(
                            "openness",
                            List.of(
                                    new General("pixel", RayShaders.OPENNESS),
                                    new General("miss", RayShaders.MISS),
                                    new TrianglesHit("hit", RayShaders.HIT)),
                            1)),
                    RayTracingPipeline::close);
            table = new ShaderBindingTable(
                    openness,
                    new ShaderRecord("pixel"),
                    List.of(new ShaderRecord("miss")),
                    List.of(new ShaderRecord("hit")),
                    List.of());
            nearest = device.sampler(SamplerDescription.NEAREST_CLAMP);
            executor = own(new FrameExecutor(device, tasks), FrameExecutor::close);
            RenderGraph first = new RenderGraph("first");
            rebuild(first, 0);
            executor.run(first).completed().await();
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    private <T> T own(T object, Consumer<T> close) {
        owned.push(() -> close.accept(object));
        return object;
    }

    private Buffer buffer(String name, ByteBuffer data, BufferUsage usage) {
        Buffer made = own(
                device.createBuffer(
                        name,
                        BufferDescription.device(data.remaining(), usage, BufferUsage.STORAGE, BufferUsage.COPY_DST)),
                Buffer::close);
        try (Uploader uploader = new Uploader(device, name)) {
            uploader.upload(made, 0, data);
            TimelinePoint last = uploader.flush();
            last.queue().timeline().await(last.value(), Duration.ofNanos(Long.MAX_VALUE));
        }
        return made;
    }

    private AccelerationStructure structure(String name, AccelerationStructureDescription shape) {
        return own(
                device.createAccelerationStructure(
                        name, shape.level(), device.sizes(shape).structureBytes()),
                AccelerationStructure::close);
    }

    private GraphicsPipeline graphics(GraphicsPipelineDescription description) {
        return own(device.createGraphicsPipeline(description), GraphicsPipeline::close);
    }

    /** Starts a frame by a policy of its own decisions; waits for the third frame before it. */
    FrameHandle run(AsyncCompute async) {
        graph = graph.reset();
        declare(graph);
        return execute(graph, async);
    }

    /** Runs a frame and returns its picture, four bytes a pixel. */
    ByteBuffer picture(AsyncCompute async) {
        graph = graph.reset();
        RdgReadback read = ReadbackPasses.texture(graph, declare(graph));
        execute(graph, async);
        return read.bytes().join();
    }

    private FrameHandle execute(RenderGraph of, AsyncCompute async) {
        frame++;
        return executor.execute(compilers
                .computeIfAbsent(
                        async,
                        policy -> new RenderGraphCompiler(RdgOptions.defaults().withAsync(policy)))
                .compile(of, QueueTopology.of(device), MemorySizer.of(device)));
    }

    private RdgTexture declare(RenderGraph of) {
        int now = frame % SETS;
        rebuild(of, (frame + 1) % SETS);
        RdgTexture places =
                of.createTexture("places", TextureDescription.of(width, height, Format.R32G32B32A32_SFLOAT));
        RdgTexture depth = of.createTexture("depth", TextureDescription.of(width, height, Format.D32_SFLOAT));
        of.addPass("base", PassKind.RASTER)
                .color(places, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .depth(depth, LoadOp.CLEAR, 1)
                .reads(of.registerExternal(vertices), Access.VERTEX)
                .reads(of.registerExternal(indices), Access.INDEX)
                .record(context -> draw(context.commands(), base));
        RdgTexture open = of.createTexture("openness", TextureDescription.of(width / 2, height / 2, Format.R32_SFLOAT));
        PassBuilder trace = of.addPass("trace openness", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .reads(places, Access.SAMPLED_RAYS)
                .overwrites(open, Access.STORAGE_WRITE_RAYS)
                .reads(of.registerExternal(tops.get(now)), Access.ACCELERATION_STRUCTURE_TRACE_RAYS);
        for (AccelerationStructure bottom : bottoms.get(now)) {
            trace.reads(of.registerExternal(bottom), Access.ACCELERATION_STRUCTURE_TRACE_RAYS);
        }
        trace.record(context -> {
            CommandList list = context.commands();
            list.bindPipeline(openness);
            list.bindAccelerationStructure("scene", tops.get(now));
            list.bindTexture("places", context.view(places), nearest);
            list.bindStorageTexture("openness", context.view(open));
            BufferSlice records = context.upload(table.bytes(), table.alignment());
            table.write(records.data());
            list.traceRays(table, records.buffer(), records.offset(), width / 2, height / 2, 1);
        });
        int edge = 2 * height;
        RdgTexture shadows = of.createTexture("shadows", TextureDescription.of(edge, edge, Format.D32_SFLOAT));
        of.addPass("shadow map", PassKind.RASTER)
                .depth(shadows, LoadOp.CLEAR, 1)
                .reads(of.registerExternal(vertices), Access.VERTEX)
                .reads(of.registerExternal(indices), Access.INDEX)
                .record(context -> draw(context.commands(), shadow));
        RdgTexture picture = of.createTexture("picture", TextureDescription.of(width, height, Format.R8G8B8A8_UNORM));
        of.addPass("light", PassKind.RASTER)
                .color(picture, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .reads(places, Access.SAMPLED_FRAGMENT)
                .reads(open, Access.SAMPLED_FRAGMENT)
                .reads(shadows, Access.SAMPLED_FRAGMENT)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {
                    CommandList list = context.commands();
                    list.bindPipeline(light);
                    list.bindTexture("places", context.view(places), nearest);
                    list.bindTexture("openness", context.view(open), nearest);
                    list.bindTexture("shadows", context.view(shadows), nearest);
                    list.draw(3, 1, 0, 0);
                });
        return picture;
    }

    private void draw(CommandList list, GraphicsPipeline pipeline) {
        list.bindPipeline(pipeline);
        list.bindVertexBuffer(0, vertices, 0);
        list.bindIndexBuffer(indices, 0, IndexType.UINT32);
        for (int i = 0; i < terrain.tiles(); i++) {
            list.drawIndexed(3 * terrain.triangles(), 1, 0, i * terrain.vertices(), 0);
        }
    }

    /** Builds all bottom levels in one pass, each with scratch memory of its own, and then the top level. */
    private void rebuild(RenderGraph of, int set) {
        PassBuilder lower = of.addPass("rebuild tiles", PassKind.COMPUTE).flag(PassFlag.ASYNC_COMPUTE);
        long unit = device.capabilities().limits().accelerationStructures().scratchAlignment();
        long bytes = (device.sizes(tile).buildScratchBytes() + unit - 1) / unit * unit;
        RdgBuffer scratch = of.createBuffer("scratch of tiles", BufferDescription.device(bytes * terrain.tiles()));
        List<AccelerationStructure> built = bottoms.get(set);
        for (AccelerationStructure bottom : built) {
            lower.overwrites(of.registerExternal(bottom), Access.ACCELERATION_STRUCTURE_BUILD_WRITE);
        }
        lower.reads(of.registerExternal(vertices), Access.ACCELERATION_STRUCTURE_INPUT)
                .reads(of.registerExternal(indices), Access.ACCELERATION_STRUCTURE_INPUT)
                .overwrites(scratch, Access.ACCELERATION_STRUCTURE_SCRATCH)
                .record(context -> {
                    for (int i = 0; i < terrain.tiles(); i++) {
                        long at = (long) i * terrain.vertices() * Terrain.VERTEX_BYTES;
                        context.commands()
                                .buildAccelerationStructure(new AccelerationStructureBuild(
                                        built.get(i),
                                        tile,
                                        List.of(Input.indexed(vertices, at, indices, 0)),
                                        context.buffer(scratch),
                                        i * bytes,
                                        null));
                    }
                });
        RdgBuffer more = of.createBuffer(
                "scratch of hills", BufferDescription.device(device.sizes(all).buildScratchBytes()));
        PassBuilder upper = of.addPass("rebuild hills", PassKind.COMPUTE).flag(PassFlag.ASYNC_COMPUTE);
        for (AccelerationStructure bottom : built) {
            upper.reads(of.registerExternal(bottom), Access.ACCELERATION_STRUCTURE_BUILD_READ);
        }
        upper.overwrites(of.registerExternal(tops.get(set)), Access.ACCELERATION_STRUCTURE_BUILD_WRITE)
                .overwrites(more, Access.ACCELERATION_STRUCTURE_SCRATCH)
                .record(context -> {
                    BufferSlice memory = context.upload((long) terrain.tiles() * TopLevelInstances.BYTES, 16);
                    TopLevelInstances instances = new TopLevelInstances(memory.data());
                    built.forEach(bottom -> instances.add(bottom, IDENTITY, 0));
                    Input where = Input.instances(memory.buffer(), memory.offset(), built);
                    context.commands()
                            .buildAccelerationStructure(
                                    new AccelerationStructureBuild(tops.get(set), all, where, context.buffer(more)));
                });
    }

    @Override
    public void close() {
        device.waitIdle();
        while (!owned.isEmpty()) {
            owned.pop().run();
        }
    }
}
