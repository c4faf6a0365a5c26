package io.frameloom.benchmarks.alternatives;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.testing.SpirvRules;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shader of 2021 keeps the rules of ours, but for fences, which order slices against flags. */
@Timeout(60)
class ShaderRulesTest {
    @ParameterizedTest
    @CsvSource({"256, false", "256, true", "1024, false", "1024, true"})
    void stackMonoid(int partition, boolean fallback) {
        Map<String, String> defines = new HashMap<>(Map.of("PARTITION", partition + "u", "PATIENCE", "512u"));
        if (fallback) {
            defines.put("FALLBACK", "");
        }
        String text = StackMonoid2021.shader();
        String vulkan = text.replaceFirst("(?m)^layout", "#pragma use_vulkan_memory_model\nlayout");
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            SpirvRules rules = rules(compiler, text, defines);
            assertThat(rules.broken()).isEmpty();
            assertThat(rules.barriers()).isPositive();
            assertThat(rules.fences()).isPositive();
            assertThat(rules.isVulkanMemoryModel()).isFalse();
            assertThat(rules(compiler, vulkan, defines).isVulkanMemoryModel()).isTrue();
        }
    }

    private static SpirvRules rules(ShaderCompiler compiler, String text, Map<String, String> defines) {
        ByteBuffer spirv = compiler.compile(new ShaderSource("rules.comp", ShaderStage.COMPUTE, text, defines))
                .spirv()
                .order(ByteOrder.nativeOrder());
        int[] words = new int[spirv.remaining() / Integer.BYTES];
        spirv.asIntBuffer().get(words);
        // SPIR-V that is given is validated by SPIRV-Tools.
        compiler.compile(ShaderSource.spirv("validated.comp", ShaderStage.COMPUTE, words, "main"));
        return SpirvRules.of(words);
    }
}
