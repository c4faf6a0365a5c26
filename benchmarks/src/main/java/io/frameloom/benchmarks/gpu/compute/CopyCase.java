package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.function.IntSupplier;

/** A copy of words from one buffer to another: what the memory of the device can do, and so the roof of everything. */
final class CopyCase extends DeviceCase {
    private static final int THREADS = 256;
    private static final int WORDS_PER_THREAD = 4;
    /** Enough to fill any device; each thread copies many vectors then. */
    private static final int STRIDING_GROUPS = 132 * 16;

    private static final String SHADER = """
            #version 450
            layout(local_size_x = 256) in;
            layout(set = 0, binding = 0) readonly buffer CopyInput { uvec4 source[]; };
            layout(set = 0, binding = 1) writeonly buffer CopyOutput { uvec4 destination[]; };
            layout(push_constant) uniform Push { uint vectors; uint stride; };
            void main() {
                uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
                for (uint i = group * 256u + gl_LocalInvocationID.x; i < vectors; i += stride) {
                    destination[i] = source[i];
                }
            }
            """;

    /** Ways to copy. */
    enum Way {
        COMMAND("vkCmdCopyBuffer"),
        STRIDING("dispatch, many vectors per thread"),
        ONCE("dispatch, one vector per thread");

        private final String title;

        Way(String title) {
            this.title = title;
        }
    }

    private final Way way;
    private final BufferRange input;
    private final BufferRange output;
    private final ComputePipeline pipeline;

    /** @param words number of words, a multiple of four */
    CopyCase(Workbench bench, Way way, long words) {
        super(bench, subject(way), words);
        this.way = way;
        input = range("input", words * Integer.BYTES);
        output = range("output", words * Integer.BYTES);
        pipeline = bench.own(bench.device.createComputePipeline(new ComputePipelineDescription(
                "copy", new ShaderSource("copy.comp", ShaderStage.COMPUTE, SHADER, Map.of()), null)));
    }

    static Subject subject(Way way) {
        return new Subject("copy", "u32", way.title, "random");
    }

    @Override
    long bytes() {
        return 2 * length * Integer.BYTES;
    }

    @Override
    void record(CommandList list) {
        if (way == Way.COMMAND) {
            list.copyBuffer(input.buffer(), 0, output.buffer(), 0, length * Integer.BYTES);
            return;
        }
        long vectors = length / WORDS_PER_THREAD;
        long needed = (vectors + THREADS - 1) / THREADS;
        long groups = way == Way.ONCE ? needed : Math.min(needed, STRIDING_GROUPS);
        DeviceLimits.Groups most =
                bench.device.capabilities().limits().compute().maxGroups();
        int x = (int) Math.min(groups, most.x());
        int y = (int) ((groups + x - 1) / x);
        ByteBuffer push = ByteBuffer.allocate(2 * Integer.BYTES).order(ByteOrder.nativeOrder());
        push.putInt(0, (int) vectors).putInt(Integer.BYTES, x * y * THREADS);
        list.bindPipeline(pipeline);
        list.bindBuffer("CopyInput", input.buffer(), 0, length * Integer.BYTES);
        list.bindBuffer("CopyOutput", output.buffer(), 0, length * Integer.BYTES);
        list.pushConstants(push);
        list.dispatch(x, y, 1);
    }

    @Override
    String check() {
        bench.fill(input.buffer(), length, Inputs::random);
        bench.poison(output.buffer());
        bench.execute(this::record);
        return compare("copy", output.buffer(), length, new IntSupplier() {
            private long index;

            @Override
            public int getAsInt() {
                return Inputs.random(index++);
            }
        });
    }
}
