package io.frameloom.gpu.shader;

import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.program.Compatibility;
import io.frameloom.gpu.cache.program.ProgramKey;
import io.frameloom.gpu.cache.program.ProgramKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.lwjgl.Version;
import org.lwjgl.util.shaderc.Shaderc;

/** The inputs of a shader's code, for the program cache. Stateless. */
final class ShaderKeys {
    private ShaderKeys() {}

    /** The library of this process, which is loaded once and takes longer to read than a shader to compile. */
    private static final class Loaded {
        static final Map<ShaderTarget, Compatibility> COMPILER = read();
    }

    /**
     * Returns the compiler with its version and fixed options. shaderc does not report its version, so the library
     * itself is its identity. That also distinguishes the system's library from LWJGL's.
     */
    static Compatibility compiler(ShaderTarget target) {
        return Objects.requireNonNull(Loaded.COMPILER.get(target));
    }

    private static Map<ShaderTarget, Compatibility> read() {
        String library = Shaderc.getLibrary().getPath();
        byte[] digest = library == null
                ? new byte[0]
                : Digest.of(bytes(Path.of(library))).bytes();
        Map<ShaderTarget, Compatibility> compilers = new EnumMap<>(ShaderTarget.class);
        for (ShaderTarget target : ShaderTarget.values()) {
            compilers.put(target, compiler(target, digest));
        }
        return compilers;
    }

    private static Compatibility compiler(ShaderTarget target, byte[] library) {
        CanonicalFields fields = new CanonicalFields()
                .text("compiler", "shaderc")
                .text("bindings", Version.getVersion())
                .text("target", target.words.toLowerCase(Locale.ROOT))
                .text("optimisation", "as the source says")
                .number("reflection", ShaderBinary.FORMAT);
        if (library.length > 0) {
            fields.bytes("library", library);
        }
        return new Compatibility(fields);
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException("the shader compiler's library " + file + " cannot be read", e);
        }
    }

    static ProgramKey key(ShaderInput input, Compatibility compiler) {
        CanonicalFields key = new CanonicalFields()
                .text("file", input.name())
                .text("stage", input.stage().name())
                .text("entry", input.entry());
        if (input instanceof ShaderInput.Spirv spirv) {
            key.text("language", "SPIR-V").source("code", spirv.code().bytes());
        } else {
            add((ShaderInput.Glsl) input, key);
        }
        return new ProgramKey(ProgramKind.SHADER, input.name(), compiler, key);
    }

    private static void add(ShaderInput.Glsl glsl, CanonicalFields key) {
        IncludeClosure closure = glsl.closure();
        key.text("language", "GLSL")
                .source("source", closure.text())
                .number("defines", glsl.defines().size());
        glsl.defines().forEach((name, value) -> key.text("define", name).text("value", value));
        key.number("included files", closure.files().size());
        closure.files().forEach((path, text) -> key.text("path", path).source("file", text));
        // The missing files follow from the existing ones: a file that appears is one more of those included.
    }
}
