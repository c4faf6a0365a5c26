package io.frameloom.stress.gpu;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format;
import java.nio.ByteBuffer;
import java.util.List;

/** The pipelines of the soak: an addition of buffers, and a colour all over a texture. */
final class SoakPipelines implements AutoCloseable {
    /** Words that a workgroup adds. */
    static final int GROUP = 64;

    private static final ShaderSource ADD = new ShaderSource("add.comp", ShaderStage.COMPUTE, """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
            layout(set = 0, binding = 1) buffer Target { uint target[]; };
            layout(push_constant) uniform Push { uint factor; };
            void main() {
                uint i = gl_GlobalInvocationID.x;
                target[i] = target[i] * 3 + source[i] * factor;
            }
            """);

    private static final ShaderSource EVERYWHERE = new ShaderSource("everywhere.vert", ShaderStage.VERTEX, """
            #version 450
            const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(-1, 3), vec2(3, -1));
            void main() { gl_Position = vec4(corners[gl_VertexIndex], 0.5, 1); }
            """);

    private static final ShaderSource PUSHED = new ShaderSource("pushed.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(push_constant) uniform Push { vec4 color; };
            layout(location = 0) out vec4 result;
            void main() { result = color; }
            """);

    private final ComputePipeline add;
    private final GraphicsPipeline paint;

    SoakPipelines(GpuDevice device, int generation) {
        add = device.createComputePipeline(
                new ComputePipelineDescription("add " + generation, ADD, SoakPipelines::add));
        paint = device.createGraphicsPipeline(painting("paint " + generation));
    }

    /** Returns a pipeline that paints all of a texture with the colour in its push constants. */
    static GraphicsPipelineDescription painting(String name) {
        return new GraphicsPipelineDescription(
                name,
                EVERYWHERE,
                PUSHED,
                List.of(),
                GraphicsPipelineDescription.CullMode.NONE,
                null,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(Format.R8G8B8A8_UNORM),
                null);
    }

    private static void add(CpuKernel.Invocation invocation) {
        ByteBuffer source = invocation.bytes("Source");
        ByteBuffer target = invocation.bytes("Target");
        int factor = invocation.pushConstants().getInt(0);
        for (int i = 0; i < invocation.groupsX() * GROUP; i++) {
            target.putInt(4 * i, added(target.getInt(4 * i), source.getInt(4 * i), factor));
        }
    }

    /** Returns what the shader makes of a word. */
    static int added(int target, int source, int factor) {
        return target * 3 + source * factor;
    }

    ComputePipeline add() {
        return add;
    }

    GraphicsPipeline paint() {
        return paint;
    }

    @Override
    public void close() {
        add.close();
        paint.close();
    }
}
