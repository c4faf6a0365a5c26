package io.frameloom.gpu;

import java.util.Map;
import java.util.TreeMap;

/**
 * A GLSL shader (Vulkan dialect, entry point {@code main}).
 *
 * @param name file name or other name for messages
 * @param stage stage
 * @param glsl source text, with its own {@code #version} line
 * @param defines preprocessor definitions, name to value; empty value allowed
 */
public record ShaderSource(String name, ShaderStage stage, String glsl, Map<String, String> defines) {
    /** Copies the definitions in the order of their names. */
    public ShaderSource {
        defines = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(defines));
    }

    /** A shader without definitions. */
    public ShaderSource(String name, ShaderStage stage, String glsl) {
        this(name, stage, glsl, Map.of());
    }
}
