package io.frameloom.gpu.shader;

import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_set_generate_debug_info;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_set_optimization_level;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_optimization_level_performance;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.Set;
import java.util.regex.Pattern;
import org.lwjgl.BufferUtils;
import org.lwjgl.util.spvc.Spv;

/**
 * Code of a shader that asks to be optimised before a driver sees it, by the performance passes of SPIRV-Tools:
 * functions are inlined and arrays with constant indices become values. Drivers do both as well, but may do it too late
 * to keep such arrays in registers. The names of bindings and members stay. Stateless.
 */
final class OptimisedCode {
    /** The line of a shader that asks for this. */
    static final String PRAGMA = "#pragma optimised_code";

    private static final Pattern ASKED = Pattern.compile("^" + PRAGMA + "[ \\t]*$", Pattern.MULTILINE);

    /** The debug information about lines of the source. */
    private static final Set<Integer> LINES =
            Set.of(Spv.SpvOpSource, Spv.SpvOpSourceContinued, Spv.SpvOpString, Spv.SpvOpLine, Spv.SpvOpNoLine);

    private OptimisedCode() {}

    /** Returns whether a line of a text is the pragma; none in a comment of a line is. */
    static boolean isAskedFor(String text) {
        return ASKED.matcher(text).find();
    }

    /** Has shaderc optimise. Without debug information it would take the names, too. */
    static void ask(long options) {
        shaderc_compile_options_set_generate_debug_info(options);
        shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_performance);
    }

    /** Returns valid SPIR-V without the debug information about the source. */
    static ByteBuffer withoutLines(ByteBuffer spirv) {
        int[] words = new int[spirv.remaining() / Integer.BYTES];
        spirv.asIntBuffer().get(words);
        ByteBuffer kept = BufferUtils.createByteBuffer(spirv.remaining());
        IntBuffer to = kept.asIntBuffer();
        to.put(words, 0, SpirvModule.HEADER_WORDS);
        int length;
        for (int at = SpirvModule.HEADER_WORDS; at < words.length; at += length) {
            length = words[at] >>> 16;
            if (!LINES.contains(words[at] & 0xFFFF)) {
                to.put(words, at, length);
            }
        }
        kept.limit(to.position() * Integer.BYTES);
        return kept;
    }
}
