package io.frameloom.rdg.diagnostics;

import io.frameloom.rdg.FramePlan;

/**
 * Text with names of applications in it, for one line of a log or a terminal: the library's own messages, and those of tools
 * that print names of a {@link FramePlan} or a {@code GraphFile} in words of their own. Any thread.
 */
public final class PrintableText {
    private PrintableText() {}

    /**
     * Returns the text with what would end the line, drive a terminal or turn the order of the letters about written as
     * an escape of Java, such as {@code \n} or <code>\</code>{@code u001b}.
     */
    public static String of(String text) {
        int plain = 0;
        while (plain < text.length() && !escaped(text.charAt(plain))) {
            plain++;
        }
        if (plain == text.length()) {
            return text;
        }
        StringBuilder printable = new StringBuilder(text.length() + 16).append(text, 0, plain);
        for (int i = plain; i < text.length(); i++) {
            append(printable, text.charAt(i));
        }
        return printable.toString();
    }

    private static void append(StringBuilder printable, char c) {
        if (!escaped(c)) {
            printable.append(c);
            return;
        }
        switch (c) {
            case '\n' -> printable.append("\\n");
            case '\r' -> printable.append("\\r");
            case '\t' -> printable.append("\\t");
            default -> {
                String digits = Integer.toHexString(c);
                printable.append("\\u").append("0".repeat(4 - digits.length())).append(digits);
            }
        }
    }

    private static boolean escaped(char c) {
        return Character.isISOControl(c)
                || c == '\u061c'
                || (c >= '\u200e' && c <= '\u200f')
                || (c >= '\u2028' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069');
    }
}
