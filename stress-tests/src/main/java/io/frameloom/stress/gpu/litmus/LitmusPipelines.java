package io.frameloom.stress.gpu.litmus;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Shaders that store a word or load words, after a while. The index depends on the result of the delay, so that no compiler
 * and no processor can access memory before it.
 */
final class LitmusPipelines implements AutoCloseable {
    /** Words that a workgroup handles. */
    static final int GROUP = 64;

    private static final String DELAYED_INDEX = """
            layout(push_constant) uniform Push { uint first; uint count; uint delay; uint zero; uint word; };
            uint delayedIndex() {
                uint x = gl_GlobalInvocationID.x;
                for (uint i = 0; i < delay; i++) {
                    x = x * 1664525u + 1013904223u;
                }
                return first + gl_GlobalInvocationID.x + (x & zero);
            }
            """;

    private static final ShaderSource STORE =
            new ShaderSource("store.comp", ShaderStage.COMPUTE, """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) writeonly buffer Target { uint target[]; };
            """ + DELAYED_INDEX + """
            void main() {
                uint i = delayedIndex();
                if (gl_GlobalInvocationID.x < count) { target[i] = word; }
            }
            """);

    private static final ShaderSource LOAD =
            new ShaderSource("load.comp", ShaderStage.COMPUTE, """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
            layout(set = 0, binding = 1) writeonly buffer Target { uint target[]; };
            """ + DELAYED_INDEX + """
            void main() {
                uint i = delayedIndex();
                if (gl_GlobalInvocationID.x < count) { target[i] = source[i]; }
            }
            """);

    private final ComputePipeline store;
    private final ComputePipeline load;
    private final ByteBuffer push = ByteBuffer.allocateDirect(20).order(ByteOrder.nativeOrder());

    LitmusPipelines(GpuDevice device) {
        store = device.createComputePipeline(
                new ComputePipelineDescription("litmus store", STORE, LitmusPipelines::store));
        load = device.createComputePipeline(new ComputePipelineDescription("litmus load", LOAD, LitmusPipelines::load));
    }

    ComputePipeline store() {
        return store;
    }

    ComputePipeline load() {
        return load;
    }

    /** Returns the push constants of either shader, valid until the next call. */
    ByteBuffer push(int first, int count, int delay, int word) {
        return push.clear()
                .putInt(first)
                .putInt(count)
                .putInt(delay)
                .putInt(0)
                .putInt(word)
                .flip();
    }

    private static void store(CpuKernel.Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        ByteBuffer target = invocation.bytes("Target");
        for (int i = push.getInt(0); i < push.getInt(0) + push.getInt(4); i++) {
            target.putInt(4 * i, push.getInt(16));
        }
    }

    private static void load(CpuKernel.Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        ByteBuffer source = invocation.bytes("Source");
        ByteBuffer target = invocation.bytes("Target");
        for (int i = push.getInt(0); i < push.getInt(0) + push.getInt(4); i++) {
            target.putInt(4 * i, source.getInt(4 * i));
        }
    }

    @Override
    public void close() {
        store.close();
        load.close();
    }
}
