package io.frameloom.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.testing.SpirvRules;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every shader file of the samples, in every variant: SPIRV-Tools finds it valid, also where it declares the Vulkan memory
 * model, and it keeps the rules of the shaders of the library.
 */
class ShaderRulesTest {
    private static final List<Map<String, String>> VARIANTS = List.of(
            Map.of(),
            Map.of("SPECIAL", "1"),
            Map.of("SHADOW", "1"),
            Map.of("SHADOW", "1", "SPECIAL", "1"),
            Map.of("THRESHOLD", "1"),
            Map.of("LATE", "1"));

    @ParameterizedTest
    @CsvSource({"shaders, 24", "match, 4"})
    void everyFile(String folder, int count) throws Exception {
        ClassLoader loader = ShaderRulesTest.class.getClassLoader();
        String path = "io/frameloom/samples/" + folder;
        URL there = Objects.requireNonNull(
                loader.getResource(path + "/" + (folder.equals("match") ? "text.glsl" : "sky.glsl")));
        assumeTrue(there.getProtocol().equals("file"), "shaders lie in a jar");
        ShaderIncludes files = ShaderIncludes.classPath(loader, path);
        List<String> names;
        try (Stream<Path> listed = Files.list(Path.of(there.toURI()).resolveSibling(""))) {
            names = listed.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.matches(".*\\.(vert|frag|comp|rgen|rchit|rmiss)"))
                    .toList();
        }
        assertThat(names).hasSize(count);
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            for (String name : names) {
                String text = Objects.requireNonNull(files.read(name));
                for (Map<String, String> defines : VARIANTS) {
                    SpirvRules rules = rules(compiler, name, text, defines, files);
                    assertThat(rules.broken()).as("%s with %s", name, defines).isEmpty();
                    assertThat(rules.fences()).as("%s with %s", name, defines).isZero();
                    String vulkan = text.replaceFirst("(?m)^layout", "#pragma use_vulkan_memory_model\nlayout");
                    assertThat(rules(compiler, name, vulkan, defines, files).isVulkanMemoryModel())
                            .as(name)
                            .isTrue();
                }
            }
        }
    }

    private static SpirvRules rules(
            ShaderCompiler compiler, String name, String text, Map<String, String> defines, ShaderIncludes files) {
        ShaderStage stage = switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "vert" -> ShaderStage.VERTEX;
            case "frag" -> ShaderStage.FRAGMENT;
            case "rgen" -> ShaderStage.RAY_GENERATION;
            case "rchit" -> ShaderStage.CLOSEST_HIT;
            case "rmiss" -> ShaderStage.MISS;
            default -> ShaderStage.COMPUTE;
        };
        ByteBuffer spirv = compiler.compile(new ShaderSource(name, stage, text, defines).withIncludes(files))
                .spirv()
                .order(ByteOrder.nativeOrder());
        int[] words = new int[spirv.remaining() / Integer.BYTES];
        spirv.asIntBuffer().get(words);
        // SPIR-V that is given is validated by SPIRV-Tools.
        compiler.compile(ShaderSource.spirv(name, stage, words, "main"));
        return SpirvRules.of(words);
    }
}
