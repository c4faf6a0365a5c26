package io.frameloom.samples.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.ShaderCompiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every shader of the demo compiles in every variant, and its storage blocks say whether they are written. */
final class ShadersTest {
    private static final Path FOLDER = Path.of("src/main/resources/io/frameloom/samples/shaders");
    private static final Set<String> WRITTEN =
            Set.of("Deformed", "Former", "Particles", "Drawn", "Fresh", "Visible", "Tally", "Records", "Counts");
    private static final List<String> SUFFIXES =
            List.of(".vert", ".frag", ".comp", ".task", ".mesh", ".rgen", ".rchit", ".rmiss");

    static Stream<List<String>> variants() throws IOException {
        List<String> files;
        try (Stream<Path> list = Files.list(FOLDER)) {
            files = list.map(path -> path.getFileName().toString())
                    .filter(name -> SUFFIXES.stream().anyMatch(name::endsWith))
                    .sorted()
                    .toList();
        }
        assertThat(files).hasSizeGreaterThan(10);
        return files.stream().flatMap(ShadersTest::variantsOf);
    }

    private static Stream<List<String>> variantsOf(String file) {
        return switch (file) {
            case "depth.vert" ->
                Stream.of(
                        List.of(file),
                        List.of(file, "SPECIAL"),
                        List.of(file, "SHADOW"),
                        List.of(file, "SHADOW", "SPECIAL"));
            case "gbuffer.frag", "gbuffer.vert" -> Stream.of(List.of(file), List.of(file, "SPECIAL"));
            case "depth_special.frag" -> Stream.of(List.of(file), List.of(file, "SHADOW"));
            case "meshlets.mesh" -> Stream.of(List.of(file), List.of(file, "SURFACE"));
            case "meshlets_cull.comp" -> Stream.of(List.of(file), List.of(file, "LATE"));
            case "bloom_down.comp" -> Stream.of(List.of(file), List.of(file, "THRESHOLD"));
            default -> Stream.of(List.of(file));
        };
    }

    @ParameterizedTest
    @MethodSource("variants")
    void compiles(List<String> variant) {
        String[] defines = variant.subList(1, variant.size()).toArray(String[]::new);
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            CompiledShader shader = compiler.compile(Shaders.load(variant.get(0), defines));
            assertThat(shader.spirv().remaining()).isPositive();
            assertThat(shader.reflection().pushConstantBytes()).isLessThanOrEqualTo(128);
            assertThat(shader.reflection().bindings())
                    .filteredOn(binding -> binding.kind() == ShaderBinding.Kind.STORAGE_BUFFER)
                    .allMatch(
                            binding -> binding.written() == WRITTEN.contains(binding.name()),
                            "written where it should be");
        }
    }

    @Test
    void namesAShaderThatIsMissing() {
        assertThatThrownBy(() -> Shaders.load("none.frag"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none.frag");
        assertThatThrownBy(() -> Shaders.load("frame.glsl"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(".comp");
    }
}
