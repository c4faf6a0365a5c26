package io.frameloom.rdg;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** A virtual device for models, with what their commands need. */
final class ModelDevice implements AutoCloseable {
    /** Width and height of the first mips. */
    static final int EXTENT = 8;

    private static final BarrierBatch.GlobalBarrier TO_HOST = new BarrierBatch.GlobalBarrier(new BarrierBatch.Scope(
            PipelineStage.ALL_COMMANDS.bit(),
            MemoryAccess.MEMORY_WRITE.bit(),
            PipelineStage.HOST.bit(),
            MemoryAccess.HOST_READ.bit()));

    final TaskGraph tasks;
    final GpuDevice gpu;
    final ModelCommands.Device commands;
    private final FrameContext context;
    private final Buffer scratch;

    ModelDevice(VirtualGpuOptions options, SubmissionObserver observer) {
        tasks = TaskGraph.builder().name("models").workers(1).build();
        tasks.start(NamedThread.RHI);
        gpu = VirtualDevices.open(
                options,
                new DeviceOptions(tasks, "models", false, observer)
                        .require(Capability.RAY_QUERIES, Capability.RAY_TRACING_PIPELINES));
        Buffer paint = gpu.createBuffer(
                "paint", BufferDescription.upload(ModelCommands.PAINT, BufferUsage.COPY_SRC, BufferUsage.STORAGE));
        byte[] bytes = new byte[ModelCommands.PAINT];
        new Random(1).nextBytes(bytes);
        paint.mapped().put(bytes);
        commands = new ModelCommands.Device(gpu, new ModelPipelines(gpu), paint);
        context = gpu.createFrameContext("models");
        scratch = gpu.createBuffer("scratch", BufferDescription.device(GraphModel.UNIT_BYTES, BufferUsage.STORAGE));
    }

    /** Records commands, executes them on the graphics queue and waits for them. */
    void run(Consumer<CommandList> body) {
        GpuQueue queue = gpu.queues().get(0);
        CommandList list = context.beginCommands(queue, "models");
        list.barrier(new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL)));
        body.accept(list);
        list.barrier(new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL, TO_HOST)));
        list.end();
        long done =
                queue.submit(new Submission("models", List.of(list), List.of())).value();
        if (!queue.timeline().await(done, Duration.ofSeconds(30))) {
            throw new AssertionError("the device does not get on");
        }
        context.reset();
    }

    Texture texture(GraphModel.Res res, String name) {
        return gpu.createTexture(name, ModelDeclaration.texture(outside(res), EXTENT));
    }

    Buffer buffer(GraphModel.Res res, String name) {
        if (res.isStructure()) {
            return gpu.createAccelerationStructure(
                    name, ModelCommands.description(res).level(), res.bytes());
        }
        return gpu.createBuffer(name, ModelDeclaration.buffer(outside(res)));
    }

    /** With all usage. */
    private static GraphModel.Res outside(GraphModel.Res res) {
        return new GraphModel.Res(
                res.name(),
                res.texture(),
                res.depth(),
                res.mips(),
                res.layers(),
                res.planes(),
                Lifetime.EXTERNAL,
                res.initial(),
                res.finalAccess(),
                res.memory(),
                res.role(),
                res.sharing());
    }

    /** Gives an external its first contents, and its layout. */
    void fill(CommandList list, GraphModel.Res res, Texture texture) {
        SubresourceRange all = SubresourceRange.all(texture.description());
        change(list, texture, all, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
        list.beginPass(
                "fill",
                List.of(new ResourceUse.OfTexture(texture, all, Access.COPY_DST, true, TextureLayout.TRANSFER_DST)));
        for (int plane = 0; plane < res.planes(); plane++) {
            for (int layer = 0; layer < res.layers(); layer++) {
                for (int mip = 0; mip < res.mips(); mip++) {
                    int number = res.name().hashCode() + mip + 10 * layer + 100 * plane;
                    list.copyBufferToTexture(
                            commands.paint(),
                            TexelLayout.tight(ModelCommands.paint(number)),
                            texture,
                            ModelCommands.region(texture, mip, layer, plane));
                }
            }
        }
        list.endPass();
        change(list, texture, all, TextureLayout.TRANSFER_DST, res.initial());
    }

    /** Gives an external its first contents. */
    void fill(CommandList list, GraphModel.Res res, Buffer buffer) {
        if (res.isStructure()) {
            list.barrier(new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL)));
            list.beginPass(
                    "build",
                    List.of(
                            new ResourceUse.OfBuffer(
                                    buffer, 0, res.bytes(), Access.ACCELERATION_STRUCTURE_BUILD_WRITE, true),
                            new ResourceUse.OfBuffer(
                                    scratch, 0, res.bytes(), Access.ACCELERATION_STRUCTURE_SCRATCH, true)));
            list.buildAccelerationStructure(
                    commands.build(res, (AccelerationStructure) buffer, scratch, null, List.of()));
            list.endPass();
            return;
        }
        long from = ModelCommands.paint(res.name().hashCode());
        list.beginPass("fill", List.of(new ResourceUse.OfBuffer(buffer, 0, res.bytes(), Access.COPY_DST, true)));
        list.copyBuffer(commands.paint(), from, buffer, 0, res.bytes());
        list.endPass();
    }

    /** Changes a layout between everything before and everything behind. */
    static void change(
            CommandList list, Texture texture, SubresourceRange range, TextureLayout from, TextureLayout to) {
        BarrierBatch.Scope all = new BarrierBatch.Scope(
                PipelineStage.ALL_COMMANDS.bit(),
                MemoryAccess.MEMORY_WRITE.bit(),
                PipelineStage.ALL_COMMANDS.bit(),
                MemoryAccess.MEMORY_READ.bit() | MemoryAccess.MEMORY_WRITE.bit());
        list.barrier(new BarrierBatch(
                List.of(new BarrierBatch.TextureBarrier(texture, range, all, from, to, null)),
                List.of(),
                List.of(BarrierBatch.GlobalBarrier.FULL)));
    }

    /** Returns the bytes of a mapped buffer. */
    static byte[] bytes(Buffer buffer) {
        ByteBuffer mapped = buffer.mapped();
        byte[] bytes = new byte[mapped.remaining()];
        mapped.get(bytes);
        return bytes;
    }

    @Override
    public void close() {
        commands.pipelines().close();
        commands.paint().close();
        scratch.close();
        context.close();
        gpu.close();
        tasks.close();
    }
}
