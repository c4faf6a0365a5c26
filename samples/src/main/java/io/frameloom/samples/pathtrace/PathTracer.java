package io.frameloom.samples.pathtrace;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureBuild.Input;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.AccelerationStructureDescription.Triangles;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.Pipeline;
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
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TopLevelInstances;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.TextureHistory;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.samples.frame.Shaders;
import io.frameloom.samples.pathtrace.PathScene.MeshPlace;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Traces a scene on a device: a bottom level of each mesh, a top level of all draws, then a frame for each sample, which
 * adds to what the frames before have left in a history. One thread; close it before its device.
 */
final class PathTracer implements AutoCloseable {
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);
    private static final int GROUP = 8;

    private final GpuDevice device;
    private final PathScene scene;
    private final FrameExecutor executor;
    private final Deque<Runnable> owned = new ArrayDeque<>();
    private final Buffer vertices;
    private final Buffer indices;
    private final Buffer instances;
    private final Buffer materials;
    private final Buffer texels;
    private final List<AccelerationStructure> bottoms = new ArrayList<>();
    private final AccelerationStructure top;
    private final RayForm form;
    private final Pipeline pipeline;
    private final TextureHistory light;
    private final TextureHistory rays;

    /**
     * What was traced.
     *
     * @param light four floats a pixel: the sum of the light of all samples, and their number
     * @param pathRays rays of paths, those of the camera among them
     * @param shadowRays rays towards the sun
     */
    record Traced(ByteBuffer light, long pathRays, long shadowRays) {}

    /**
     * Uploads a scene and builds its acceleration structures; all is there when this returns.
     *
     * @param submit the thread that submits to this device
     */
    PathTracer(GpuDevice device, TaskGraph tasks, NamedThread submit, PathScene scene, RayForm form) {
        this.device = device;
        this.form = form;
        this.scene = scene;
        try {
            vertices = buffer("vertices", scene.vertices);
            indices = buffer("indices", scene.indices);
            instances = buffer("instances", scene.instances);
            materials = buffer("materials", scene.materials);
            texels = buffer("texels", scene.texels);
            upload();
            List<AccelerationStructureDescription> shapes = new ArrayList<>();
            for (MeshPlace mesh : scene.meshes) {
                AccelerationStructureDescription shape = AccelerationStructureDescription.of(new Triangles(
                        Format.R32G32B32_SFLOAT,
                        PathScene.VERTEX_BYTES,
                        mesh.vertices(),
                        IndexType.UINT32,
                        mesh.triangles(),
                        true));
                shapes.add(shape);
                bottoms.add(structure("mesh " + bottoms.size(), shape));
            }
            AccelerationStructureDescription all = AccelerationStructureDescription.of(scene.draws.size());
            top = structure("scene", all);
            pipeline = own(form == RayForm.PIPELINE ? rayPipeline() : queryPipeline(), Pipeline::close);
            light = own(
                    new TextureHistory(device, "light", form.reads, ClearColor.BLACK_TRANSPARENT),
                    TextureHistory::close);
            rays = own(
                    new TextureHistory(device, "rays", form.reads, ClearColor.BLACK_TRANSPARENT),
                    TextureHistory::close);
            executor = own(
                    new FrameExecutor(
                            device, tasks, FrameExecutorOptions.defaults().withSubmitThread(submit)),
                    FrameExecutor::close);
            build(shapes, all);
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    private <T> T own(T object, Consumer<T> close) {
        owned.push(() -> close.accept(object));
        return object;
    }

    private Buffer buffer(String name, ByteBuffer data) {
        return own(
                device.createBuffer(
                        name, BufferDescription.device(data.capacity(), BufferUsage.STORAGE, BufferUsage.COPY_DST)),
                Buffer::close);
    }

    private AccelerationStructure structure(String name, AccelerationStructureDescription shape) {
        return own(
                device.createAccelerationStructure(
                        name, shape.level(), device.sizes(shape).structureBytes()),
                AccelerationStructure::close);
    }

    private void upload() {
        try (Uploader uploader = new Uploader(device, "scene")) {
            uploader.upload(vertices, 0, scene.vertices);
            uploader.upload(indices, 0, scene.indices);
            uploader.upload(instances, 0, scene.instances);
            uploader.upload(materials, 0, scene.materials);
            uploader.upload(texels, 0, scene.texels);
            TimelinePoint last = uploader.flush();
            last.queue().timeline().await(last.value(), FOREVER);
        }
    }

    /** All bottom levels are built in one pass, each with scratch memory of its own, so that the builds overlap. */
    private void build(List<AccelerationStructureDescription> shapes, AccelerationStructureDescription all) {
        RenderGraph graph = new RenderGraph("build");
        PassBuilder bottom = graph.addPass("bottom levels", PassKind.COMPUTE);
        long alignment = device.capabilities().limits().accelerationStructures().scratchAlignment();
        long[] places = new long[shapes.size()];
        long bytes = 0;
        for (int i = 0; i < places.length; i++) {
            places[i] = bytes;
            bytes += (device.sizes(shapes.get(i)).buildScratchBytes() + alignment - 1) / alignment * alignment;
            bottom.overwrites(graph.registerExternal(bottoms.get(i)), Access.ACCELERATION_STRUCTURE_BUILD_WRITE);
        }
        RdgBuffer scratch = graph.createBuffer("scratch", BufferDescription.device(bytes));
        bottom.reads(graph.registerExternal(vertices), Access.ACCELERATION_STRUCTURE_INPUT)
                .reads(graph.registerExternal(indices), Access.ACCELERATION_STRUCTURE_INPUT)
                .overwrites(scratch, Access.ACCELERATION_STRUCTURE_SCRATCH)
                .record(context -> {
                    for (int i = 0; i < places.length; i++) {
                        MeshPlace mesh = scene.meshes.get(i);
                        Input input = Input.indexed(
                                vertices,
                                (long) mesh.firstVertex() * PathScene.VERTEX_BYTES,
                                indices,
                                (long) mesh.firstIndex() * Integer.BYTES);
                        context.commands()
                                .buildAccelerationStructure(new AccelerationStructureBuild(
                                        bottoms.get(i),
                                        shapes.get(i),
                                        List.of(input),
                                        context.buffer(scratch),
                                        places[i],
                                        null));
                    }
                });
        RdgBuffer more = graph.createBuffer(
                "scratch of the top level",
                BufferDescription.device(device.sizes(all).buildScratchBytes()));
        PassBuilder upper = graph.addPass("top level", PassKind.COMPUTE);
        bottoms.forEach(each -> upper.reads(graph.registerExternal(each), Access.ACCELERATION_STRUCTURE_BUILD_READ));
        upper.overwrites(graph.registerExternal(top), Access.ACCELERATION_STRUCTURE_BUILD_WRITE)
                .overwrites(more, Access.ACCELERATION_STRUCTURE_SCRATCH)
                .record(context -> {
                    BufferSlice memory = context.upload((long) scene.draws.size() * TopLevelInstances.BYTES, 16);
                    TopLevelInstances written = new TopLevelInstances(memory.data());
                    for (int i = 0; i < scene.draws.size(); i++) {
                        DrawItem draw = scene.draws.get(i);
                        written.add(bottoms.get(draw.mesh()), PathScene.rows(draw.transform()), i);
                    }
                    Input input = Input.instances(memory.buffer(), memory.offset(), bottoms);
                    context.commands()
                            .buildAccelerationStructure(
                                    new AccelerationStructureBuild(top, all, input, context.buffer(more)));
                });
        executor.run(graph).completed().await();
    }

    /**
     * Traces all samples.
     *
     * @param stop says whether to end early
     * @param progress receives how many samples are done
     * @return what was traced, or null if it ended early
     * @throws RuntimeException if the frame of a sample fails: later frames would add to contents that are unknown
     */
    @Nullable
    Traced trace(PathOptions options, BooleanSupplier stop, IntConsumer progress) {
        light.reset();
        rays.reset();
        Deque<FrameHandle> running = new ArrayDeque<>();
        for (int sample = 0; !stop.getAsBoolean(); sample++) {
            boolean last = sample == options.samples() - 1;
            RenderGraph graph = new RenderGraph("sample");
            TextureHistory.Frame lit = graph.history(light, shape(options, Format.R32G32B32A32_SFLOAT));
            TextureHistory.Frame counted = graph.history(rays, shape(options, Format.R32G32_UINT));
            declare(graph, options, sample, lit, counted);
            RdgReadback sum = last ? ReadbackPasses.texture(graph, lit.current()) : null;
            RdgReadback count = last ? ReadbackPasses.texture(graph, counted.current()) : null;
            running.add(executor.run(graph));
            if (sum != null && count != null) {
                running.forEach(frame -> frame.completed().await());
                return traced(sum.bytes().join(), count.bytes().join());
            }
            if (running.size() == executor.framesInFlight()) {
                running.remove().completed().await();
            }
            progress.accept(sample + 1 - running.size());
        }
        return null;
    }

    private static TextureDescription shape(PathOptions options, Format format) {
        return TextureDescription.of(
                options.width(), options.rows().count(), format, TextureUsage.STORAGE, TextureUsage.COPY_SRC);
    }

    private void declare(
            RenderGraph graph,
            PathOptions options,
            int sample,
            TextureHistory.Frame lit,
            TextureHistory.Frame counted) {
        RdgUniformBuffer view =
                graph.createUniforms("view", PathScene.VIEW_BYTES, target -> scene.putView(target, options, sample));
        PassBuilder pass = graph.addPass("trace", PassKind.COMPUTE)
                .uniforms(view)
                .reads(lit.previous(), form.reads)
                .reads(counted.previous(), form.reads)
                .overwrites(lit.current(), form.writes)
                .overwrites(counted.current(), form.writes)
                .reads(graph.registerExternal(top), form.traces);
        bottoms.forEach(each -> pass.reads(graph.registerExternal(each), form.traces));
        for (Buffer read : List.of(vertices, indices, instances, materials, texels)) {
            pass.reads(graph.registerExternal(read), form.reads);
        }
        int rows = options.rows().count();
        pass.record(context -> {
            CommandList commands = context.commands();
            commands.bindPipeline(pipeline);
            BufferSlice block = context.uniforms(view);
            commands.bindBuffer("View", block.buffer(), block.offset(), PathScene.VIEW_BYTES);
            commands.bindBuffer("Vertices", vertices, 0, scene.vertices.capacity());
            commands.bindBuffer("Indices", indices, 0, scene.indices.capacity());
            commands.bindBuffer("Instances", instances, 0, scene.instances.capacity());
            commands.bindBuffer("Materials", materials, 0, scene.materials.capacity());
            commands.bindBuffer("Texels", texels, 0, scene.texels.capacity());
            commands.bindAccelerationStructure("scene", top);
            commands.bindStorageTexture("lightBefore", context.view(lit.previous()));
            commands.bindStorageTexture("lightNow", context.view(lit.current()));
            commands.bindStorageTexture("raysBefore", context.view(counted.previous()));
            commands.bindStorageTexture("raysNow", context.view(counted.current()));
            if (pipeline instanceof RayTracingPipeline rays) {
                ShaderBindingTable table = new ShaderBindingTable(
                        rays,
                        new ShaderRecord("pixel"),
                        List.of(new ShaderRecord("miss")),
                        List.of(new ShaderRecord("hit")),
                        List.of());
                BufferSlice memory = context.upload(table.bytes(), table.alignment());
                table.write(memory.data());
                commands.traceRays(table, memory.buffer(), memory.offset(), options.width(), rows, 1);
            } else {
                commands.dispatch((options.width() + GROUP - 1) / GROUP, (rows + GROUP - 1) / GROUP, 1);
            }
        });
    }

    private Pipeline queryPipeline() {
        return device.createComputePipeline(
                new ComputePipelineDescription("path trace", Shaders.load("pathtrace.comp"), null));
    }

    /** Hit and miss shaders only say what was met: the ray generation shader goes on from there. */
    private Pipeline rayPipeline() {
        return device.createRayTracingPipeline(new RayTracingPipelineDescription(
                "path trace",
                List.of(
                        new General("pixel", Shaders.load("pathtrace.rgen")),
                        new General("miss", Shaders.load("pathtrace.rmiss")),
                        new TrianglesHit("hit", Shaders.load("pathtrace.rchit"))),
                1));
    }

    private static Traced traced(ByteBuffer light, ByteBuffer counts) {
        long paths = 0;
        long shadows = 0;
        for (int at = 0; at < counts.limit(); at += 8) {
            paths += counts.getInt(at);
            shadows += counts.getInt(at + 4);
        }
        return new Traced(light, paths, shadows);
    }

    @Override
    public void close() {
        try {
            device.waitIdle();
        } catch (DeviceLostException lost) {
            // It is at work on nothing, and those that waited for its frames have been told.
        }
        while (!owned.isEmpty()) {
            owned.pop().run();
        }
    }
}
