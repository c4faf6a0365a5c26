package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Include lines, and what is said of them when they or what they include is wrong. */
@Timeout(60)
class ShaderIncludesTest {
    private final ShaderCompiler compiler = new ShaderCompiler();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        compiler.close();
    }

    private static String shader(String... lines) {
        return "#version 450\nlayout(local_size_x = 1) in;\n" + String.join("\n", lines)
                + "\nlayout(binding = 0) buffer Out { float found; };\nvoid main() { found = value(); }\n";
    }

    private static ShaderSource source(String name, String text, Map<String, String> files) {
        return new ShaderSource(name, ShaderStage.COMPUTE, text).withIncludes(ShaderIncludes.of(files));
    }

    private CompiledShader compile(String name, String text, Map<String, String> files) {
        return compiler.compile(source(name, text, files));
    }

    /** Compiles something that gives {@code value()} by its includes, and fails if the constant is not in the code. */
    private void assertCompilesTo(float expected, CompiledShader shader) {
        var code = shader.spirv();
        boolean found = false;
        while (code.hasRemaining()) {
            found |= code.getInt() == Float.floatToRawIntBits(expected);
        }
        assertThat(found).as("constant %s in the code", expected).isTrue();
    }

    @Test
    void aQuotedPathIsLookedForBesideTheIncludingFileFirst() {
        Map<String, String> files = Map.of(
                "lib/outer.glsl", "#include \"inner.glsl\"\n",
                "lib/inner.glsl", "float value() { return 12345.0; }\n",
                "inner.glsl", "float value() { return 54321.0; }\n");
        assertCompilesTo(12345, compile("post/main.comp", shader("#include \"../lib/outer.glsl\""), files));
    }

    @Test
    void aQuotedPathIsLookedForFromTheRootThen() {
        Map<String, String> files = Map.of("lib/inner.glsl", "float value() { return 12345.0; }\n");
        assertCompilesTo(12345, compile("post/main.comp", shader("#include \"lib/inner.glsl\""), files));
    }

    @Test
    void aPathInAngleBracketsIsLookedForFromTheRootOnly() {
        Map<String, String> files = Map.of(
                "post/inner.glsl", "float value() { return 54321.0; }\n",
                "inner.glsl", "float value() { return 12345.0; }\n");
        assertCompilesTo(12345, compile("post/main.comp", shader("#include <inner.glsl>"), files));
    }

    @Test
    void whatABranchLeavesOutMayBeMissing() {
        Map<String, String> files = Map.of("there.glsl", "float value() { return 12345.0; }\n");
        assertCompilesTo(
                12345,
                compile(
                        "main.comp",
                        shader(
                                "#ifdef NEVER",
                                "#include \"missing.glsl\"",
                                "#else",
                                "#include \"there.glsl\"",
                                "#endif"),
                        files));
    }

    @Test
    void oneFileCanBeIncludedTwice() {
        Map<String, String> files = Map.of(
                "guarded.glsl", "#ifndef G\n#define G\nfloat value() { return 12345.0; }\n#endif\n",
                "a.glsl", "#include \"guarded.glsl\"\n",
                "b.glsl", "#include \"guarded.glsl\"\n");
        assertCompilesTo(12345, compile("main.comp", shader("#include \"a.glsl\"", "#include \"b.glsl\""), files));
    }

    @Test
    void anErrorInAnIncludedFileHasItsLineAndTheChain() {
        Map<String, String> files = Map.of(
                "lib/a.glsl", "// first line\n\n#include \"b.glsl\"\n",
                "lib/b.glsl", "float value() {\n  return oops();\n}\n");
        assertThatThrownBy(() -> compile("main.comp", shader("", "#include \"lib/a.glsl\""), files))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("shader 'main.comp'")
                .hasMessageContaining("lib/b.glsl:2: error")
                .hasMessageContaining("oops")
                .hasMessageContaining("included from lib/a.glsl:3")
                .hasMessageContaining("included from main.comp:4");
    }

    @Test
    void theChainIsThatOfTheInclusionWithTheError() {
        Map<String, String> files = Map.of(
                "a.glsl", "#ifdef SECOND\nfloat bad = nothing;\n#endif\n",
                "b.glsl", "#define SECOND\n#include \"a.glsl\"\n");
        assertThatThrownBy(() -> compile("main.comp", shader("#include \"a.glsl\"", "#include \"b.glsl\""), files))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining(
                        "\na.glsl:2: error: 'nothing' : undeclared identifier\n  included from b.glsl:2\n  included from"
                                + " main.comp:4")
                .hasMessageNotContaining("main.comp:3");
    }

    @Test
    void whatIsTooDeepHasTheChain() {
        Map<String, String> files = Map.of(
                "a.glsl",
                "#include \"deep.glsl\"\n",
                "deep.glsl",
                "\nfloat value() { return " + "(".repeat(20_000) + "1.0" + ")".repeat(20_000) + "; }\n");
        assertThatThrownBy(() -> compile("main.comp", shader("#include \"a.glsl\""), files))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("deep.glsl:2: error: '' :  memory exhausted")
                .hasMessageContaining("\n  included from a.glsl:1\n  included from main.comp:3");
    }

    @Test
    void whatIsLeftOutMayBeDeep() {
        String deep = "const int z = 1" + " + 1".repeat(20_000) + ";\n";
        Map<String, String> files = Map.of("off.glsl", "#ifdef NEVER\n" + deep + "#endif\n", "never.glsl", deep);
        compile(
                "main.comp",
                shader(
                        "// #include \"never.glsl\"",
                        "#include \"off.glsl\"",
                        "#ifdef NEVER",
                        "#include \"never.glsl\"",
                        "#endif",
                        "float value() { return 1.0; }"),
                files);
    }

    @Test
    void includeLinesThatAreLeftOutAreNotTheOnesNamed() {
        Map<String, String> files = Map.of("a.glsl", "float bad = nothing;\n");
        String text = shader(
                "// here was #include \"a.glsl\"",
                "/*",
                "#include \"a.glsl\"",
                "*/",
                "#ifdef NEVER",
                "#include \"a.glsl\"",
                "#endif",
                "/* now */ #include \"a.glsl\"");
        assertThatThrownBy(() -> compile("main.comp", text, files))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("a.glsl:1: error")
                .hasMessageContaining("included from main.comp:10");
    }

    @Test
    void messagesHaveNothingThatIsNotOfTheSources() {
        Map<String, String> files =
                Map.of("a.glsl", "#include \"gone.glsl\"\n", "b.glsl", "float bad = nothing;\n#error \"stop\"\n");
        for (String file : files.keySet()) {
            assertThatThrownBy(() -> compile("main.comp", shader("#include \"" + file + "\""), files))
                    .isInstanceOf(ShaderCompilationException.class)
                    .message()
                    .matches("[\\n -~]*");
        }
    }

    @Test
    void linesBehindAnIncludeKeepTheirNumbers() {
        Map<String, String> files = Map.of("a.glsl", "float value() { return 1.0; }\n// more\n// lines\n");
        String text = "#version 450\nlayout(local_size_x = 1) in;\n#include \"a.glsl\"\nvoid main() {\n  oops();\n}\n";
        assertThatThrownBy(() -> compile("main.comp", text, files)).hasMessageContaining("main.comp:5: error");
    }

    @Test
    void aMissingFileIsAnErrorAtItsLine() {
        assertThatThrownBy(() -> compile(
                        "main.comp", shader("#include \"a.glsl\""), Map.of("a.glsl", "\n#include \"gone.glsl\"\n")))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("a.glsl:2")
                .hasMessageContaining("gone.glsl")
                .hasMessageContaining("there is no such file")
                .hasMessageContaining("included from main.comp:3");
    }

    @Test
    void withoutIncludesAnIncludeLineIsAnError() {
        assertThatThrownBy(() -> compiler.compile(
                        new ShaderSource("main.comp", ShaderStage.COMPUTE, shader("#include \"a.glsl\""))))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("main.comp:3")
                .hasMessageContaining("a.glsl");
    }

    @Test
    void aCycleIsReportedWithItsChain() {
        Map<String, String> files = Map.of(
                "a.glsl",
                "#include \"b.glsl\"\n",
                "b.glsl",
                "\n#include \"c.glsl\"\n",
                "c.glsl",
                "#include \"a.glsl\"\n");
        assertThatThrownBy(() -> compile("main.comp", shader("#include \"a.glsl\""), files))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("'a.glsl' includes itself")
                .hasMessageContaining("included from c.glsl:1")
                .hasMessageContaining("included from b.glsl:2")
                .hasMessageContaining("included from a.glsl:1")
                .hasMessageContaining("included from main.comp:3");
    }

    @Test
    void aCycleBelowAFolderIsNamed() {
        Map<String, String> files =
                Map.of("shaders/a.glsl", "#include \"b.glsl\"\n", "shaders/b.glsl", "\n#include \"a.glsl\"\n");
        assertThatThrownBy(() -> compile("shaders/main.comp", shader("#include \"a.glsl\""), files))
                .hasMessageContaining("'shaders/a.glsl' includes itself (shaders/a.glsl -> shaders/b.glsl ->"
                        + " shaders/a.glsl) more than 64 files deep; guard it by #ifndef")
                .hasMessageContaining("included from shaders/main.comp:3")
                .hasMessageNotContaining("no such file")
                .hasMessageNotContaining("header name");
    }

    @Test
    void aGuardedCycleIsNone() {
        Map<String, String> files = Map.of(
                "shaders/a.glsl",
                "#ifndef A\n#define A\n#include \"b.glsl\"\nfloat value() { return half_() * 2; }\n#endif\n",
                "shaders/b.glsl",
                "#ifndef B\n#define B\n#include \"a.glsl\"\nfloat half_() { return 0.5; }\n#endif\n");
        compile("shaders/main.comp", shader("#include \"a.glsl\""), files);
    }

    @Test
    void manyCyclesAtOnceAreReportedWithoutGoingThroughAllOfThem() {
        String twice = "#include \"a.glsl\"\n#include \"a.glsl\"\n#include <lib/a.glsl>\n";
        assertThatThrownBy(() -> compile("lib/main.comp", shader("#include \"a.glsl\""), Map.of("lib/a.glsl", twice)))
                .hasMessageContaining("'lib/a.glsl' includes itself (lib/a.glsl -> lib/a.glsl)");
    }

    @Test
    void everyLineAboutAMissingFileNamesIt() {
        Map<String, String> files = Map.of("shaders/a.glsl", "\n#include \"missing.glsl\"\n");
        assertThatThrownBy(() -> compile("shaders/main.comp", shader("#include \"a.glsl\""), files))
                .hasMessageContaining("shaders/a.glsl:2: error: '#include' : 'missing.glsl': there is no such file")
                .hasMessageContaining("included from shaders/main.comp:3")
                .hasMessageNotContaining("header name");
    }

    @Test
    void aShaderThatIncludesItselfIsACycle() {
        String text = shader("#include \"main.comp\"");
        assertThatThrownBy(() -> compile("main.comp", text, Map.of("main.comp", text)))
                .hasMessageContaining("'main.comp' includes itself");
    }

    @Test
    void tooManyNestedFilesAreReportedWithTheirChain() {
        Map<String, String> files = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            files.put("f" + i + ".glsl", "#include \"f" + (i + 1) + ".glsl\"\n");
        }
        files.put("f100.glsl", "float value() { return 1.0; }\n");
        assertThatThrownBy(() -> compile("main.comp", shader("#include \"f0.glsl\""), files))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("more than 64 files are nested")
                .hasMessageContaining("included from f1.glsl:1")
                .hasMessageContaining("included from main.comp:3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../secret.glsl", "lib/../../secret.glsl", "/secret.glsl", "C:/secret.glsl", "..\\secret.glsl"})
    void pathsThatLeadOutOfTheRootAreRefused(String path) throws IOException {
        Path root = Files.createDirectory(folder.resolve("root"));
        Files.createDirectory(root.resolve("lib"));
        Files.writeString(folder.resolve("secret.glsl"), "float value() { return 1.0; }\n");
        ShaderSource source = new ShaderSource("main.comp", ShaderStage.COMPUTE, shader("#include \"" + path + "\""))
                .withIncludes(ShaderIncludes.folder(root));
        assertThatThrownBy(() -> compiler.compile(source))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("main.comp:3")
                .hasMessageContaining("leads out of the shaders' root");
    }

    @Test
    void aLinkThatLeadsOutOfTheFolderIsRefused() throws IOException {
        Path root = Files.createDirectory(folder.resolve("root"));
        Files.writeString(folder.resolve("secret.glsl"), "float value() { return 1.0; }\n");
        Files.createSymbolicLink(root.resolve("link.glsl"), folder.resolve("secret.glsl"));
        ShaderSource source = new ShaderSource("main.comp", ShaderStage.COMPUTE, shader("#include \"link.glsl\""))
                .withIncludes(ShaderIncludes.folder(root));
        assertThatThrownBy(() -> compiler.compile(source))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("symbolic link that leads out of " + root);
    }

    @Test
    void aFolderIsReadAnew() throws IOException {
        Files.writeString(folder.resolve("a.glsl"), "float value() { return 12345.0; }\n");
        Files.writeString(folder.resolve("main.comp"), shader("#include \"a.glsl\""));
        ShaderSource source = ShaderSource.file("main.comp", ShaderStage.COMPUTE, ShaderIncludes.folder(folder));
        CompiledShader first = compiler.compile(source);
        assertCompilesTo(12345, first);
        assertThat(compiler.compile(source)).isSameAs(first);
        Files.writeString(folder.resolve("a.glsl"), "float value() { return 54321.0; }\n");
        assertCompilesTo(54321, compiler.compile(source));
    }

    @Test
    void filesMayBeginWithAByteOrderMark() throws IOException {
        Files.writeString(folder.resolve("a.glsl"), "\uFEFF#include \"b.glsl\"\n");
        Files.writeString(folder.resolve("b.glsl"), "\uFEFFfloat value() { return 12345.0; }\n");
        Files.writeString(folder.resolve("main.comp"), "\uFEFF" + shader("#include \"a.glsl\""));
        ShaderSource source = ShaderSource.file("main.comp", ShaderStage.COMPUTE, ShaderIncludes.folder(folder));
        assertCompilesTo(12345, compiler.compile(source));
        Files.writeString(folder.resolve("b.glsl"), "\uFEFFfloat value() {\n  return oops();\n}\n");
        assertThatThrownBy(() -> compiler.compile(source))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("b.glsl:2: error")
                .hasMessageContaining("included from a.glsl:1\n  included from main.comp:3");
    }

    @Test
    void onlyTheFirstByteOrderMarkOfAFileIsLeftOut() {
        Map<String, String> files = Map.of("a.glsl", "float value() { return 12345.0; }\n\uFEFF\n");
        assertThatThrownBy(() -> compile("main.comp", shader("#include \"a.glsl\""), files))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("a.glsl:2: error");
    }

    @Test
    void aShaderFileThatIsNotThereIsNamed() {
        ShaderSource source = ShaderSource.file("gone.comp", ShaderStage.COMPUTE, ShaderIncludes.folder(folder));
        assertThatThrownBy(() -> compiler.compile(source))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("'gone.comp'")
                .hasMessageContaining(folder.toString());
    }

    @Test
    void filesComeFromTheClassPathAndFromSeveralPlaces() {
        ShaderIncludes includes = ShaderIncludes.of(Map.of("mine.glsl", "#include \"value.glsl\"\n"))
                .orElse(ShaderIncludes.classPath(getClass().getClassLoader(), "io/frameloom/gpu/shader"));
        assertCompilesTo(
                12345,
                compiler.compile(new ShaderSource("main.comp", ShaderStage.COMPUTE, shader("#include <mine.glsl>"))
                        .withIncludes(includes)));
    }

    @Test
    void theKeyIsOfEverythingThatCanBeIncluded() {
        String text = shader("#include \"a.glsl\"");
        Map<String, String> files = Map.of("a.glsl", "#include \"lib/b.glsl\"\n", "lib/b.glsl", "// b\n");
        String key = key("main.comp", text, files);
        assertThat(key("main.comp", text, files)).isEqualTo(key);
        assertThat(key("main.comp", text, Map.of("a.glsl", "#include \"lib/b.glsl\"\n", "lib/b.glsl", "// c\n")))
                .as("a file that is included by a file")
                .isNotEqualTo(key);
        Map<String, String> unrelated = new HashMap<>(files);
        unrelated.put("other.glsl", "// other\n");
        assertThat(key("main.comp", text, unrelated))
                .as("a file that nothing includes")
                .isEqualTo(key);
        String below = key("lib/main.comp", text, files);
        Map<String, String> nearer = new HashMap<>(files);
        nearer.put("lib/a.glsl", "#include \"lib/b.glsl\"\n");
        assertThat(key("lib/main.comp", text, nearer))
                .as("a file that comes before another")
                .isNotEqualTo(below);
    }

    private static String key(String name, String text, Map<String, String> files) {
        return ShaderKeys.key(ShaderInput.of(source(name, text, files)), ShaderKeys.compiler(ShaderTarget.VULKAN_1_3))
                .digest()
                .hex();
    }
}
