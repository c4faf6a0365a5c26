package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A small integer kernel in three forms: GLSL for drivers, a CPU kernel for the virtual GPU, and the serial model. */
final class MixKernel {
    /** Words in every buffer. */
    static final int WORDS = 256;

    /** Bytes in every buffer. */
    static final long BYTES = WORDS * 4L;

    private static final String GLSL = """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0, std430) readonly buffer A { uint a[]; };
            layout(set = 0, binding = 1, std430) readonly buffer B { uint b[]; };
            layout(set = 0, binding = 2, std430) buffer Result { uint r[]; };
            layout(push_constant) uniform Push { uint salt; };
            void main() {
                uint i = gl_GlobalInvocationID.x;
                r[i] = a[i] * 31u + b[i] * 17u + salt + i;
            }
            """;

    private static final CpuKernel KERNEL = invocation -> {
        ByteBuffer a = invocation.bytes("A").order(ByteOrder.nativeOrder());
        ByteBuffer b = invocation.bytes("B").order(ByteOrder.nativeOrder());
        ByteBuffer result = invocation.bytes("Result").order(ByteOrder.nativeOrder());
        int salt = invocation.pushConstants().order(ByteOrder.nativeOrder()).getInt(0);
        for (int i = 0; i < WORDS; i++) {
            result.putInt(4 * i, mix(a.getInt(4 * i), b.getInt(4 * i), salt, i));
        }
    };

    private MixKernel() {}

    static ComputePipeline create(GpuDevice device) {
        return device.createComputePipeline(
                new ComputePipelineDescription("mix", new ShaderSource("mix.comp", ShaderStage.COMPUTE, GLSL), KERNEL));
    }

    static void dispatch(CommandList commands, ComputePipeline pipeline, Buffer a, Buffer b, Buffer result, int salt) {
        dispatch(commands, pipeline, a, b, result, 0, salt);
    }

    /** Writes the result at an offset. */
    static void dispatch(
            CommandList commands, ComputePipeline pipeline, Buffer a, Buffer b, Buffer result, long offset, int salt) {
        bind(commands, pipeline, a, b, result, offset, salt);
        commands.dispatch(WORDS / 64, 1, 1);
    }

    /** Binds everything that a dispatch takes. */
    static void bind(
            CommandList commands, ComputePipeline pipeline, Buffer a, Buffer b, Buffer result, long offset, int salt) {
        commands.bindPipeline(pipeline);
        commands.bindBuffer("A", a, 0, BYTES);
        commands.bindBuffer("B", b, 0, BYTES);
        commands.bindBuffer("Result", result, offset, BYTES);
        ByteBuffer push = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder());
        push.putInt(0, salt);
        commands.pushConstants(push);
    }

    static int mix(int a, int b, int salt, int i) {
        return a * 31 + b * 17 + salt + i;
    }

    static int[] mix(int[] a, int[] b, int salt) {
        int[] result = new int[WORDS];
        for (int i = 0; i < WORDS; i++) {
            result[i] = mix(a[i], b[i], salt, i);
        }
        return result;
    }
}
