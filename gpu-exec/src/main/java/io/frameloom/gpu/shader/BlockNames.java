package io.frameloom.gpu.shader;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds names of blocks that are declared once more outside of functions, which GLSL forbids: glslang crashes at an
 * array with the name of an earlier block. Stateless.
 */
final class BlockNames {
    private static final Pattern TOKEN = Pattern.compile("\"[^\"\n]*+\"|(?<word>[A-Za-z_][A-Za-z_0-9]*)"
            + "|#(?:[ \\t]*line[ \\t]+(?<line>[0-9]{1,9})(?:[ \\t]+\"(?<file>[^\"\n]*)\")?)?[^\n]*"
            + "|[0-9][A-Za-z_0-9.]*|[^ \\t]");

    /** The text that may stand between a name and the bracket after it. */
    private static final Pattern BLANK = Pattern.compile("(?:\\s|#[^\n]*+)*+");

    private BlockNames() {}

    /**
     * Returns the first double declaration in a preprocessed text, in the compiler's words; null if there is none.
     *
     * @param name name of the text, until a line directive names another
     */
    static @Nullable String redefinition(String name, String text) {
        Matcher token = TOKEN.matcher(text);
        Set<String> blocks = new HashSet<>();
        String file = name;
        int line = 1;
        int depth = 0;
        String last = "";
        while (token.find()) {
            String word = token.group("word");
            if (token.group("line") != null) {
                // The number is that of the line after the directive's.
                line = Integer.parseInt(token.group("line")) - 1;
                file = token.group("file") == null ? file : token.group("file");
            } else if (word != null) {
                boolean opens = depth == 0 && begins('{', text, token.end());
                boolean struct = word.equals("struct") || last.equals("struct");
                if (opens && !struct) {
                    blocks.add(word);
                } else if (depth == 0 && !struct && blocks.contains(word) && !begins('(', text, token.end())) {
                    return file + ":" + line + ": error: '" + word + "' : redefinition, it is the name of a block";
                }
                last = word;
            } else {
                String other = token.group();
                line += (int) other.chars().filter(c -> c == '\n').count();
                depth += other.equals("{") || other.equals("(") ? 1 : other.equals("}") || other.equals(")") ? -1 : 0;
                // Lines and directives may stand within a declaration.
                last = other.isBlank() || other.startsWith("#") ? last : "";
            }
        }
        return null;
    }

    private static boolean begins(char mark, String text, int from) {
        Matcher blank = BLANK.matcher(text).region(from, text.length());
        int at = blank.lookingAt() ? blank.end() : from;
        return at < text.length() && text.charAt(at) == mark;
    }
}
