package io.frameloom.stress.gpu.frames;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.stress.gpu.frames.GraphShape.Box;
import io.frameloom.stress.gpu.frames.GraphShape.Chunks;
import java.nio.ByteBuffer;

/** The shaders of random graphs, each in GLSL for drivers and in Java for the virtual GPU. Recording: any thread. */
final class FrameKernels implements AutoCloseable {
    /** Bytes of the push constants: a number, and the width of a picture. */
    static final int PUSH = 8;

    private static final int TILE = 8;

    private static final String MIX = """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0, std430) readonly buffer First { uint first[]; };
            layout(set = 0, binding = 1, std430) readonly buffer Second { uint second[]; };
            layout(set = 0, binding = 2, std430) buffer Target { uint target[]; };
            layout(push_constant) uniform Push { uint number; };
            void main() {
                uint i = gl_GlobalInvocationID.x;
                target[i] = %sfirst[i] * 31u + second[i] * 17u + number + i;
            }
            """;

    private static final String PAINT = """
            #version 450
            layout(local_size_x = 8, local_size_y = 8) in;
            layout(set = 0, binding = 0, std430) readonly buffer Source { uint source[]; };
            layout(set = 0, binding = 1, r32ui) writeonly uniform uimage2D target;
            layout(push_constant) uniform Push { uint number; uint width; };
            void main() {
                ivec2 place = ivec2(gl_GlobalInvocationID.xy);
                uint i = uint(place.y) * width + uint(place.x);
                if (all(lessThan(place, imageSize(target)))) {
                    imageStore(target, place, uvec4(source[i] * 7u + number + i, 0u, 0u, 0u));
                }
            }
            """;

    private static final String GATHER = """
            #version 450
            layout(local_size_x = 8, local_size_y = 8) in;
            layout(set = 0, binding = 0, r32ui) readonly uniform uimage2D source;
            layout(set = 0, binding = 1, std430) buffer Target { uint target[]; };
            layout(push_constant) uniform Push { uint number; uint width; };
            void main() {
                ivec2 place = ivec2(gl_GlobalInvocationID.xy);
                uint i = uint(place.y) * width + uint(place.x);
                if (all(lessThan(place, imageSize(source)))) {
                    target[i] = imageLoad(source, place).x * 13u + number + i;
                }
            }
            """;

    private final ComputePipeline mix;
    private final ComputePipeline add;
    private final ComputePipeline paint;
    private final ComputePipeline gather;

    FrameKernels(GpuDevice device) {
        mix = pipeline(device, "mix", MIX.formatted(""), invocation -> mix(invocation, 0));
        add = pipeline(device, "add", MIX.formatted("target[i] * 3u + "), invocation -> mix(invocation, 3));
        paint = pipeline(
                device,
                "paint",
                PAINT,
                invocation -> texels(invocation, invocation.bytes("Source"), invocation.bytes("target"), 7));
        gather = pipeline(
                device,
                "gather",
                GATHER,
                invocation -> texels(invocation, invocation.bytes("source"), invocation.bytes("Target"), 13));
    }

    private static ComputePipeline pipeline(GpuDevice device, String name, String glsl, CpuKernel kernel) {
        return device.createComputePipeline(new ComputePipelineDescription(
                name, new ShaderSource(name + ".comp", ShaderStage.COMPUTE, glsl), kernel));
    }

    private static void mix(CpuKernel.Invocation invocation, int factor) {
        ByteBuffer first = invocation.bytes("First");
        ByteBuffer second = invocation.bytes("Second");
        ByteBuffer target = invocation.bytes("Target");
        int number = invocation.pushConstants().getInt(0);
        for (int i = 0; i < invocation.groupsX() * GraphShape.CHUNK_WORDS; i++) {
            int old = factor == 0 ? 0 : target.getInt(4 * i) * factor;
            target.putInt(4 * i, old + first.getInt(4 * i) * 31 + second.getInt(4 * i) * 17 + number + i);
        }
    }

    private static void texels(CpuKernel.Invocation invocation, ByteBuffer source, ByteBuffer target, int factor) {
        int number = invocation.pushConstants().getInt(0);
        int texels = Math.min(source.capacity(), target.capacity()) / 4;
        for (int i = 0; i < texels; i++) {
            target.putInt(4 * i, source.getInt(4 * i) * factor + number + i);
        }
    }

    /** Mixes two ranges of buffers into a third one. */
    void mix(
            CommandList commands,
            boolean adds,
            Buffer first,
            Chunks firstRange,
            Buffer second,
            Chunks secondRange,
            Buffer target,
            Chunks targetRange,
            ByteBuffer push) {
        commands.bindPipeline(adds ? add : mix);
        commands.bindBuffer("First", first, firstRange.offset(), firstRange.bytes());
        commands.bindBuffer("Second", second, secondRange.offset(), secondRange.bytes());
        commands.bindBuffer("Target", target, targetRange.offset(), targetRange.bytes());
        commands.pushConstants(push.slice(0, 4));
        commands.dispatch(targetRange.count(), 1, 1);
    }

    /** Stores words in all texels of a view. */
    void paint(CommandList commands, Buffer source, Chunks range, TextureView target, Box box, ByteBuffer push) {
        commands.bindPipeline(paint);
        commands.bindBuffer("Source", source, range.offset(), range.bytes());
        commands.bindStorageTexture("target", target);
        dispatch(commands, box, push);
    }

    /** Loads all texels of a view. */
    void gather(CommandList commands, TextureView source, Box box, Buffer target, Chunks range, ByteBuffer push) {
        commands.bindPipeline(gather);
        commands.bindStorageTexture("source", source);
        commands.bindBuffer("Target", target, range.offset(), 4L * box.texels());
        dispatch(commands, box, push);
    }

    private static void dispatch(CommandList commands, Box box, ByteBuffer push) {
        commands.pushConstants(push);
        commands.dispatch((box.width() + TILE - 1) / TILE, (box.height() + TILE - 1) / TILE, 1);
    }

    @Override
    public void close() {
        mix.close();
        add.close();
        paint.close();
        gather.close();
    }
}
