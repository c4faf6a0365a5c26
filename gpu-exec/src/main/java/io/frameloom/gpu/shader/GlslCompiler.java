package io.frameloom.gpu.shader;

import static org.lwjgl.util.shaderc.Shaderc.shaderc_anyhit_shader;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_callable_shader;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_closesthit_shader;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compilation_status_success;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_add_macro_definition;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_initialize;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_release;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_set_generate_debug_info;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_set_optimization_level;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_set_target_env;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compiler_initialize;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compiler_release;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compute_shader;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_fragment_shader;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_mesh_shader;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_intersection_shader;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_miss_shader;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_optimization_level_performance;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_raygen_shader;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_get_bytes;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_get_compilation_status;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_get_error_message;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_release;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_target_env_vulkan;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_task_shader;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_vertex_shader;

import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lwjgl.BufferUtils;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.shaderc.Shaderc;
import org.lwjgl.util.spvc.Spv;

/**
 * GLSL to SPIR-V for a version of Vulkan by shaderc, on threads with deep stacks. Any thread. Close it when no thread compiles.
 */
final class GlslCompiler implements AutoCloseable {
    /** The message of the compiler's parser for too deep nesting. */
    private static final String TOO_NESTED = "memory exhausted";

    /**
     * The line of a shader that asks to be optimised before a driver sees it, by the performance passes of SPIRV-Tools:
     * functions are inlined and arrays with constant indices become values. Drivers do both as well, but may do it too
     * late to keep such arrays in registers. The names of bindings and members stay.
     */
    private static final String OPTIMISED_CODE = "#pragma optimised_code";

    /** The debug information about lines of the source. */
    private static final Set<Integer> LINES =
            Set.of(Spv.SpvOpSource, Spv.SpvOpSourceContinued, Spv.SpvOpString, Spv.SpvOpLine, Spv.SpvOpNoLine);

    /** The oldest version for which the compiler only writes a message, in any stage. */
    private static final int OLDEST_VERSION = 150;

    /**
     * Spaces or one comment; a backslash takes what follows it, also the end of a line, into the comment. The compiler
     * looks for this line before it has a version, and in another way than its preprocessor.
     */
    private static final Pattern BEFORE_VERSION =
            Pattern.compile("[ \\t\\n]+|/\\*.*?\\*/|//[^\\\\\\n]*+(?:\\\\.[^\\\\\\n]*+)*+", Pattern.DOTALL);

    private static final Pattern VERSION = Pattern.compile("#[ \\t]*version[ \\t]+([0-9]{1,9})");

    private final ShaderTarget target;
    private final long compiler;

    GlslCompiler(ShaderTarget target) {
        this.target = target;
        compiler = shaderc_compiler_initialize();
        if (compiler == MemoryUtil.NULL) {
            throw new GpuException("the shader compiler shaderc could not be initialised");
        }
    }

    /** What shaderc is asked to do with a text. */
    @FunctionalInterface
    private interface Step {
        long run(long compiler, ByteBuffer text, int kind, ByteBuffer file, ByteBuffer entry, long options);
    }

    /**
     * Returns the SPIR-V of a shader.
     *
     * @throws ShaderCompilationException with file, line, the lines that included it and the compiler's words
     */
    ByteBuffer translate(ShaderInput.Glsl input) {
        if (!hasVersion(input.closure().text())) {
            throw refused(input, input.name() + ":1: error: it must begin with #version 450 or later");
        }
        requireLength(input, input.characters());
        long expanded = DeepStack.call(input.characters(), () -> {
            try (IncludeSession includes = new IncludeSession(input.name(), input.closure())) {
                ByteBuffer text = run(input, Shaderc::shaderc_compile_into_preprocessed_text, includes);
                return requireNoRedefinition(input, text, includes);
            }
        });
        requireLength(input, expanded);
        ByteBuffer spirv = DeepStack.call(Math.max(input.characters(), expanded), () -> {
            try (IncludeSession includes = new IncludeSession(input.name(), input.closure())) {
                return run(input, Shaderc::shaderc_compile_into_spv, includes);
            }
        });
        if (asks(input, OPTIMISED_CODE)) {
            spirv = withoutLines(spirv);
        }
        return asks(input, SharedMemoryAccesses.PRAGMA) ? SharedMemoryAccesses.byBarriers(spirv) : spirv;
    }

    /** Returns whether a line of a text is the pragma; none in a comment of a line is. */
    private static boolean asks(ShaderInput.Glsl input, String pragma) {
        return input.closure()
                .text()
                .lines()
                .anyMatch(line -> line.startsWith(pragma)
                        && line.substring(pragma.length()).isBlank());
    }

    /** Returns valid SPIR-V without the debug information about the source. */
    private static ByteBuffer withoutLines(ByteBuffer spirv) {
        return SpirvModule.copy(spirv, (words, at, length, to) -> {
            if (!LINES.contains(words[at] & 0xFFFF)) {
                to.put(words, at, length);
            }
        });
    }

