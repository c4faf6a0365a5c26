package io.frameloom.benchmarks.gpu.queues;

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
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;

/**
 * Sixteen chains of small dispatches, each of which has to follow the one before it in its chain. On one queue a barrier
 * between two dispatches of a chain holds back all that comes later, so the chains run one after the other; on more queues
 * they may run side by side. What the last dispatches leave is compared with what it should be.
 */
final class QueueOverlap implements AutoCloseable {
    static final int CHAINS = 16;
    private static final int LINKS = 16;
    private static final int GROUPS = 8;
    private static final int WORDS = 64 * GROUPS;
    private static final long BYTES = 4L * WORDS;
    private static final Duration LONG = Duration.ofSeconds(60);

    private static final ShaderSource LINK = new ShaderSource("link.comp", ShaderStage.COMPUTE, """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) buffer Words { uint words[]; };
            layout(push_constant) uniform Push { uint turns; };
            void main() {
                uint word = words[gl_GlobalInvocationID.x];
                for (uint i = 0; i < turns; i++) {
                    word = word * 1664525u + 1013904223u;
                }
                words[gl_GlobalInvocationID.x] = word;
            }
            """);

    private final ExecutorService pool;
    private final int rounds;
    private final int turns;
    private final ComputePipeline link;
    private final FrameContext context;
    private final List<Buffer> chains = new ArrayList<>();
    private final Buffer readback;
    private final ByteBuffer push = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder());

    /**
     * Makes chains.
     *
     * @param turns rounds of the loop in a dispatch, which is how long it takes
     */
    QueueOverlap(GpuDevice device, ExecutorService pool, int rounds, int turns) {
        this.pool = pool;
        this.rounds = rounds;
        this.turns = turns;
        push.putInt(0, turns);
        link = device.createComputePipeline(new ComputePipelineDescription("link", LINK, null));
        context = device.createFrameContext("overlap");
        for (int i = 0; i < CHAINS; i++) {
            chains.add(device.createBuffer(
                    "chain " + i,
                    BufferDescription.device(BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST)));
        }
        readback = device.createBuffer("ends of chains", BufferDescription.readback(BYTES * CHAINS));
    }

    /** Runs all chains on some queues, as many on each; the samples are from the first submission to the last end. */
    QueueRow measure(List<GpuQueue> queues) {
        long[] samples = new long[rounds];
        for (int round = -1; round < rounds; round++) {
            long nanos = round(queues);
            if (round >= 0) {
                samples[round] = nanos;
            }
        }
        check(queues.get(0));
        Arrays.sort(samples);
        double median = QueueBench.micros(samples, 0.5);
        return new QueueRow(
                "overlap",
                QueueBench.name(queues.get(0).kind()),
                queues.size(),
                CHAINS / (median / 1e6),
                median,
                QueueBench.micros(samples, 0.99),
                1);
    }

    private long round(List<GpuQueue> queues) {
        List<CommandList> lists = new ArrayList<>();
        for (int queue = 0; queue < queues.size(); queue++) {
            CommandList list = context.beginCommands(queues.get(queue), "chains");
            for (int chain = queue; chain < CHAINS; chain += queues.size()) {
                record(list, chains.get(chain));
            }
            list.end();
            lists.add(list);
        }
        long nanos = Crowd.run(pool, queues.size(), number -> {
            GpuQueue queue = queues.get(number);
            long value = queue.submit(new Submission("chains", List.of(lists.get(number)), List.of()))
                    .value();
            await(queue, value);
        });
        context.reset();
        return nanos;
    }

    private void record(CommandList list, Buffer words) {
        list.beginPass("begin", List.of(new ResourceUse.OfBuffer(words, 0, BYTES, Access.COPY_DST, true)));
        list.fillBuffer(words, 0, BYTES, 1);
        list.endPass();
        list.barrier(
                barrier(PipelineStage.COPY, MemoryAccess.COPY_WRITE.bit(), PipelineStage.COMPUTE_SHADER, accesses()));
        list.bindPipeline(link);
        list.bindBuffer("Words", words, 0, BYTES);
        for (int i = 0; i < LINKS; i++) {
            list.beginPass(
                    "link",
                    List.of(new ResourceUse.OfBuffer(words, 0, BYTES, Access.STORAGE_READ_WRITE_COMPUTE, false)));
            list.pushConstants(push);
            list.dispatch(GROUPS, 1, 1);
            list.endPass();
            list.barrier(barrier(
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.writesOf(accesses()),
                    PipelineStage.COMPUTE_SHADER,
                    accesses()));
        }
    }

    private static int accesses() {
        return Access.STORAGE_READ_WRITE_COMPUTE.memoryAccess();
    }

    private static BarrierBatch barrier(PipelineStage from, int written, PipelineStage to, int accesses) {
        return new BarrierBatch(
                List.of(),
                List.of(),
                List.of(new BarrierBatch.GlobalBarrier(
                        new BarrierBatch.Scope(from.bit(), written, to.bit(), accesses))));
    }

    /** Reads the chains back, which the host has waited for. */
    private void check(GpuQueue queue) {
        CommandList list = context.beginCommands(queue, "ends of chains");
        for (int chain = 0; chain < CHAINS; chain++) {
            list.beginPass(
                    "read back",
                    List.of(
                            new ResourceUse.OfBuffer(chains.get(chain), 0, BYTES, Access.COPY_SRC, false),
                            new ResourceUse.OfBuffer(readback, chain * BYTES, BYTES, Access.COPY_DST, true)));
            list.copyBuffer(chains.get(chain), 0, readback, chain * BYTES, BYTES);
            list.endPass();
        }
        list.barrier(barrier(
                PipelineStage.COPY, MemoryAccess.COPY_WRITE.bit(), PipelineStage.HOST, MemoryAccess.HOST_READ.bit()));
        list.end();
        await(
                queue,
                queue.submit(new Submission("ends of chains", List.of(list), List.of()))
                        .value());
        context.reset();
        int expected = 1;
        for (int i = 0; i < LINKS * turns; i++) {
            expected = expected * 1664525 + 1013904223;
        }
        var words = readback.mapped().asIntBuffer();
        for (int i = 0; i < WORDS * CHAINS; i++) {
            if (words.get(i) != expected) {
                throw new GpuException("word " + i % WORDS + " of chain " + i / WORDS + " is 0x"
                        + Integer.toHexString(words.get(i)) + " instead of 0x" + Integer.toHexString(expected));
            }
        }
    }

    private static void await(GpuQueue queue, long value) {
        if (!queue.timeline().await(value, LONG)) {
            throw new GpuException("queue '" + queue.name() + "' did not finish within " + LONG);
        }
    }

    @Override
    public void close() {
        chains.forEach(Buffer::close);
        readback.close();
        link.close();
        context.close();
    }
}
