package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.testing.SpirvRules;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the compiler leaves of the fences that glslang makes of accesses to shared memory. */
@Timeout(60)
class SharedMemoryAccessesTest {
    private static final String SHADER = """
            #version 450
            #extension GL_KHR_memory_scope_semantics : require
            #pragma use_vulkan_memory_model
            PRAGMA
            layout(local_size_x = 64) in;
            struct Item { uvec2 words; uint flag; };
            layout(set = 0, binding = 0) BUFFER buffer Memory { uint memory[]; };
            shared Item items[64];
            shared uint sums[64];
            uint read(uint at) { return items[at].words.y + items[at].flag; }
            void main() {
                uint thread = gl_LocalInvocationID.x;
                items[thread] = Item(uvec2(thread), memory[thread]);
                sums[thread] = thread;
                controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                    gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
                Item next = items[63u - thread];
                memory[thread] = read((thread + 1u) & 63u) + next.words.x + sums[thread ^ 1u];
            }
            """;

    private static SpirvRules rules(ShaderCompiler compiler, String pragma, String buffer) {
        String text = SHADER.replace("PRAGMA", pragma).replace("BUFFER", buffer);
        ByteBuffer spirv = compiler.compile(new ShaderSource("shared.comp", ShaderStage.COMPUTE, text))
                .spirv()
                .order(ByteOrder.nativeOrder());
        int[] words = new int[spirv.remaining() / Integer.BYTES];
        spirv.asIntBuffer().get(words);
        // SPIR-V that is given is validated.
        compiler.compile(ShaderSource.spirv("validated.comp", ShaderStage.COMPUTE, words, "main"));
        SpirvRules rules = SpirvRules.of(words);
        assertThat(rules.isVulkanMemoryModel()).isTrue();
        assertThat(rules.barriers()).isEqualTo(1);
        return rules;
    }

    @Test
    void barriersAloneOrderSharedMemoryWhereTheShaderSaysSo() {
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            assertThat(rules(compiler, SharedMemoryAccesses.PRAGMA, "").broken())
                    .isEmpty();
            assertThat(rules(compiler, "", "").broken())
                    .hasSizeGreaterThan(4)
                    .allSatisfy(rule -> assertThat(rule).contains("visible by itself"));
        }
    }

    @Test
    void whatIsNotSharedKeepsItsOrder() {
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            // A load and a store of the buffer.
            assertThat(rules(compiler, SharedMemoryAccesses.PRAGMA, "coherent").broken())
                    .hasSize(2);
        }
    }
}
