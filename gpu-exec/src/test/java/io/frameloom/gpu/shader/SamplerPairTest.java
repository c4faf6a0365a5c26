package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compilation_status_success;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_into_spv;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_initialize;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_release;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_set_source_language;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_set_target_env;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compiler_initialize;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compiler_release;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compute_shader;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_env_version_vulkan_1_3;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_get_bytes;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_get_compilation_status;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_get_error_message;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_release;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_source_language_hlsl;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_target_env_vulkan;

import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderBinding.Comparison;
import io.frameloom.gpu.pipeline.ShaderBinding.Kind;
import io.frameloom.gpu.pipeline.ShaderBinding.TextureType;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format.NumericKind;
import io.frameloom.gpu.resource.TextureViewKind;
import io.frameloom.gpu.shader.SamplerPair.Part;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Images and samplers that are bound separately, and which of them a shader samples with each other. */
@Timeout(60)
class SamplerPairTest {
    private static final String DECLARED = """
            #version 450
            #extension GL_EXT_samplerless_texture_functions : require
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform texture2D albedo;
            layout(set = 0, binding = 1) uniform texture2D normals;
            layout(set = 0, binding = 2) uniform sampler wrap;
            layout(set = 0, binding = 3) uniform sampler clamp;
            layout(set = 0, binding = 4) uniform samplerShadow less;
            layout(set = 1, binding = 0) uniform texture2D many[4];
            layout(set = 1, binding = 1) uniform sampler several[3];
            layout(set = 1, binding = 2) uniform sampler2D combined;
            layout(set = 2, binding = 0) buffer Target { vec4 target; int index; };
            """;
    private static final Part ALBEDO = new Part(0, 0, -1);
    private static final Part NORMALS = new Part(0, 1, -1);
    private static final Part WRAP = new Part(0, 2, -1);
    private static final Part CLAMP = new Part(0, 3, -1);
    private static final Part LESS = new Part(0, 4, -1);

    private final ShaderCompiler compiler = new ShaderCompiler();

    @AfterEach
    void close() {
        compiler.close();
    }

    private ShaderReflection compute(String body) {
        return compiler.compile(new ShaderSource("pairs.comp", ShaderStage.COMPUTE, DECLARED + body))
                .reflection();
    }

    private List<SamplerPair> pairs(String body) {
        return compute(body).pairs();
    }

    private static SamplerPair plain(Part image, Part sampler) {
        return new SamplerPair(image, sampler, Comparison.NEVER);
    }

    private static Part many(int element) {
        return new Part(1, 0, element);
    }

    private static Part several(int element) {
        return new Part(1, 1, element);
    }

    @Test
    void imagesAndSamplersAreBindings() {
        TextureType flat = new TextureType(TextureViewKind.TWO_D, false, Comparison.UNKNOWN, NumericKind.FLOAT);
        assertThat(compute("""
                        void main() {
                            target = texture(sampler2D(many[1], several[index]), vec2(0))
                                + texture(sampler2D(albedo, clamp), vec2(0));
                        }
                        """).bindings())
                .contains(
                        Bindings.binding("albedo", 0, 0, Kind.SAMPLED_IMAGE, false, 1, null, flat),
                        Bindings.binding("clamp", 0, 3, Kind.SAMPLER, false),
                        Bindings.binding("many", 1, 0, Kind.SAMPLED_IMAGE, false, 4, null, flat),
                        Bindings.binding("several", 1, 1, Kind.SAMPLER, false, 3));
    }

    @Test
    void onlyWhatMeetsIsPaired() {
        assertThat(pairs("""
                        void main() {
                            target = textureLod(sampler2D(albedo, wrap), vec2(0), 0)
                                + textureGather(sampler2D(normals, clamp), vec2(0))
                                + textureLod(sampler2D(albedo, wrap), vec2(1), 0)
                                + textureLod(combined, vec2(0), 0);
                        }
                        """)).containsExactly(plain(ALBEDO, WRAP), plain(NORMALS, CLAMP));
    }

    @Test
    void whatReadsNoTexelsThroughASamplerPairsNothing() {
        assertThat(pairs("""
                        void main() {
                            target = texelFetch(albedo, ivec2(0), 0)
                                + vec4(textureSize(sampler2D(normals, wrap), 0), 0, 0);
                        }
                        """)).isEmpty();
    }

    @Test
    void comparingIsToldByTheInstruction() {
        assertThat(pairs("""
                        void main() {
                            target = vec4(texture(sampler2DShadow(albedo, less), vec3(0)));
                            target += texture(sampler2D(normals, wrap), vec2(0));
                            target += texture(sampler2D(albedo, clamp), vec2(0));
                        }
                        """))
                .containsExactly(
                        new SamplerPair(ALBEDO, LESS, Comparison.ALWAYS), plain(NORMALS, WRAP), plain(ALBEDO, CLAMP));
        assertThat(pairs("""
                        void main() {
                            target = vec4(texture(sampler2DShadow(albedo, less), vec3(0)));
                            target += texture(sampler2D(albedo, less), vec2(0));
                        }
                        """)).containsExactly(new SamplerPair(ALBEDO, LESS, Comparison.UNKNOWN));
    }

