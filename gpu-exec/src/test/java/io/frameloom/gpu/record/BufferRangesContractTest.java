package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranges that are smaller than what shaders declare of them, and draws beyond their buffers, are refused by all backends. */
@Timeout(60)
class BufferRangesContractTest {
    private static final CpuKernel KERNEL = invocation -> {};
    private static final String HEAD = "#version 450\nlayout(local_size_x = 1) in;\n";
    private static final String BLOCKS = HEAD + """
        layout(constant_id = 3) const uint K = 400;
        layout(set = 0, binding = 0) uniform U { vec4 m[64]; };
        layout(set = 1, binding = 0) buffer Counted { uint count; uvec4 first; uint values[]; };
        layout(set = 1, binding = 1) buffer Sized { uint head; uint sized[K]; };
        void main() { values[0] = uint(m[63].x) + count + sized[0]; }
        """;

    private static long least(ComputePipeline pipeline, String name) {
        return pipeline.bindings().stream()
                .filter(binding -> binding.name().equals(name))
                .mapToLong(ShaderBinding::minBytes)
                .sum();
    }

    @ParameterizedTest
    @EnumSource
    void rangesHaveTheBytesOfTheirBlocks(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline pipeline = rig.compute("blocks", BLOCKS, KERNEL);
            assertThat(least(pipeline, "U")).isEqualTo(1024);
            assertThat(least(pipeline, "Counted")).isEqualTo(32);
            assertThat(least(pipeline, "Sized")).isEqualTo(4);
            Buffer buffer = rig.buffer("some", 2048, BufferUsage.UNIFORM, BufferUsage.STORAGE);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.bindPipeline(pipeline);
            list.bindBuffer("U", buffer, 0, 1024);
            list.bindBuffer("Counted", buffer, 0, 32);
            list.bindBuffer("Sized", buffer, 0, 4);
            assertThatThrownBy(() -> list.bindBuffer("U", buffer, 0, 1023))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("0+1023", "'some'", "'U' of pipeline 'blocks'", "1024 bytes of its block");
            assertThatThrownBy(() -> list.bindBuffer("Counted", buffer, 0, 28))
                    .hasMessageContainingAll("'Counted'", "32 bytes of its block");
            assertThatThrownBy(() -> rig.device.createBindingSet(
                            "set", pipeline, 0, Map.of("U", new BoundResource.BufferRange(buffer, 0, 512))))
                    .hasMessageContainingAll("0+512", "1024 bytes of its block");
        }
    }

    @ParameterizedTest
    @EnumSource
    void bindingSetsOfAnotherPipelineHaveTheBytesOfTheBlocks(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            String two = HEAD
                    + "layout(binding = 0) buffer A { uint a[SIZE]; } x[2]; layout(binding = 1) buffer B { uint b; };"
                    + " void main() { b = x[0].a[0] + x[1].a[0]; }";
            ComputePipeline small = rig.compute("small", two.replace("SIZE", "2"), KERNEL);
            ComputePipeline large = rig.compute("large", two.replace("SIZE", "4"), KERNEL);
            Buffer buffer = rig.buffer("some", 64, BufferUsage.STORAGE);
            BoundResource word = new BoundResource.BufferRange(buffer, 0, 4);
            BoundResource tooFew = new BoundResource.BufferRange(buffer, 0, 12);
            BoundResource enough = new BoundResource.BufferRange(buffer, 0, 16);
            BindingSet short1 = set(rig, small, enough, tooFew, word);
            BindingSet fits = set(rig, small, enough, enough, word);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.bindPipeline(small);
            list.bindSet(short1);
            list.bindPipeline(large);
            list.bindSet(fits);
            assertThatThrownBy(() -> list.bindSet(short1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("12 bytes in binding set 'set'", "'A' of pipeline 'large'", "16 bytes");
        }
    }

    private static BindingSet set(
            CommandRig rig, ComputePipeline pipeline, BoundResource first, BoundResource second, BoundResource word) {
        return rig.own(rig.device.createBindingSet(
                "set", pipeline, 0, Map.of("A", new BoundResource.Elements(List.of(first, second)), "B", word)));
    }

    private static GraphicsPipeline instanced(CommandRig rig) {
        VertexBuffer vertices = new VertexBuffer(8, false, List.of(new VertexAttribute(0, Format.R32G32_SFLOAT, 0)));
        VertexBuffer instances = new VertexBuffer(16, true, List.of(new VertexAttribute(1, Format.R32_SFLOAT, 4)));
        return rig.own(rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                "instanced",
                new ShaderSource("i.vert", ShaderStage.VERTEX, """
                    #version 450
                    layout(location = 0) in vec2 a;
                    layout(location = 1) in float b;
                    void main() { gl_Position = vec4(a, b, 1); }
                    """),
                new ShaderSource("i.frag", ShaderStage.FRAGMENT, """
                    #version 450
                    layout(location = 0) out vec4 o;
                    void main() { o = vec4(1); }
                    """),
                List.of(vertices, instances),
                CullMode.NONE,
                null,
                Blend.NONE,
                List.of(Format.R8G8B8A8_UNORM),
                null)));
    }

    @ParameterizedTest
    @EnumSource
    void drawsReadNoInstancesBeyondTheirBuffer(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            GraphicsPipeline pipeline = instanced(rig);
            Buffer vertices = rig.buffer("vertices", 24, BufferUsage.VERTEX);
            // The last instance ends behind its attribute, not behind its stride.
            Buffer instances = rig.buffer("instances", 40, BufferUsage.VERTEX, BufferUsage.INDEX);
            Texture target = rig.texture(
                    "target", TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT));
            rig.execute(list -> {
                CommandRig.transition(list, target, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                list.beginRendering(new RenderingInfo(
                        4,
                        4,
                        List.of(new ColorAttachment(
                                target.view(), LoadOp.CLEAR, StoreOp.STORE, new ClearColor(0, 0, 0, 0), null)),
                        null));
                list.bindPipeline(pipeline);
                list.bindVertexBuffer(0, vertices, 0);
                list.bindVertexBuffer(1, instances, 0);
                list.bindIndexBuffer(instances, 0, IndexType.UINT16);
                list.draw(3, 3, 0, 0);
                list.draw(0, 100, 0, 0);
                list.draw(100, 0, 0, 0);
                refused(() -> list.draw(3, 2, 0, 2), "instances 0 to 4 of vertex buffer 1", "'instances'", "are 3");
                refused(() -> list.draw(3, 1, 1, 0), "vertices 0 to 4 of vertex buffer 0", "'vertices'", "are 3");
                refused(() -> list.drawIndexed(3, 4, 0, 0, 0), "instances 0 to 4 of vertex buffer 1");
                refused(() -> list.draw(3, Integer.MAX_VALUE, 0, Integer.MAX_VALUE), "instances 0 to 4294967294");
                list.bindVertexBuffer(0, vertices, 16);
                refused(() -> list.draw(2, 1, 0, 0), "vertices 0 to 2", "'vertices' has 8 bytes", "are 1");
                list.draw(1, 1, 0, 0);
                list.endRendering();
            });
        }
    }

    private static void refused(Runnable draw, String... words) {
        assertThatThrownBy(draw::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'instanced'")
                .hasMessageContainingAll(words);
    }
}
