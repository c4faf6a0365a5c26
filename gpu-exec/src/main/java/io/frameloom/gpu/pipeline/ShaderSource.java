package io.frameloom.gpu.pipeline;

import java.util.Map;

/**
 * A shader: its code, and the values of its specialization constants. Immutable; equal sources are equal in everything.
 *
 * @param name file name or other name for messages; a path relative to the root of its includes, if it has any
 * @param stage stage
 * @param code GLSL or SPIR-V
 * @param specialization values that replace the defaults of the code's specialization constants when a pipeline is
 *     made; shaders that differ only in these are compiled to SPIR-V once
 */
public record ShaderSource(String name, ShaderStage stage, ShaderCode code, Specialization specialization) {
    /** Checks the names and values of preprocessor definitions. */
    public ShaderSource {
        DefineNames.check(name, code);
    }

    /** A shader of GLSL text (Vulkan dialect with its own {@code #version} line, entry point {@code main}). */
    public ShaderSource(String name, ShaderStage stage, String glsl) {
        this(name, stage, glsl, Map.of());
    }

    /** A shader of GLSL text with preprocessor definitions, name to value; empty value allowed. */
    public ShaderSource(String name, ShaderStage stage, String glsl, Map<String, String> defines) {
        this(name, stage, new ShaderCode.Glsl(glsl, defines, ShaderIncludes.NONE), Specialization.NONE);
    }

    /**
     * A shader whose text is read from {@code files}, under its name, whenever it is compiled, and whose includes are
     * found there.
     *
     * @param path path of the shader in {@code files}, which is also its name
     */
    public static ShaderSource file(String path, ShaderStage stage, ShaderIncludes files) {
        return new ShaderSource(path, stage, new ShaderCode.GlslFile(files, Map.of()), Specialization.NONE);
    }

    /**
     * A shader of SPIR-V. It is validated when it is compiled into a pipeline.
     *
     * @param words SPIR-V in the byte order of this machine; copied
     * @param entry name of the entry point
     */
    public static ShaderSource spirv(String name, ShaderStage stage, int[] words, String entry) {
        return new ShaderSource(name, stage, ShaderCode.Spirv.of(words, entry), Specialization.NONE);
    }

    /**
     * A shader of SPIR-V as it lies in a file. It is validated when it is compiled into a pipeline.
     *
     * @param bytes SPIR-V in either byte order; copied
     * @param entry name of the entry point
     */
    public static ShaderSource spirv(String name, ShaderStage stage, byte[] bytes, String entry) {
        return new ShaderSource(name, stage, ShaderCode.Spirv.of(bytes, entry), Specialization.NONE);
    }

    /** As this, with {@code #include} lines looked up in {@code includes}. For GLSL. */
    public ShaderSource withIncludes(ShaderIncludes includes) {
        return new ShaderSource(name, stage, code.withIncludes(includes), specialization);
    }

    /** As this, with other preprocessor definitions. For GLSL. */
    public ShaderSource withDefines(Map<String, String> defines) {
        return new ShaderSource(name, stage, code.withDefines(defines), specialization);
    }

    /** As this, with a value for the specialization constant of a name. */
    public ShaderSource withConstant(String constant, SpecializationValue value) {
        return new ShaderSource(name, stage, code, specialization.with(constant, value));
    }

    /** As this, with a value for the specialization constant of an id. */
    public ShaderSource withConstant(int constantId, SpecializationValue value) {
        return new ShaderSource(name, stage, code, specialization.with(constantId, value));
    }
}
