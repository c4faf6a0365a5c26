package io.frameloom.benchmarks.gpu.frame;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Frames of a render graph that is declared each time, as an application would. */
final class GraphFrames implements Frames {
    private static final int FRAMES_IN_FLIGHT = 2;
    private static final TextureDescription TARGET = TextureDescription.of(
            FrameShape.EXTENT,
            FrameShape.EXTENT,
            Format.R8G8B8A8_UNORM,
            TextureUsage.COLOR_ATTACHMENT,
            TextureUsage.SAMPLED,
            TextureUsage.STORAGE);

    private final String name;
    private final FrameShape shape;
    private final QueueTopology queues;
    private final MemorySizer sizer;
    private final RdgOptions options;
    private final RenderGraphCompiler compiler;
    private final FrameExecutor executor;
    private final GraphicsPipeline first;
    private final GraphicsPipeline draw;
    private final ComputePipeline compute;
    private final Sampler sampler;
    private final String[] names;
    /** Whether each frame is declared into the graph of the one before. */
    private final boolean again;

    private final PassBody[] bodies;
    /** Of the frame that was declared last, which is recorded before the next one is declared. */
    private final RdgTexture[] targets;

    private RenderGraph graph;
    private final ThreadLocal<ByteBuffer> push =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(FrameShape.PUSH_BYTES));
    private final @Nullable FrameHandle[] handles = new @Nullable FrameHandle[FRAMES_IN_FLIGHT];
    private int next;

    /**
     * @param recording who records and submits; without serial recording each pass is a task of the workers of {@code tasks}
     * @param again whether each frame is declared into the graph of the one before; otherwise into a new one
     */
    GraphFrames(
            String name,
            FrameShape shape,
            GpuDevice device,
            TaskGraph tasks,
            FrameExecutorOptions recording,
            boolean again) {
        this.name = name;
        this.shape = shape;
        this.again = again;
        queues = QueueTopology.of(device);
        sizer = MemorySizer.of(device);
        options = recording.serialRecording()
                ? RdgOptions.defaults()
                : RdgOptions.defaults().withPassLimits(1, 1);
        compiler = new RenderGraphCompiler(options);
        first = pipeline(device, "first", FrameShape.FIRST_FRAGMENT);
        draw = pipeline(device, "draw", FrameShape.FRAGMENT);
        compute = device.createComputePipeline(new ComputePipelineDescription(
                "compute", new ShaderSource("frame.comp", ShaderStage.COMPUTE, FrameShape.COMPUTE), null));
        sampler = device.sampler(SamplerDescription.LINEAR_REPEAT);
        names = new String[shape.passes()];
        for (int pass = 0; pass < names.length; pass++) {
            names[pass] = "pass " + pass;
        }
        targets = new RdgTexture[shape.passes()];
        bodies = new PassBody[shape.passes()];
        for (int pass = 0; pass < bodies.length; pass++) {
            int index = pass;
            bodies[pass] =
                    shape.computes(pass) ? context -> dispatches(context, index) : context -> draws(context, index);
        }
        graph = new RenderGraph("frame", options);
        executor = new FrameExecutor(
                device, tasks, recording.withFramesInFlight(FRAMES_IN_FLIGHT).withCollectTimestamps(false));
    }

    private static GraphicsPipeline pipeline(GpuDevice device, String name, String fragment) {
        return device.createGraphicsPipeline(new GraphicsPipelineDescription(
                name,
                new ShaderSource(name + ".vert", ShaderStage.VERTEX, FrameShape.VERTEX),
                new ShaderSource(name + ".frag", ShaderStage.FRAGMENT, fragment),
                List.of(),
                GraphicsPipelineDescription.CullMode.NONE,
                null,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(Format.R8G8B8A8_UNORM),
                null));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void frame(FrameSteps.Samples samples) {
        FrameHandle before = handles[next];
        if (before != null) {
            before.completed().await();
        }
        long begun = System.nanoTime();
        graph = again ? graph.reset() : new RenderGraph("frame", options);
        declare();
        long declared = System.nanoTime();
        FramePlan plan = compiler.compile(graph, queues, sizer);
        long planned = System.nanoTime();
        FrameHandle handle = executor.execute(plan);
        long launched = System.nanoTime();
        handle.recorded().await();
        samples.add(begun, declared, planned, launched, System.nanoTime());
        handles[next] = handle;
        next = (next + 1) % FRAMES_IN_FLIGHT;
    }

    private void declare() {
        for (int p = 0; p < targets.length; p++) {
            RdgTexture target = graph.createTexture(names[p], TARGET);
            targets[p] = target;
            RdgTexture near = p == 0 ? target : targets[shape.near(p)];
            RdgTexture far = p == 0 ? target : targets[shape.far(p)];
            PassBuilder builder = graph.addPass(names[p], shape.computes(p) ? PassKind.COMPUTE : PassKind.RASTER);
            if (p > 0) {
                Access access = shape.computes(p) ? Access.SAMPLED_COMPUTE : Access.SAMPLED_FRAGMENT;
                builder.reads(near, access);
                if (far != near) {
                    builder.reads(far, access);
                }
            }
            if (p == targets.length - 1) {
                builder.flag(PassFlag.NEVER_CULL);
            }
            if (shape.computes(p)) {
                builder.overwrites(target, Access.STORAGE_WRITE_COMPUTE);
            } else {
                builder.color(target, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT);
            }
            builder.record(bodies[p]);
        }
    }

    private void draws(PassContext context, int pass) {
        CommandList list = context.commands();
        list.bindPipeline(pass == 0 ? first : draw);
        if (pass > 0) {
            bindSources(context, pass);
        }
        ByteBuffer constants = push.get();
        for (int i = 0; i < shape.commands(); i++) {
            list.pushConstants(constants);
            list.draw(3, 1, 0, 0);
        }
    }

    private void bindSources(PassContext context, int pass) {
        CommandList list = context.commands();
        list.bindTexture("near", context.view(targets[shape.near(pass)]), sampler);
        list.bindTexture("far", context.view(targets[shape.far(pass)]), sampler);
    }

    private void dispatches(PassContext context, int pass) {
        CommandList list = context.commands();
        list.bindPipeline(compute);
        bindSources(context, pass);
        list.bindStorageTexture("result", context.view(targets[pass]));
        ByteBuffer constants = push.get();
        for (int i = 0; i < shape.commands(); i++) {
            list.pushConstants(constants);
            list.dispatch(1, 1, 1);
        }
    }

    @Override
    public void finish() {
        for (FrameHandle handle : handles) {
            if (handle != null) {
                handle.completed().await();
            }
        }
    }

    @Override
    public void close() {
        finish();
        executor.close();
        compute.close();
        draw.close();
        first.close();
    }
}
