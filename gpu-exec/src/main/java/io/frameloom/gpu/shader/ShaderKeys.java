package io.frameloom.gpu.shader;

import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.cache.Compatibility;
import io.frameloom.gpu.cache.ProgramKey;
import io.frameloom.gpu.cache.ProgramKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.lwjgl.Version;
import org.lwjgl.util.shaderc.Shaderc;

/** What the code of a shader depends on, for the program cache. Stateless. */
public final class ShaderKeys {
    /** Entry point of every shader. */
    public static final String ENTRY = "main";

    private ShaderKeys() {}

    /**
     * Returns the compiler with its version and fixed options. shaderc does not tell its version, so the library itself is
     * what stands for it: that also tells one from the system from the one that LWJGL brings.
     */
    static Compatibility compiler() {
        String library = Shaderc.getLibrary().getPath();
        Compatibility.Builder builder = Compatibility.builder()
                .text("compiler", "shaderc")
                .text("bindings", Version.getVersion())
                .text("target", "vulkan 1.3")
                .text("optimisation", "none")
                .number("reflection", 2);
        if (library != null) {
            builder.bytes("library", sha256(Path.of(library)));
        }
        return builder.build();
    }

    private static byte[] sha256(Path file) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException("the shader compiler's library " + file + " cannot be read", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256, which every runtime must have", e);
        }
    }

    static ProgramKey key(ShaderSource source, Compatibility compiler) {
        ProgramKey.Builder key = ProgramKey.builder(ProgramKind.SHADER, source.name(), compiler)
                .text("file", source.name())
                .text("stage", source.stage().name())
                .source("source", source.glsl())
                .text("entry", ENTRY)
                .number("defines", source.defines().size());
        source.defines().forEach((name, value) -> key.text("define", name).text("value", value));
        return key.build();
    }
}
