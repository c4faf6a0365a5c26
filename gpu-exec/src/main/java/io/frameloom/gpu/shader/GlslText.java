package io.frameloom.gpu.shader;

/**
 * Reads GLSL as the compiler's preprocessor does before it looks for tokens: line ends of any kind, lines that a
 * backslash continues, then comments. Stateless.
 */
final class GlslText {
    private static final char END = '\uFFFF';

    private final String text;
    private final StringBuilder out;
    private int at;
    /** Line ends that were taken out of the current line, and follow it. */
    private int owed;
    /** Whether the current line has had nothing but blanks. */
    private boolean begins = true;

    private boolean directive;

    private GlslText(String text) {
        this.text = text;
        out = new StringBuilder(text.length());
    }

    /** Returns a text whose lines end in line feeds. */
    static String withLineFeeds(String text) {
        return text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n").replace('\r', '\n');
    }

    /**
     * Returns a text with line feeds without comments and continued lines. Lines keep their numbers: empty lines after
     * a directive make up for the lines taken out of it or joined. A backslash continues comments that end with their
     * line, as from GLSL 4.20 on.
     */
    static String plain(String text) {
        if (text.indexOf('/') < 0 && text.indexOf('\\') < 0) {
            return text;
        }
        return new GlslText(text).read();
    }

    private String read() {
        char c = next();
        while (c != END) {
            if (c == '"') {
                c = quoted();
            } else if (c == '/') {
                c = slash();
            } else {
                put(c);
                c = next();
            }
        }
        return out.toString();
    }

    /** Returns the next character after line ends that are continued. */
    private char next() {
        while (text.startsWith("\\\n", at)) {
            at += 2;
            owed++;
        }
        return at < text.length() ? text.charAt(at++) : END;
    }

    private void put(char c) {
        if (c == '\n') {
            out.append("\n".repeat(owed + 1));
            owed = 0;
            begins = true;
            directive = false;
            return;
        }
        directive |= begins && c == '#';
        begins &= c == ' ' || c == '\t';
        out.append(c);
    }

    /** Nothing in quotes is a comment; quotes end with their line. */
    private char quoted() {
        char c = '"';
        do {
            put(c);
            c = next();
        } while (c != '"' && c != '\n' && c != END);
        if (c == '"') {
            put(c);
            c = next();
        }
        return c;
    }

    private char slash() {
        char c = next();
        if (c == '/') {
            do {
                c = next();
            } while (c != '\n' && c != END);
            return c;
        }
        if (c != '*') {
            put('/');
            return c;
        }
        char before = 0;
        c = next();
        while (c != END && !(before == '*' && c == '/')) {
            owed += c == '\n' ? 1 : 0;
            before = c;
            c = next();
        }
        out.append(' ');
        if (!directive && owed > 0) {
            out.append("\n".repeat(owed));
            owed = 0;
        }
        return next();
    }
}
