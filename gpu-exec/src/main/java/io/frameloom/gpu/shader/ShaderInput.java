package io.frameloom.gpu.shader;

import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ShaderCode;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.io.IOException;
import java.util.Map;

/**
 * All inputs of the compilation of a shader at one moment, each file read once: equal inputs have equal code.
 * Immutable.
 */
public sealed interface ShaderInput {
    String name();

    ShaderStage stage();

    String entry();

    /** Returns about the number of characters that it holds. */
    long characters();

    /** GLSL with its includes. */
    record Glsl(String name, ShaderStage stage, String entry, Map<String, String> defines, IncludeClosure closure)
            implements ShaderInput {
        @Override
        public long characters() {
            return closure.text().length()
                    + characters(closure.files())
                    + characters(closure.missing())
                    + characters(defines);
        }

        private static long characters(Map<String, String> texts) {
            return texts.entrySet().stream()
                    .mapToLong(entry ->
                            (long) entry.getKey().length() + entry.getValue().length())
                    .sum();
        }
    }

    /** SPIR-V. */
    record Spirv(String name, ShaderStage stage, ShaderCode.Spirv code) implements ShaderInput {
        @Override
        public String entry() {
            return code.entry();
        }

        @Override
        public long characters() {
            return code.bytes().remaining() / Character.BYTES;
        }
    }

    /**
     * Reads a shader and the files that it includes.
     *
     * @throws ShaderCompilationException if its own text cannot be read
     */
    static ShaderInput of(ShaderSource source) {
        ShaderCode code = source.code();
        if (code instanceof ShaderCode.Spirv spirv) {
            return new Spirv(source.name(), source.stage(), spirv);
        }
        if (code instanceof ShaderCode.Glsl glsl) {
            return new Glsl(
                    source.name(),
                    source.stage(),
                    glsl.entry(),
                    glsl.defines(),
                    IncludeClosure.of(source.name(), glsl.text(), glsl.includes()));
        }
        ShaderCode.GlslFile file = (ShaderCode.GlslFile) code;
        String text = read(source.name(), file.files());
        return new Glsl(
                source.name(),
                source.stage(),
                file.entry(),
                file.defines(),
                IncludeClosure.of(source.name(), text, file.files()));
    }

    private static String read(String name, ShaderIncludes files) {
        String path = IncludeClosure.resolve("", name);
        if (path == null || !path.equals(name)) {
            throw new ShaderCompilationException("shader '" + name + "' is no path below the root of " + files
                    + "; name it without leading slash, '.' and '..'");
        }
        try {
            String text = files.read(path);
            if (text == null) {
                throw new ShaderCompilationException("shader '" + name + "' is not in " + files);
            }
            return text;
        } catch (IOException e) {
            throw new ShaderCompilationException(
                    "shader '" + name + "' cannot be read from " + files + ": " + e.getMessage(), e);
        }
    }
}
