package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.ShaderIncludes;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.ShaderStage;
import io.frameloom.gpu.shader.ShaderCompiler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What holds for every shader of this package: SPIRV-Tools finds it valid, and it uses the Vulkan memory model. */
@Timeout(60)
class ShaderRulesTest {
    private static final int OP_MEMORY_MODEL = 14;
    private static final int VULKAN = 3;
    private static final int HEADER_WORDS = 5;

    @Test
    void scan() {
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            for (boolean segmented : new boolean[] {false, true}) {
                for (ScanOperator operator : new ScanOperator[] {
                    ScanOperator.sum(ElementType.F32),
                    ScanOperator.max(ElementType.U64),
                    ScanCases.ENDS,
                    ScanCases.MATRIX
                }) {
                    ScanShape shape = new ScanShape(operator, segmented);
                    for (int variant = 0; variant < 4; variant++) {
                        check(
                                compiler,
                                ComputeShaders.text("scan.comp"),
                                shape.defines((variant & 1) == 0, (variant & 2) == 0),
                                Map.of("operator.glsl", operator.glsl()));
                    }
                }
            }
        }
    }

    static void check(ShaderCompiler compiler, String text, Map<String, String> defines, Map<String, String> includes) {
        ByteBuffer spirv = compiler.compile(new ShaderSource("rules.comp", ShaderStage.COMPUTE, text, defines)
                        .withIncludes(ShaderIncludes.of(includes)))
                .spirv()
                .order(ByteOrder.nativeOrder());
        int[] words = new int[spirv.remaining() / 4];
        spirv.asIntBuffer().get(words);
        // SPIR-V that is given is validated by SPIRV-Tools.
        compiler.compile(ShaderSource.spirv("validated.comp", ShaderStage.COMPUTE, words, "main"));
        assertThat(memoryModel(words)).isEqualTo(VULKAN);
    }

    private static int memoryModel(int[] words) {
        for (int at = HEADER_WORDS; at < words.length; at += words[at] >>> 16) {
            if ((words[at] & 0xFFFF) == OP_MEMORY_MODEL) {
                return words[at + 2];
            }
        }
        throw new AssertionError("no OpMemoryModel");
    }
}
