package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskGraphBuilder;

/** A task graph with a running RHI thread, a fake device and an executor. */
final class FakeRig implements AutoCloseable {
    static final BufferDescription BUFFER =
            BufferDescription.device(1024, BufferUsage.STORAGE, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);
    static final ClearColor CLEAR = ClearColor.BLACK_TRANSPARENT;
    static final TextureDescription TARGET = TextureDescription.of(
            64, 32, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC, TextureUsage.SAMPLED);

    final TaskGraph tasks;
    final FakeDevice device;
    final FrameExecutor executor;

    FakeRig(int workers, FrameExecutorOptions options, QueueKind... queues) {
        this(tasks(workers, options), options, queues);
    }

    private static TaskGraph tasks(int workers, FrameExecutorOptions options) {
        TaskGraphBuilder graph = TaskGraph.builder().name("rig").workers(workers);
        return options.trace() == null
                ? graph.build()
                : graph.observer(options.trace()).build();
    }

    /** Closes the task graph, too. */
    FakeRig(TaskGraph tasks, FrameExecutorOptions options, QueueKind... queues) {
        this.tasks = tasks;
        tasks.start(NamedThread.RHI);
        device = new FakeDevice(tasks, queues);
        executor = new FrameExecutor(device, tasks, options);
    }

    static FakeRig graphics() {
        return new FakeRig(2, FrameExecutorOptions.defaults(), QueueKind.GRAPHICS);
    }

    static FakeRig graphicsAndCompute() {
        return new FakeRig(2, FrameExecutorOptions.defaults(), QueueKind.GRAPHICS, QueueKind.COMPUTE);
    }

    /** Compiles with a recording group for each pass. */
    FramePlan compile(RenderGraph graph) {
        return compile(graph, RdgOptions.defaults().withPassLimits(1, 1));
    }

    FramePlan compile(RenderGraph graph, RdgOptions options) {
        return new RenderGraphCompiler(options).compile(graph, QueueTopology.of(device), MemorySizer.of(device));
    }

    /** A raster pass into a transient, and a copy of it into a readback buffer of the application. */
    FramePlan rasterAndCopy(Buffer result) {
        RenderGraph graph = new RenderGraph("picture");
        RdgTexture target = graph.createTexture("target", FakeRig.TARGET);
        RdgBuffer out = graph.registerExternal(result);
        graph.addPass("draw", PassKind.RASTER)
                .color(target, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {
                    assertThat(context.width()).isEqualTo(64);
                    assertThat(context.height()).isEqualTo(32);
                    context.commands().draw(3, 1, 0, 0);
                });
        graph.addPass("read back", PassKind.COPY)
                .reads(target, Access.COPY_SRC)
                .overwrites(out, Access.COPY_DST)
                .flag(PassFlag.READBACK)
                .record(context ->
                        context.commands().copyTextureToBuffer(context.texture(target), 0, 0, context.buffer(out), 0));
        return compile(graph);
    }

    Buffer readback() {
        return device.createBuffer("result", BufferDescription.readback(64 * 32 * 4));
    }

    @Override
    public void close() {
        executor.close();
        tasks.close();
    }
}
