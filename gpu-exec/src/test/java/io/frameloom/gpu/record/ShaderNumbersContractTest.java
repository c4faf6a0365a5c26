package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.shader.ShaderCompiler;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lwjgl.util.spvc.Spv;

/** SPIR-V has numbers of 32 bits without sign: those that no device has are refused by all backends, whatever their sign. */
@Timeout(60)
class ShaderNumbersContractTest {
    private static final int HEADER_WORDS = 5;
    private static final String COMPUTE = """
            #version 450
            layout(local_size_x = 1) in;
            layout(constant_id = 3) const uint K = 4;
            layout(set = 0, binding = 7) buffer Values { uint x; };
            void main() { x = K; }
            """;
    private static final String VERTEX = """
            #version 450
            layout(location = 2) out vec2 q;
            void main() { gl_Position = vec4(0); q = vec2(1); }
            """;
    private static final String FRAGMENT = """
            #version 450
            layout(location = 2, component = 1) in float q;
            layout(location = 0, index = 0) out vec4 o;
            void main() { o = vec4(q); }
            """;

    /** Returns a shader as SPIR-V, with another number in its decorations of a kind that have one. */
    private static ShaderSource with(ShaderStage stage, String glsl, int decoration, int old, long number) {
        int[] words;
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            ByteBuffer code =
                    compiler.compile(new ShaderSource("some", stage, glsl)).spirv();
            words = new int[code.remaining() / Integer.BYTES];
            code.asIntBuffer().get(words);
        }
        int found = 0;
        for (int at = HEADER_WORDS; at < words.length; at += words[at] >>> 16) {
            if ((words[at] & 0xffff) == Spv.SpvOpDecorate
                    && words[at + 2] == decoration
                    && words[at] >>> 16 == 4
                    && words[at + 3] == old) {
                words[at + 3] = (int) number;
                found++;
            }
        }
        assertThat(found).isEqualTo(1);
        return ShaderSource.spirv("given.spv", stage, words, "main");
    }

    private static void refused(Runnable creation, String... words) {
        assertThatThrownBy(creation::run)
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("'given.spv'")
                .hasMessageContainingAll(words);
    }

    private static void refusesCompute(CommandRig rig, int decoration, int old, long number, String... words) {
        ShaderSource shader = with(ShaderStage.COMPUTE, COMPUTE, decoration, old, number);
        refused(
                () -> rig.own(rig.device.createComputePipeline(new ComputePipelineDescription("some", shader, null))),
                words);
    }

    private static void refusesGraphics(CommandRig rig, ShaderSource vertex, ShaderSource fragment, String... words) {
        refused(
                () -> rig.own(rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                        "some",
                        vertex,
                        fragment,
                        List.of(),
                        CullMode.NONE,
                        null,
                        Blend.NONE,
                        List.of(Format.R8G8B8A8_UNORM),
                        null))),
                words);
    }

    @ParameterizedTest
    @EnumSource
    void setsAndBindings(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            for (long number : new long[] {0xffff_ffffL, 0x8000_0000L, 0x7fff_ffffL, 1_000_000}) {
                refusesCompute(
                        rig, Spv.SpvDecorationDescriptorSet, 0, number, "'Values'", "set " + number, "0 to 65535");
                refusesCompute(rig, Spv.SpvDecorationBinding, 7, number, "'Values'", "number " + number, "0 to 65535");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theLargestBindingIsTaken(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ShaderSource shader = with(ShaderStage.COMPUTE, COMPUTE, Spv.SpvDecorationBinding, 7, 65535);
            rig.own(rig.device.createComputePipeline(new ComputePipelineDescription("some", shader, null)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void locationsAndIndices(CommandRig.Backend backend) {
        ShaderSource vertex = new ShaderSource("some.vert", ShaderStage.VERTEX, VERTEX);
        ShaderSource fragment = new ShaderSource("some.frag", ShaderStage.FRAGMENT, FRAGMENT);
        try (CommandRig rig = new CommandRig(backend)) {
            for (long number : new long[] {0xffff_ffffL, 0x8000_0000L, 0x7fff_ffffL, 1_000_000}) {
                int location = Spv.SpvDecorationLocation;
                String words = "location " + number;
                refusesGraphics(rig, with(ShaderStage.VERTEX, VERTEX, location, 2, number), fragment, "'q'", words);
                refusesGraphics(rig, vertex, with(ShaderStage.FRAGMENT, FRAGMENT, location, 2, number), "'q'", words);
                refusesGraphics(rig, vertex, with(ShaderStage.FRAGMENT, FRAGMENT, location, 0, number), "'o'", words);
                refusesGraphics(
                        rig,
                        vertex,
                        with(ShaderStage.FRAGMENT, FRAGMENT, Spv.SpvDecorationIndex, 0, number),
                        "'o'",
                        "index " + number);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void idsOfSpecializationConstants(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            for (long number : new long[] {0xffff_ffffL, 0x8000_0000L}) {
                refusesCompute(rig, Spv.SpvDecorationSpecId, 3, number, "constant", "id " + number);
            }
        }
    }
}
