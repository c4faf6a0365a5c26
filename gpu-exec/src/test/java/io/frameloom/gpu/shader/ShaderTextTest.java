package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that are no text and definitions that are no names are refused by file, byte and name. */
class ShaderTextTest {
    private static final String MAIN = "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n";

    private final ShaderCompiler compiler = new ShaderCompiler();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        compiler.close();
    }

    private void write(String file, String text, Charset charset) throws IOException {
        Files.write(folder.resolve(file), text.getBytes(charset));
    }

    private void compile(ShaderIncludes files) {
        compiler.compile(ShaderSource.file("a.comp", ShaderStage.COMPUTE, files));
    }

    @Test
    void utf8IsRead() throws IOException {
        write("a.comp", MAIN + "// \u00e4\u20ac\ud83d\ude00", StandardCharsets.UTF_8);
        compile(ShaderIncludes.folder(folder));
    }

    @Test
    void otherBytesAreRefusedByOffset() throws IOException {
        write("a.comp", MAIN + "// \u00e4", StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> compile(ShaderIncludes.folder(folder)))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageStartingWith("shader 'a.comp' cannot be read from folder ")
                .hasCauseInstanceOf(IOException.class)
                .hasMessageContaining("'a.comp' is not UTF-8: byte " + (MAIN.length() + 3) + " is 0xe4");
    }

    @Test
    void aCharacterThatIsCutOffIsRefused() throws IOException {
        Files.write(folder.resolve("a.comp"), new byte[] {'#', (byte) 0xe2, (byte) 0x82});
        assertThatThrownBy(() -> compile(ShaderIncludes.folder(folder)))
                .hasMessageContaining("'a.comp' is not UTF-8: byte 1 is 0xe2");
    }

    @ParameterizedTest
    @CsvSource({"UTF-16LE, little", "UTF-16BE, big"})
    void utf16IsRefusedByName(String charset, String order) throws IOException {
        write("a.comp", "\ufeff" + MAIN, Charset.forName(charset));
        assertThatThrownBy(() -> compile(ShaderIncludes.folder(folder)))
                .hasMessageContaining(
                        "'a.comp' begins with the byte order mark of UTF-16 (" + order + "-endian); save it as UTF-8");
    }

    @Test
    void includesAreHeldToTheSame() throws IOException {
        write("a.comp", "#version 450\n#include \"b.glsl\"\nvoid main() {}\n", StandardCharsets.UTF_8);
        write("b.glsl", "// \u00e4", StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> compile(ShaderIncludes.folder(folder)))
                .hasMessageContaining("a.comp:2")
                .hasMessageContaining("'b.glsl' is not UTF-8: byte 3 is 0xe4");
    }

    @Test
    void resourcesAreHeldToTheSame() throws IOException {
        write("a.comp", MAIN + "// \u00e4", StandardCharsets.ISO_8859_1);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, null)) {
            assertThatThrownBy(() -> compile(ShaderIncludes.classPath(loader, "")))
                    .hasMessageContaining("'a.comp' is not UTF-8: byte ");
        }
    }

    private static ShaderSource defining(String name, String value) {
        return new ShaderSource("a.comp", ShaderStage.COMPUTE, MAIN).withDefines(Map.of(name, value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "9A", "A B", "A(x)", "A-B", "A\n", "\u00e4"})
    void whatIsNoIdentifierIsNotDefined(String name) {
        assertThatThrownBy(() -> defining(name, "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("shader 'a.comp' defines '" + name + "', which is no identifier");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gl_A", "GL_A", "defined"})
    void whatIsReservedIsNotDefined(String name) {
        assertThatThrownBy(() -> defining(name, "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("shader 'a.comp' defines '" + name + "', which GLSL reserves");
    }

    @Test
    void aValueIsOneLine() {
        assertThatThrownBy(() -> defining("A", "1\nvoid f() {}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("shader 'a.comp' defines 'A' with a value of several lines");
        assertThat(compiler.compile(defining("_a9", "")).name()).isEqualTo("a.comp");
    }
}
