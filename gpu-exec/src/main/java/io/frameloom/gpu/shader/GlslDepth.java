package io.frameloom.gpu.shader;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Bounds from above how deep the tree of an expression becomes, into which the compiler recurses: the operators that stand one
 * after the other, and those in the deepest brackets between them. The compiler's own parser bounds how deep brackets, blocks
 * and branches are nested, but not the length of {@code a + a + a}. One thread.
 *
 * <p>The stack of {@link DeepStack} was seen to end at 32,000 to 64,000 operators of the kinds that take most of it.
 */
final class GlslDepth {
    /** Most operators in a row, brackets included. */
    static final int MOST = 10_000;
    /** Most structs, each of which may be nested in another; 32,000 were seen to be compiled. */
    static final int MOST_STRUCTS = 4_000;

    private static final Pattern LINE = Pattern.compile("#[ \\t]*line[ \\t]+([0-9]{1,9})(?:[ \\t]+\"([^\"\\n]*)\")?");
    private static final String OPERATORS = "+-*/%<>=!&|^~?:.";
    private static final String WITH_ITSELF = "&|=<>+-";

    private final String text;
    private final Deque<Level> open = new ArrayDeque<>();
    private Level level = new Level(false);
    /** Operators of the levels around the current one, and these levels. */
    private int around;

    private String file;
    private int line = 1;
    private int structs;
    /** The last token: a punctuation mark, or the last character of a word or number; 0 at the beginning. */
    private char last;
    /** The last token as a word; empty if it is none. */
    private String word = "";

    /** Brackets, or a statement. */
    private static final class Level {
        /** Whether what commas separate here stands side by side: arguments and initializers. */
        private final boolean list;

        private int operators;
        private int deepest;
        private int deepestBefore;

        Level(boolean list) {
            this.list = list;
        }

        void separate() {
            deepestBefore = depth();
            operators = 0;
            deepest = 0;
        }

        int depth() {
            return Math.max(deepestBefore, operators + deepest);
        }
    }

    private GlslDepth(String file, String text) {
        this.file = file;
        this.text = text;
    }

    /**
     * Returns what is too deep in a text without conditions, macros and comments, as the compiler would say it: file, line and reason; null if nothing is.
     *
     * @param file name of the text, until a line directive names another
     */
    static @Nullable String excess(String file, String text) {
        return new GlslDepth(file, text).scan();
    }

    private @Nullable String scan() {
        int at = 0;
        boolean lineBegins = true;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\n') {
                line++;
                lineBegins = true;
                at++;
            } else if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '#' && lineBegins) {
                // A directive may stand in the middle of an expression, which goes on behind it.
                name(at);
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (c == '"') {
                at = afterQuotes(at);
            } else {
                lineBegins = false;
                at = Character.isLetterOrDigit(c) || c == '_' ? afterWord(at) : afterMark(at, c);
                if (around + level.depth() > MOST) {
                    return excess("more than " + MOST + " operators or brackets follow each other or are nested here,"
                            + " which would exhaust the compiler's stack; split the expression");
                }
                if (structs > MOST_STRUCTS) {
                    return excess("there are more than " + MOST_STRUCTS
                            + " structs, which would exhaust the compiler's stack if they were nested; use fewer");
                }
            }
        }
        return null;
    }

    /** Goes on with the file and line that a line directive names. */
    private void name(int directive) {
        Matcher named = LINE.matcher(text).region(directive, text.length());
        if (named.lookingAt()) {
            // The number is that of the line behind the directive's.
            line = Integer.parseInt(named.group(1)) - 1;
            file = named.group(2) == null ? file : named.group(2);
        }
    }

    private String excess(String reason) {
        return file + ":" + line + ": error: " + reason;
    }

    /** Quotes end with their line. */
    private int afterQuotes(int from) {
        int at = from + 1;
        while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\n') {
            at++;
        }
        return at < text.length() && text.charAt(at) == '"' ? at + 1 : at;
    }

    private int afterWord(int from) {
        int at = from;
        boolean number = Character.isDigit(text.charAt(from));
        while (at < text.length() && isOfWord(text.charAt(at), number)) {
            at++;
        }
        word = text.substring(from, at);
        last = text.charAt(at - 1);
        structs += word.equals("struct") ? 1 : 0;
        return at;
    }

    private static boolean isOfWord(char c, boolean number) {
        return Character.isLetterOrDigit(c) || c == '_' || (number && c == '.');
    }

    private int afterMark(int at, char c) {
        int after = at + 1;
        switch (c) {
            case ';' -> statement();
            case '(', '[' -> enter(c == '(' && isCall());
            case '{' -> {
                if (last == '=' || (level.list && (last == ',' || last == '{' || last == '('))) {
                    enter(true);
                } else {
                    restart();
                }
            }
            case ')', ']' -> leave(c);
            case '}' -> {
                if (level.list) {
                    leave(c);
                } else {
                    restart();
                }
            }
            case ',' -> {
                if (level.list) {
                    level.separate();
                } else {
                    level.operators++;
                }
            }
            default -> {
                if (OPERATORS.indexOf(c) >= 0) {
                    level.operators++;
                    char next = after < text.length() ? text.charAt(after) : 0;
                    after += next == '=' || (next == c && WITH_ITSELF.indexOf(c) >= 0) ? 1 : 0;
                }
            }
        }
        last = c;
        word = "";
        return after;
    }

    /** Returns whether a bracket that opens now holds arguments. */
    private boolean isCall() {
        return last == ']'
                || (!word.isEmpty()
                        && !switch (word) {
                            case "if", "for", "while", "switch", "return", "else", "do", "case" -> true;
                            default -> false;
                        });
    }

    private void enter(boolean list) {
        around += level.operators + 1;
        open.push(level);
        level = new Level(list);
    }

    private void leave(char mark) {
        if (open.isEmpty()) {
            return;
        }
        int depth = level.depth() + 1;
        level = open.pop();
        around -= level.operators + 1;
        level.deepest = Math.max(level.deepest, depth);
        level.operators += mark == ']' ? 1 : 0;
    }

    /** Ends a statement: what follows is beside it. In brackets it is a part of a loop's head. */
    private void statement() {
        level.separate();
        level.deepestBefore = open.isEmpty() ? 0 : level.deepestBefore;
    }

    private void restart() {
        open.clear();
        around = 0;
        level = new Level(false);
    }
}
