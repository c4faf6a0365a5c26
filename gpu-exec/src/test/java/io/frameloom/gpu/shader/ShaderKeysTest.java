package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.program.Compatibility;
import io.frameloom.gpu.cache.program.ProgramKey;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.Version;
import org.lwjgl.util.shaderc.Shaderc;

/** Every field of a shader that can change its code changes its key, and moving a byte from one to the next does, too. */
@Timeout(60)
class ShaderKeysTest {
    private static final Compatibility COMPILER = new Compatibility(new CanonicalFields().text("compiler", "test"));

    private static SortedMap<String, String> sorted(String... pairs) {
        SortedMap<String, String> map = new TreeMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return map;
    }

    private static ShaderInput.Glsl glsl(
            String name,
            ShaderStage stage,
            String entry,
            Map<String, String> defines,
            String text,
            SortedMap<String, String> files) {
        return new ShaderInput.Glsl(name, stage, entry, defines, new IncludeClosure(text, files, sorted()));
    }

    private static String id(ShaderInput input) {
        return ShaderKeys.key(input, COMPILER).digest().hex();
    }

    @Test
    void everyFieldAndEveryPlaceOfAByteCounts() {
        ShaderStage stage = ShaderStage.COMPUTE;
        SortedMap<String, String> files = sorted("a.glsl", "one", "b.glsl", "two");
        Map<String, String> defines = sorted("A", "1", "B", "");
        List<ShaderInput> different = new ArrayList<>(List.of(
                glsl("name", stage, "main", defines, "text", files),
                glsl("nam", stage, "main", defines, "text", files),
                glsl("name", ShaderStage.VERTEX, "main", defines, "text", files),
                glsl("name", stage, "mai", defines, "text", files),
                glsl("namem", stage, "ain", defines, "text", files),
                glsl("name", stage, "main", defines, "tex", files),
                glsl("name", stage, "main", defines, "texT", files)));
        for (Map<String, String> other : List.of(
                sorted(),
                sorted("A", "1"),
                sorted("A", "2", "B", ""),
                sorted("A", "1B", "C", ""),
                sorted("A", "", "B", "1"),
                sorted("A1", "", "B", ""),
                sorted("A", "1", "C", ""),
                sorted("A", "1", "B", "", "C", ""))) {
            different.add(glsl("name", stage, "main", other, "text", files));
        }
        for (SortedMap<String, String> other : List.of(
                sorted(),
                sorted("a.glsl", "one"),
                sorted("a.glsl", "oneb", "b.glsl", "two"),
                sorted("a.glsl", "on", "b.glsl", "etwo"),
                sorted("a.glsl", "two", "b.glsl", "one"),
                sorted("a.gls", "one", "b.glsl", "two"))) {
            different.add(glsl("name", stage, "main", defines, "text", other));
        }
        Set<String> ids = new HashSet<>();
        different.forEach(
                input -> assertThat(ids.add(id(input))).as("%s", input).isTrue());
        assertThat(ids).contains(id(glsl("name", stage, "main", sorted("B", "", "A", "1"), "text", files)));
    }

    @Test
    void everyFieldOfSpirvCounts() {
        int[] words = {1, 2, 3};
        Set<String> ids = new HashSet<>();
        for (ShaderSource source : List.of(
                ShaderSource.spirv("name", ShaderStage.COMPUTE, words, "main"),
                ShaderSource.spirv("other", ShaderStage.COMPUTE, words, "main"),
                ShaderSource.spirv("name", ShaderStage.VERTEX, words, "main"),
                ShaderSource.spirv("name", ShaderStage.COMPUTE, new int[] {1, 2, 4}, "main"),
                ShaderSource.spirv("name", ShaderStage.COMPUTE, words, "other"))) {
            assertThat(ids.add(id(ShaderInput.of(source)))).as("%s", source).isTrue();
        }
    }

    /** The fields as they are written: what is left out of the compiler's description is missed here. */
    @Test
    void theCompilerIsDescribedByEverythingThatChangesItsCode() throws Exception {
        Path library = Path.of(Shaderc.getLibrary().getPath());
        assertThat(ShaderKeys.compiler(ShaderTarget.VULKAN_1_3))
                .isEqualTo(new Compatibility(new CanonicalFields()
                        .text("compiler", "shaderc")
                        .text("bindings", Version.getVersion())
                        .text("target", "vulkan 1.3")
                        .text("optimisation", "as the source says")
                        .number("reflection", ShaderBinary.FORMAT)
                        .bytes("library", MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(library)))));
    }

    @Test
    void theCompilerCounts() {
        ShaderInput input = glsl("name", ShaderStage.COMPUTE, "main", Map.of(), "text", sorted());
        Compatibility other = new Compatibility(new CanonicalFields().text("compiler", "other"));
        ProgramKey key = ShaderKeys.key(input, other);
        assertThat(key.digest().hex()).isNotEqualTo(id(input));
        assertThat(key).isNotEqualTo(ShaderKeys.key(input, COMPILER));
    }
}
