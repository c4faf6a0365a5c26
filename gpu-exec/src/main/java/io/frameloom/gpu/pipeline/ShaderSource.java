package io.frameloom.gpu.pipeline;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A shader: its code, and the values of its specialization constants. Immutable; equal sources are equal in everything.
 *
 * @param name file name or other name for messages; a path relative to the root of its includes, if it has any
 * @param code GLSL or SPIR-V
 * @param constants values that replace those of the code's specialization constants when a pipeline is made, by name;
 *     shaders that differ in nothing else are compiled to SPIR-V once. The constants of a workgroup's size that have no name
 *     are called {@code local_size_x}, {@code local_size_y} and {@code local_size_z}
 * @param constantsById such values by {@code constant_id}
 */
public record ShaderSource(
        String name,
        ShaderStage stage,
        ShaderCode code,
        Map<String, SpecializationValue> constants,
        Map<Integer, SpecializationValue> constantsById) {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z_0-9]*");

    /** Checks the names and values of preprocessor definitions, and copies the maps in the order of their keys. */
    public ShaderSource {
        if (code instanceof ShaderCode.Glsl glsl) {
            checkDefines(name, glsl.defines());
        } else if (code instanceof ShaderCode.GlslFile file) {
            checkDefines(name, file.defines());
        }
        constants = Collections.unmodifiableSortedMap(new TreeMap<>(constants));
        constantsById = Collections.unmodifiableSortedMap(new TreeMap<>(constantsById));
    }

    /** Compilers make lines of text of definitions without checks. */
    private static void checkDefines(String shader, Map<String, String> defines) {
        defines.forEach((name, value) -> {
            String where = "shader '" + shader + "' defines '" + name + "'";
            if (!IDENTIFIER.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        where + ", which is no identifier; use letters, digits and _, and begin with no digit");
            }
            if (name.startsWith("gl_") || name.startsWith("GL_") || name.equals("defined")) {
                throw new IllegalArgumentException(
                        where + ", which GLSL reserves like all names that begin with gl_ or GL_; use another");
            }
            if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
                throw new IllegalArgumentException(
                        where + " with a value of several lines, of which it would take the first; use one line");
            }
        });
    }

    private ShaderSource(String name, ShaderStage stage, ShaderCode code) {
        this(name, stage, code, Map.of(), Map.of());
    }

    /** A shader of GLSL text (Vulkan dialect with its own {@code #version} line, entry point {@code main}). */
    public ShaderSource(String name, ShaderStage stage, String glsl) {
        this(name, stage, glsl, Map.of());
    }

    /** A shader of GLSL text with preprocessor definitions, name to value; empty value allowed. */
    public ShaderSource(String name, ShaderStage stage, String glsl, Map<String, String> defines) {
        this(name, stage, new ShaderCode.Glsl(glsl, defines, ShaderIncludes.NONE));
    }

    /**
     * A shader whose text is read from {@code files}, under its name, whenever it is compiled, and whose includes are
     * found there.
     *
     * @param path path of the shader in {@code files}, which is also its name
     */
    public static ShaderSource file(String path, ShaderStage stage, ShaderIncludes files) {
        return new ShaderSource(path, stage, new ShaderCode.GlslFile(files, Map.of()));
    }

    /**
     * A shader of SPIR-V. It is validated when it is compiled into a pipeline.
     *
     * @param words SPIR-V in the byte order of this machine; copied
     * @param entry name of the entry point
     */
    public static ShaderSource spirv(String name, ShaderStage stage, int[] words, String entry) {
        return new ShaderSource(name, stage, ShaderCode.Spirv.of(words, entry));
    }

    /**
     * A shader of SPIR-V as it lies in a file. It is validated when it is compiled into a pipeline.
     *
     * @param bytes SPIR-V in either byte order; copied
     * @param entry name of the entry point
     */
    public static ShaderSource spirv(String name, ShaderStage stage, byte[] bytes, String entry) {
        return new ShaderSource(name, stage, ShaderCode.Spirv.of(bytes, entry));
    }

    /** As this, with {@code #include} lines looked up in {@code includes}. For GLSL. */
    public ShaderSource withIncludes(ShaderIncludes includes) {
        return new ShaderSource(name, stage, code.withIncludes(includes), constants, constantsById);
    }

    /** As this, with other preprocessor definitions. For GLSL. */
    public ShaderSource withDefines(Map<String, String> defines) {
        return new ShaderSource(name, stage, code.withDefines(defines), constants, constantsById);
    }

    /** As this, with a value for the specialization constant of a name. */
    public ShaderSource withConstant(String constant, SpecializationValue value) {
        Map<String, SpecializationValue> values = new TreeMap<>(constants);
        values.put(constant, value);
        return new ShaderSource(name, stage, code, values, constantsById);
    }

    /** As this, with a value for the specialization constant of an id. */
    public ShaderSource withConstant(int constantId, SpecializationValue value) {
        Map<Integer, SpecializationValue> values = new TreeMap<>(constantsById);
        values.put(constantId, value);
        return new ShaderSource(name, stage, code, constants, values);
    }
}
