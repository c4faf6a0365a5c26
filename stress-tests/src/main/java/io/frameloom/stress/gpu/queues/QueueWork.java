package io.frameloom.stress.gpu.queues;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Work that any queue can do on words: by a shader where the queue computes, by a copy where it only copies. */
final class QueueWork implements AutoCloseable {
    /** Words of every buffer. */
    static final int WORDS = 4096;

    static final long BYTES = 4L * WORDS;
    private static final int GROUP = 64;

    private static final ShaderSource STEP = new ShaderSource("step.comp", ShaderStage.COMPUTE, """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
            layout(set = 0, binding = 1) buffer Target { uint target[]; };
            layout(push_constant) uniform Push { uint number; };
            void main() {
                uint i = gl_GlobalInvocationID.x;
                target[i] = source[i] * 3 + number;
            }
            """);

    private final ComputePipeline step;

    QueueWork(GpuDevice device) {
        step = device.createComputePipeline(new ComputePipelineDescription("step", STEP, QueueWork::step));
    }

    private static void step(CpuKernel.Invocation invocation) {
        ByteBuffer source = invocation.bytes("Source");
        ByteBuffer target = invocation.bytes("Target");
        int number = invocation.pushConstants().getInt(0);
        for (int i = 0; i < invocation.groupsX() * GROUP; i++) {
            target.putInt(4 * i, source.getInt(4 * i) * 3 + number);
        }
    }

    static boolean computes(GpuQueue queue) {
        return queue.kind().supports(QueueKind.COMPUTE);
    }

    /** Returns the one stage in which {@link #step} works on a queue. */
    static PipelineStage stage(GpuQueue queue) {
        return computes(queue) ? PipelineStage.COMPUTE_SHADER : PipelineStage.COPY;
    }

    /** Returns the access by which {@link #step} reads. */
    static Access reads(GpuQueue queue) {
        return computes(queue) ? Access.STORAGE_READ_COMPUTE : Access.COPY_SRC;
    }

    /** Returns the access by which {@link #step} writes. */
    static Access writes(GpuQueue queue) {
        return computes(queue) ? Access.STORAGE_WRITE_COMPUTE : Access.COPY_DST;
    }

    /** Returns what {@link #step} makes of a word. */
    static int stepped(GpuQueue queue, int word, int number) {
        return computes(queue) ? word * 3 + number : word;
    }

    /** Records a pass that writes all of {@code target} from {@code source}, which is another buffer. */
    void step(CommandList list, Buffer source, Buffer target, int number) {
        GpuQueue queue = list.queue();
        list.beginPass("step", List.of(use(source, reads(queue), false), use(target, writes(queue), true)));
        if (computes(queue)) {
            ByteBuffer push = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder());
            push.putInt(0, number);
            list.bindPipeline(step);
            list.bindBuffer("Source", source, 0, BYTES);
            list.bindBuffer("Target", target, 0, BYTES);
            list.pushConstants(push);
            list.dispatch(WORDS / GROUP, 1, 1);
        } else {
            list.copyBuffer(source, 0, target, 0, BYTES);
        }
        list.endPass();
    }

    /** Records a pass that fills a buffer. */
    static void fill(CommandList list, Buffer buffer, int word) {
        list.beginPass("fill", List.of(use(buffer, Access.COPY_DST, true)));
        list.fillBuffer(buffer, 0, BYTES, word);
        list.endPass();
    }

    /** Records the copy of a buffer to one that the host reads when it has waited for the submission. */
    static void readBack(CommandList list, Buffer source, Buffer target) {
        list.beginPass("read back", List.of(use(source, Access.COPY_SRC, false), use(target, Access.COPY_DST, true)));
        list.copyBuffer(source, 0, target, 0, BYTES);
        list.endPass();
        list.barrier(global(
                PipelineStage.COPY.bit(),
                MemoryAccess.COPY_WRITE.bit(),
                PipelineStage.HOST.bit(),
                MemoryAccess.HOST_READ.bit()));
        list.beginPass("host", List.of(use(target, Access.HOST_READ, false)));
        list.endPass();
    }

    static BarrierBatch global(int fromStages, int written, int toStages, int accesses) {
        return new BarrierBatch(
                List.of(),
                List.of(),
                List.of(new BarrierBatch.GlobalBarrier(
                        new BarrierBatch.Scope(fromStages, written, toStages, accesses))));
    }

    static ResourceUse use(Buffer buffer, Access access, boolean discard) {
        return new ResourceUse.OfBuffer(buffer, 0, BYTES, access, discard);
    }

    static Buffer readback(GpuDevice device, String name) {
        return device.createBuffer(name, BufferDescription.readback(BYTES));
    }

    /** Returns what is wrong with words that should all be the same, nothing if all are right. */
    static List<String> compare(String what, Buffer readback, int expected) {
        var words = readback.mapped().asIntBuffer();
        for (int i = 0; i < WORDS; i++) {
            if (words.get(i) != expected) {
                return List.of("%s: word %d is 0x%08x instead of 0x%08x".formatted(what, i, words.get(i), expected));
            }
        }
        return List.of();
    }

    @Override
    public void close() {
        step.close();
    }
}
