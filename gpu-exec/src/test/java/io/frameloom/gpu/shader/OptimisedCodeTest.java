package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lwjgl.util.spvc.Spv;

/** Code that asks to be optimised is, and keeps its names. */
class OptimisedCodeTest {
    private static final String TEXT = """
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) readonly buffer Numbers { uint numbers[]; };
            layout(set = 0, binding = 1) writeonly buffer Sums { uint sums[]; };
            layout(push_constant) uniform Push { uint count; };
            uint sumOf(uint values[4]) {
                uint sum = 0u;
                for (uint i = 0u; i < 4u; i++) {
                    sum += values[i];
                }
                return sum;
            }
            void main() {
                uint at = gl_GlobalInvocationID.x;
                if (at < count) {
                    sums[at] = sumOf(uint[4](numbers[at], 1u, 2u, 3u));
                }
            }
            """;

    @Test
    void functionsAreInlinedWhereTheTextAsks() {
        Map<Integer, Integer> plain = instructions("#version 450\n" + TEXT);
        Map<Integer, Integer> optimised = instructions("#version 450\n#pragma optimised_code\n" + TEXT);
        assertThat(plain).containsKey(Spv.SpvOpFunctionCall);
        assertThat(optimised).doesNotContainKey(Spv.SpvOpFunctionCall);
    }

    @Test
    void aCommentAsksForNothing() {
        String text = "#version 450\n// #pragma optimised_code\n" + TEXT;
        assertThat(instructions(text)).containsKey(Spv.SpvOpFunctionCall);
    }

    @Test
    void namesStayAndLinesDoNot() {
        CompiledShader shader = compile("#version 450\n#pragma optimised_code\n" + TEXT);
        assertThat(shader.reflection())
                .isEqualTo(compile("#version 450\n" + TEXT).reflection());
        assertThat(instructions(shader))
                .containsKey(Spv.SpvOpName)
                .doesNotContainKeys(Spv.SpvOpSource, Spv.SpvOpString, Spv.SpvOpLine, Spv.SpvOpNoLine);
        SpirvValidator.check("optimised.comp", shader.spirv(), ShaderTarget.VULKAN_1_3);
    }

    private static Map<Integer, Integer> instructions(String text) {
        return instructions(compile(text));
    }

    private static CompiledShader compile(String text) {
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            return compiler.compile(new ShaderSource("optimised.comp", ShaderStage.COMPUTE, text));
        }
    }

    /** How often each instruction stands in the code. */
    private static Map<Integer, Integer> instructions(CompiledShader shader) {
        ByteBuffer spirv = shader.spirv();
        Map<Integer, Integer> counts = new HashMap<>();
        for (int at = SpirvModule.HEADER_WORDS * Integer.BYTES; at < spirv.limit(); ) {
            int word = spirv.getInt(at);
            counts.merge(word & 0xFFFF, 1, Integer::sum);
            at += (word >>> 16) * Integer.BYTES;
        }
        return counts;
    }
}
