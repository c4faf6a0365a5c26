package io.frameloom.gpu.virtual;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
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
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.virtual.device.SimulatedDevice;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A virtual device with what its tests need again and again. */
public final class VirtualRig implements AutoCloseable {
    /** Shared by all devices of this JVM: compiling takes longer than everything else. */
    private static final ShaderCompiler SHADERS = new ShaderCompiler();

    public static final Duration LONG = Duration.ofSeconds(30);

    private static final String SCALE = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) readonly buffer Source { int source[]; };
            layout(set = 0, binding = 1) buffer Target { int target[]; };
            layout(push_constant) uniform Push { int factor; };
            void main() {
                uint i = gl_GlobalInvocationID.x;
                target[i] = target[i] + source[i] * factor;
            }
            """;

    final TaskGraph tasks = TaskGraph.builder().name("test").workers(1).build();
    final SimulatedDevice device;
    final FrameContext frame;
    private final List<Runnable> open = new ArrayList<>();
    private @Nullable ComputePipeline scale;

    public VirtualRig(int queues, long seed, @Nullable SubmissionObserver observer) {
        this(new VirtualGpuOptions(queues, seed), observer);
    }

    public VirtualRig(VirtualGpuOptions options, @Nullable SubmissionObserver observer) {
        this(options, observer, Long.MAX_VALUE);
    }

    VirtualRig(VirtualGpuOptions options, @Nullable SubmissionObserver observer, long memoryLimit) {
        device = SimulatedDevice.open(options, options(tasks, observer).withMemoryLimit(memoryLimit), SHADERS);
        frame = device.createFrameContext("frame");
    }

    private static DeviceOptions options(TaskGraph tasks, @Nullable SubmissionObserver observer) {
        DeviceOptions plain = new DeviceOptions(tasks, "test", false, null).prefer(Capability.DESCRIPTOR_INDEXING);
        return observer == null ? plain : plain.withObserver(observer);
    }

    public GpuQueue queue(int index) {
        return device.queues().get(index);
    }

    public Buffer buffer(String name, int words) {
        return keep(device.createBuffer(
                name,
                BufferDescription.device(words * 4L, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST)));
    }

    public Buffer readback(String name, long bytes) {
        return keep(device.createBuffer(name, BufferDescription.readback(bytes)));
    }

    /** target[i] += source[i] * factor. */
    ComputePipeline scale() {
        if (scale == null) {
            scale = pipeline("scale", SCALE, invocation -> {
                ByteBuffer source = invocation.bytes("Source");
                ByteBuffer target = invocation.bytes("Target");
                int factor = invocation.pushConstants().getInt(0);
                for (int i = 0; i < invocation.groupsX(); i++) {
                    target.putInt(i * 4, target.getInt(i * 4) + source.getInt(i * 4) * factor);
                }
            });
        }
        return scale;
    }

    ComputePipeline pipeline(String name, String glsl, @Nullable CpuKernel kernel) {
        return keep(device.createComputePipeline(new ComputePipelineDescription(
                name, new ShaderSource(name + ".comp", ShaderStage.COMPUTE, glsl), kernel)));
    }

    void scalePass(CommandList list, String pass, Buffer source, Buffer target, int words, int factor) {
        list.beginPass(
                pass,
                List.of(
                        use(source, Access.STORAGE_READ_COMPUTE, false),
                        use(target, Access.STORAGE_READ_WRITE_COMPUTE, false)));
        list.bindPipeline(scale());
        list.bindBuffer("Source", source, 0, words * 4L);
        list.bindBuffer("Target", target, 0, words * 4L);
        ByteBuffer push = ByteBuffer.allocate(4).order(java.nio.ByteOrder.nativeOrder());
        list.pushConstants(push.putInt(factor).flip());
        list.dispatch(words, 1, 1);
        list.endPass();
    }

    void fillPass(CommandList list, String pass, Buffer target, int word) {
        list.beginPass(pass, List.of(use(target, Access.COPY_DST, true)));
        list.fillBuffer(target, 0, target.description().bytes(), word);
        list.endPass();
    }

    void copyPass(CommandList list, String pass, Buffer source, Buffer target) {
        list.beginPass(pass, List.of(use(source, Access.COPY_SRC, false), use(target, Access.COPY_DST, true)));
        list.copyBuffer(source, 0, target, 0, target.description().bytes());
        list.endPass();
    }

    static ResourceUse use(Buffer buffer, Access access, boolean discard) {
        return new ResourceUse.OfBuffer(buffer, 0, buffer.description().bytes(), access, discard);
    }

    public static BarrierBatch full() {
        return new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));
    }

    static BarrierBatch toHost() {
        return new BarrierBatch(
                List.of(),
                List.of(),
                List.of(new BarrierBatch.GlobalBarrier(new BarrierBatch.Scope(
                        PipelineStage.COPY.bit(),
                        MemoryAccess.COPY_WRITE.bit(),
                        PipelineStage.HOST.bit(),
                        MemoryAccess.HOST_READ.bit()))));
    }

    public TimelinePoint submit(GpuQueue queue, List<Submission.Wait> waits, Consumer<CommandList> recording) {
        CommandList list = frame.beginCommands(queue, "list");
        recording.accept(list);
        list.end();
        return queue.submit(new Submission("submission", List.of(list), waits));
    }

    static Submission.Wait wait(TimelinePoint point) {
        return new Submission.Wait(point, PipelineStage.ALL_COMMANDS.bit());
    }

    public void await(TimelinePoint point) {
        if (!point.queue().timeline().await(point.value(), LONG)) {
            throw new AssertionError(point + " was not reached");
        }
    }

    public int[] words(Buffer readback) {
        ByteBuffer data = readback.mapped();
        int[] words = new int[data.remaining() / 4];
        for (int i = 0; i < words.length; i++) {
            words[i] = data.getInt(i * 4);
        }
        return words;
    }

    <T extends Resource> T keep(T thing) {
        open.add(thing::close);
        return thing;
    }

    <T extends Pipeline> T keep(T thing) {
        open.add(thing::close);
        return thing;
    }

    BindlessTable keep(BindlessTable table) {
        open.add(table::close);
        return table;
    }

    MemoryHeap keep(MemoryHeap heap) {
        open.add(heap::close);
        return heap;
    }

    TimestampSet keep(TimestampSet set) {
        open.add(set::close);
        return set;
    }

    @Override
    public void close() {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).run();
        }
        device.queuing().finishPending();
        frame.close();
        device.close();
        tasks.close();
    }
}