    @Test
    void elementsAreToldByConstantNumbersOnly() {
        assertThat(pairs("""
                        void main() {
                            target = texture(sampler2D(many[1], several[2]), vec2(0))
                                + texture(sampler2D(many[index], several[0]), vec2(0))
                                + texture(sampler2D(many[0], several[index]), vec2(0));
                        }
                        """))
                .containsExactly(plain(many(1), several(2)), plain(many(-1), several(0)), plain(many(0), several(-1)));
    }

    @Test
    void eachCallOfAHelperPairsWhatItPasses() {
        assertThat(pairs("""
                        vec4 inner(texture2D image, sampler how) { return texture(sampler2D(image, how), vec2(0)); }
                        vec4 outer(sampler how, texture2D image) { return inner(image, how); }
                        vec4 element(texture2D images[4], sampler how) { return inner(images[3], how); }
                        vec4 unused() { return inner(normals, wrap); }
                        void main() {
                            target = outer(wrap, albedo) + inner(normals, clamp) + outer(several[1], many[index])
                                + element(many, wrap);
                        }
                        """))
                .containsExactlyInAnyOrder(
                        plain(ALBEDO, WRAP), plain(NORMALS, CLAMP), plain(many(-1), several(1)), plain(many(3), WRAP));
    }

    @Test
    void theDiskKeepsThem(@TempDir Path folder) {
        ShaderSource source = new ShaderSource("pairs.comp", ShaderStage.COMPUTE, DECLARED + """
                void main() {
                    target = vec4(texture(sampler2DShadow(albedo, less), vec3(0)))
                        + texture(sampler2D(many[index], several[2]), vec2(0));
                }
                """);
        ShaderReflection reflection = compiler.compile(source).reflection();
        assertThat(reflection.pairs()).hasSize(2);
        for (long builds : new long[] {1, 0}) {
            try (TaskGraph graph = TaskGraph.builder().name("pairs").workers(1).build();
                    ProgramCache cache = ProgramCache.open(ProgramCacheOptions.in(folder), graph);
                    ShaderCompiler caching = new ShaderCompiler(cache)) {
                assertThat(caching.compile(source).reflection()).isEqualTo(reflection);
                assertThat(cache.statistics().lookups().builds()).isEqualTo(builds);
            }
        }
    }

    @Test
    void modulesFromHlslAreTaken() {
        ShaderReflection reflection = compiler.compile(hlsl("""
                        [[vk::binding(0, 0)]] Texture2D<float4> albedo;
                        [[vk::binding(1, 0)]] Texture2D<float> shadow;
                        [[vk::binding(2, 0)]] SamplerState wrap;
                        [[vk::binding(3, 0)]] SamplerComparisonState less;
                        [[vk::binding(4, 0)]] RWStructuredBuffer<float4> target;
                        float4 color(Texture2D<float4> image, SamplerState how) {
                            return image.SampleLevel(how, float2(0, 0), 0);
                        }
                        [numthreads(1, 1, 1)] void main() {
                            target[0] = color(albedo, wrap) * shadow.SampleCmpLevelZero(less, float2(0, 0), 0.5);
                        }
                        """)).reflection();
        assertThat(reflection.bindings())
                .extracting(ShaderBinding::name, ShaderBinding::kind)
                .contains(
                        tuple("albedo", Kind.SAMPLED_IMAGE),
                        tuple("shadow", Kind.SAMPLED_IMAGE),
                        tuple("wrap", Kind.SAMPLER),
                        tuple("less", Kind.SAMPLER));
        assertThat(reflection.pairs())
                .containsExactlyInAnyOrder(
                        plain(ALBEDO, WRAP), new SamplerPair(NORMALS, new Part(0, 3, -1), Comparison.ALWAYS));
    }

    private static ShaderSource hlsl(String text) {
        long options = shaderc_compile_options_initialize();
        long library = shaderc_compiler_initialize();
        try {
            shaderc_compile_options_set_source_language(options, shaderc_source_language_hlsl);
            shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_3);
            long result =
                    shaderc_compile_into_spv(library, text, shaderc_compute_shader, "pairs.hlsl", "main", options);
            try {
                assertThat(shaderc_result_get_compilation_status(result))
                        .as(shaderc_result_get_error_message(result))
                        .isEqualTo(shaderc_compilation_status_success);
                ByteBuffer code = Objects.requireNonNull(shaderc_result_get_bytes(result));
                byte[] bytes = new byte[code.remaining()];
                code.get(bytes);
                return ShaderSource.spirv("pairs.spv", ShaderStage.COMPUTE, bytes, "main");
            } finally {
                shaderc_result_release(result);
            }
        } finally {
            shaderc_compiler_release(library);
            shaderc_compile_options_release(options);
        }
    }

    @Test
    void buffersOfTexelsAreRefused() {
        assertThatThrownBy(() -> compute("""
                        layout(set = 3, binding = 0) uniform textureBuffer texels;
                        void main() { target = texelFetch(texels, 0); }
                        """))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("'texels'")
                .hasMessageContaining("buffer of texels");
    }
}
