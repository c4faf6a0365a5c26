package io.frameloom.gpu.shader;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the {@code #version} line of GLSL, which only spaces and comments may precede. It is read as the compiler reads
 * it: if that finds none, or one too old for Vulkan, it takes the oldest version and writes a message to the terminal.
 * Texts have line feeds. Stateless.
 */
final class VersionLine {
    /** The oldest version for which the compiler only writes a message, in any stage. */
    private static final int OLDEST = 150;

    /**
     * Spaces or one comment; a backslash takes what follows it, also the end of a line, into the comment. The compiler
     * looks for this line before it has a version, and in another way than its preprocessor.
     */
    private static final Pattern SKIPPED =
            Pattern.compile("[ \\t\\n]+|/\\*.*?\\*/|//[^\\\\\\n]*+(?:\\\\.[^\\\\\\n]*+)*+", Pattern.DOTALL);

    private static final Pattern DIRECTIVE = Pattern.compile("#[ \\t]*version[ \\t]+([0-9]{1,9})");

    private VersionLine() {}

    /** Returns whether a text begins with a version that the compiler accepts. */
    static boolean begins(String text) {
        Matcher at = SKIPPED.matcher(text);
        while (at.lookingAt()) {
            at.region(at.end(), text.length());
        }
        return at.usePattern(DIRECTIVE).lookingAt() && Integer.parseInt(at.group(1)) >= OLDEST;
    }
}