    /**
     * Returns whether a text begins with a version that the compiler accepts, as the compiler reads it. If that finds
     * none, or one too old for Vulkan, it takes the oldest version and writes a message to the terminal.
     */
    private static boolean hasVersion(String text) {
        Matcher at = BEFORE_VERSION.matcher(text);
        while (at.lookingAt()) {
            at.region(at.end(), text.length());
        }
        return at.usePattern(VERSION).lookingAt() && Integer.parseInt(at.group(1)) >= OLDEST_VERSION;
    }

    private static void requireLength(ShaderInput input, long characters) {
        if (characters > DeepStack.LONGEST_TEXT) {
            throw refused(
                    input,
                    input.name() + ":1: error: the text has " + characters + " characters with what it includes and"
                            + " defines, more than " + DeepStack.LONGEST_TEXT
                            + ", which could exhaust the compiler's stack; make several shaders of it");
        }
    }

    /** Refuses a preprocessed text that the compiler crashes at, and returns its length without blanks. */
    private static long requireNoRedefinition(ShaderInput input, ByteBuffer preprocessed, IncludeSession includes) {
        String text = StandardCharsets.UTF_8.decode(preprocessed).toString();
        String redefinition = BlockNames.redefinition(input.name(), text);
        if (redefinition != null) {
            throw refused(input, includes.explain(redefinition));
        }
        // The preprocessor puts spaces between tokens, which take no stack.
        return text.chars().filter(character -> character > ' ').count();
    }

    private static ShaderCompilationException refused(ShaderInput input, String words) {
        return new ShaderCompilationException(
                "shader '" + input.name() + "' (" + input.stage() + ") does not compile:\n" + words);
    }

    private ByteBuffer run(ShaderInput.Glsl input, Step step, IncludeSession includes) {
        long options = shaderc_compile_options_initialize();
        try {
            shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan, target.shaderc);
            define(input.defines(), options);
            if (asks(input, OPTIMISED_CODE)) {
                // Without debug information the optimiser would take the names, too.
                shaderc_compile_options_set_generate_debug_info(options);
                shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_performance);
            }
            includes.attach(options);
            // Text goes through the heap: sources outgrow the thread's memory stack.
            ByteBuffer text = MemoryUtil.memUTF8(includes.text(), false);
            ByteBuffer file = MemoryUtil.memUTF8(input.name());
            ByteBuffer entry = MemoryUtil.memUTF8(input.entry());
            try {
                long result = step.run(compiler, text, kind(input.stage()), file, entry, options);
                if (result == MemoryUtil.NULL) {
                    throw new GpuException("shaderc gave no result for shader '" + input.name() + "'");
                }
                try {
                    return bytesOf(input, includes, result);
                } finally {
                    shaderc_result_release(result);
                }
            } finally {
                MemoryUtil.memFree(text);
                MemoryUtil.memFree(file);
                MemoryUtil.memFree(entry);
            }
        } finally {
            shaderc_compile_options_release(options);
        }
    }

    /** Names and values go through the heap as well. */
    private static void define(Map<String, String> defines, long options) {
        defines.forEach((name, value) -> {
            ByteBuffer called = MemoryUtil.memUTF8(name, false);
            ByteBuffer replaced = MemoryUtil.memUTF8(value, false);
            try {
                shaderc_compile_options_add_macro_definition(options, called, replaced);
            } finally {
                MemoryUtil.memFree(called);
                MemoryUtil.memFree(replaced);
            }
        });
    }

    private static ByteBuffer bytesOf(ShaderInput input, IncludeSession includes, long result) {
        if (shaderc_result_get_compilation_status(result) != shaderc_compilation_status_success) {
            String words = shaderc_result_get_error_message(result);
            String nested = words != null && words.contains(TOO_NESTED)
                    ? "\n  brackets, blocks or branches are nested too deep here for the compiler; split them"
                    : "";
            throw refused(input, (words == null ? "no message" : includes.explain(words.strip())) + nested);
        }
        ByteBuffer bytes = shaderc_result_get_bytes(result);
        if (bytes == null) {
            throw new GpuException("shaderc gave no code for shader '" + input.name() + "'");
        }
        return BufferUtils.createByteBuffer(bytes.remaining()).put(bytes).flip();
    }

    private static int kind(ShaderStage stage) {
        return switch (stage) {
            case VERTEX -> shaderc_vertex_shader;
            case FRAGMENT -> shaderc_fragment_shader;
            case COMPUTE -> shaderc_compute_shader;
            case TASK -> shaderc_task_shader;
            case MESH -> shaderc_mesh_shader;
            case RAY_GENERATION -> shaderc_raygen_shader;
            case ANY_HIT -> shaderc_anyhit_shader;
            case CLOSEST_HIT -> shaderc_closesthit_shader;
            case MISS -> shaderc_miss_shader;
            case INTERSECTION -> shaderc_intersection_shader;
            case CALLABLE -> shaderc_callable_shader;
        };
    }

    @Override
    public void close() {
        shaderc_compiler_release(compiler);
    }
}
