package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderBinding.Comparison;
import io.frameloom.gpu.pipeline.ShaderBinding.Kind;
import io.frameloom.gpu.pipeline.ShaderBinding.TextureType;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureViewKind;
import io.frameloom.testing.TestEffort;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ShaderCompilerTest {
    private static final TextureType FLAT =
            new TextureType(TextureViewKind.TWO_D, false, Comparison.NEVER, Format.NumericKind.FLOAT);

    private static final String EVERYTHING = """
        #version 450
        layout(local_size_x = 1) in;
        layout(set = 1, binding = 3) uniform sampler2D albedo;
        layout(set = 0, binding = 0) uniform Camera { mat4 projection; } camera;
        layout(set = 0, binding = 4) readonly buffer Instances { vec4 places[]; };
        layout(set = 0, binding = 2) buffer Counters { uint counter; };
        layout(set = 1, binding = 0, rgba8) uniform readonly image2D source;
        layout(set = 1, binding = 1, rgba8) uniform image2D target;
        layout(push_constant) uniform Push { vec4 tint; uint count; };
        void main() {
            counter = count;
            vec4 color = camera.projection * places[0] * texture(albedo, tint.xy);
            imageStore(target, ivec2(0), color + imageLoad(source, ivec2(0)));
        }
        """;

    private final ShaderCompiler compiler = new ShaderCompiler();

    @AfterEach
    void close() {
        compiler.close();
    }

    private static ShaderSource compute(String name, String glsl) {
        return new ShaderSource(name, ShaderStage.COMPUTE, glsl);
    }

    @Test
    void reflectionFindsEveryResourceInOrder() {
        ShaderReflection reflection =
                compiler.compile(compute("everything.comp", EVERYTHING)).reflection();
        assertThat(reflection.bindings())
                .containsExactly(
                        Bindings.binding("Camera", 0, 0, Kind.UNIFORM_BUFFER, false)
                                .withMinBytes(64),
                        Bindings.binding("Counters", 0, 2, Kind.STORAGE_BUFFER, true)
                                .withMinBytes(4),
                        Bindings.binding("Instances", 0, 4, Kind.STORAGE_BUFFER, false),
                        Bindings.binding("source", 1, 0, Kind.STORAGE_TEXTURE, false, 1, Format.R8G8B8A8_UNORM, FLAT),
                        Bindings.binding("target", 1, 1, Kind.STORAGE_TEXTURE, true, 1, Format.R8G8B8A8_UNORM, FLAT),
                        Bindings.binding("albedo", 1, 3, Kind.SAMPLED_TEXTURE, false, 1, null, FLAT));
        assertThat(reflection.pushConstantBytes()).isEqualTo(20);
    }

    /** It is compiled on a thread of its own, of which a trace would say nothing. */
    @Test
    void theTraceOfAMistakeLeadsToTheCaller() {
        assertThatThrownBy(() -> compiler.compile(compute("broken.comp", "no shader")))
                .satisfies(mistake -> assertThat(mistake.getStackTrace())
                        .extracting(StackTraceElement::getClassName)
                        .anyMatch(name -> name.startsWith(ShaderCompilerTest.class.getName())));
    }

    @Test
    void errorsCarryFileAndLine() {
        assertThatThrownBy(() -> compiler.compile(compute("broken.comp", "#version 450\nvoid main() {\n  oops();\n}")))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("broken.comp:3:")
                .hasMessageContaining("oops")
                .hasMessageContaining("COMPUTE");
    }

    @Test
    void aTextWithoutVersionIsRefused() {
        assertThatThrownBy(() -> compiler.compile(compute("bare.comp", "void main() {}")))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("bare.comp:1: error")
                .hasMessageContaining("#version");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "// #version 450\n",
                "/* #version 450 */\n",
                "/*\n#version 450\n*/\n",
                "/* #version 450\n",
                "// goes on \\\n#version 450\n",
                "// goes on \\\r\n#version 450\n",
                "#versions 450\n",
                "#version\n",
                "#version new\n",
                "#version 140\n",
                "#/**/version 450\n",
                "#\n#version 450\n",
                "#if 0\n#version 450\n#endif\n",
                "const int before = 1;\n#version 450\n"
            })
    void aTextThatDoesNotBeginWithAVersionIsRefused(String beginning) {
        assertThatThrownBy(() -> compiler.compile(compute("late.comp", beginning + "void main() {}\n")))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessage("shader 'late.comp' (COMPUTE) does not compile:\n"
                        + "late.comp:1: error: it must begin with #version 450 or later");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# version 450\n",
                " \t#  \tversion\t450 core\n",
                "\r\n\n#version 460\r\n",
                "// first\n/* #version 1\n * ** / */ // #version 2\n#version 450\n",
                "// C:\\shaders\n#version 450\n",
                "// goes on \\\n#version 1\n#version 450\n",
                "#version 310 es\n"
            })
    void aVersionMayBeSpacedAndStandBehindComments(String beginning) {
        CompiledShader shader =
                compiler.compile(compute("spaced.comp", beginning + "layout(local_size_x = 1) in;\nvoid main() {}\n"));
        assertThat(shader.spirv().remaining()).isPositive();
    }

    @Test
    void aVersionStandsBehindALongLicence() {
        String licence = "/*" + " * some words\n".repeat(20_000) + "*/\n" + "// " + "x".repeat(100_000) + "\n"
                + "// more\n".repeat(20_000);
        CompiledShader shader = compiler.compile(compute("long.comp", licence + EVERYTHING));
        assertThat(shader.reflection().pushConstantBytes()).isEqualTo(20);
    }

    @Test
    void aByteOrderMarkIsNoPartOfAText() {
        CompiledShader plain = compiler.compile(compute("marked.comp", EVERYTHING));
        assertThat(compiler.compile(compute("marked.comp", "\uFEFF" + EVERYTHING)))
                .isSameAs(plain);
        assertThatThrownBy(() ->
                        compiler.compile(compute("broken.comp", "\uFEFF#version 450\nvoid main() {\n  oops();\n}")))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("broken.comp:3:");
    }

    @Test
    void arraysOfResourcesHaveTheirLength() {
        String glsl = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform sampler2D many[4];
            layout(set = 0, binding = 1) writeonly buffer Result { vec4 result; };
            void main() { result = texture(many[2], vec2(0)); }
            """;
        assertThat(compiler.compile(compute("many.comp", glsl))
                        .reflection()
                        .bindings()
                        .get(0))
                .isEqualTo(Bindings.binding("many", 0, 0, Kind.SAMPLED_TEXTURE, false, 4, null, FLAT));
    }

    @Test
    void arraysWithoutALengthAreOfTables() {
        String glsl = """
            #version 450
            #extension GL_EXT_nonuniform_qualifier : require
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform sampler2D many[];
            layout(set = 0, binding = 1) buffer Result { vec4 result; };
            void main() { result = texture(many[uint(result.x)], vec2(0)); }
            """;
        CompiledShader shader = compiler.compile(compute("many.comp", glsl));
        assertThat(shader.reflection().bindings().get(0).count()).isZero();
        assertThatThrownBy(() -> PipelineShaders.of(
                        compiler, new ComputePipelineDescription("many", compute("many.comp", glsl), null), 128))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'many'")
                .hasMessageContaining("in the set of a bindless table");
    }

    @Test
    void definesChangeTheShader() {
        String glsl = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) writeonly buffer Result { uint result; };
            #ifdef WITH_INPUT
            layout(set = 0, binding = 1) readonly buffer Input { uint given; };
            #endif
            void main() {
            #ifdef WITH_INPUT
                result = given * FACTOR;
            #else
                result = 1;
            #endif
            }
            """;
        assertThat(compiler.compile(compute("plain.comp", glsl)).reflection().bindings())
                .hasSize(1);
        assertThat(compiler.compile(new ShaderSource(
                                "defined.comp", ShaderStage.COMPUTE, glsl, Map.of("WITH_INPUT", "", "FACTOR", "3")))
                        .reflection()
                        .bindings())
                .hasSize(2);
    }

    @Test
    void equalSourcesAreCompiledOnceAlsoByManyThreads() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            List<Future<CompiledShader>> results = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                int variant = i % 4;
                results.add(pool.submit(
                        () -> compiler.compile(compute("variant.comp", EVERYTHING + "// variant " + variant))));
            }
            List<CompiledShader> shaders = new ArrayList<>();
            for (Future<CompiledShader> result : results) {
                shaders.add(result.get());
            }
            assertThat(compiler.size()).isEqualTo(4);
            for (int i = 4; i < shaders.size(); i++) {
                assertThat(shaders.get(i)).isSameAs(shaders.get(i % 4));
            }
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void whatIsRememberedStaysWithinABudgetAndWhatIsInUseStaysUsable() {
        int budget = 200_000;
        try (ShaderCompiler small = new ShaderCompiler(null, ShaderTarget.VULKAN_1_3, budget)) {
            CompiledShader held = small.compile(compute("variant.comp", EVERYTHING + "// variant 0"));
            ByteBuffer before = copy(held.spirv());
            for (int i = 1; i <= TestEffort.of(150, 300); i++) {
                small.compile(compute("variant.comp", EVERYTHING + "// variant " + i));
                assertThat(small.bytes()).isBetween(1L, (long) budget);
            }
            assertThat(small.size()).isBetween(10, 100);
            assertThat(held.spirv()).isEqualTo(before);
            CompiledShader again = small.compile(compute("variant.comp", EVERYTHING + "// variant 0"));
            assertThat(again).isNotSameAs(held);
            assertThat(again.spirv()).isEqualTo(before);
        }
    }

    @Test
    void includedTextsAndSpirvCountAsWhatIsRemembered() {
        String padding = "// " + "x".repeat(10_000) + "\n";
        ShaderSource source = compute("padded.comp", "#version 450\n#include \"padding.glsl\"\nvoid main() {}\n")
                .withIncludes(ShaderIncludes.of(Map.of("padding.glsl", padding)));
        CompiledShader shader = compiler.compile(source);
        long withGlsl = compiler.bytes();
        assertThat(withGlsl)
                .isGreaterThan(2L * padding.length() + shader.spirv().remaining());
        byte[] words = new byte[shader.spirv().remaining()];
        shader.spirv().get(words);
        compiler.compile(ShaderSource.spirv("padded.spv", ShaderStage.COMPUTE, words, "main"));
        assertThat(compiler.bytes() - withGlsl).isGreaterThan(2L * words.length);
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
    }
}
