package io.frameloom.rdg.tools.report;

import java.util.List;
import java.util.Set;

/**
 * HTML and SVG text. All text from outside goes through {@link #text} or an attribute's value, which are escaped. Tags
 * and names of attributes are literals of this package.
 */
final class Markup {
    private static final char REPLACEMENT = '\uFFFD';

    private final StringBuilder out = new StringBuilder();

    /** Opens an element; attributes are pairs of name and value. */
    Markup open(String tag, Object... attributes) {
        start(tag, attributes);
        out.append('>');
        return this;
    }

    /** Writes an element without content, in the form that both HTML's void elements and SVG allow. */
    Markup empty(String tag, Object... attributes) {
        start(tag, attributes);
        out.append("/>");
        return this;
    }

    Markup close(String tag) {
        out.append("</").append(tag).append('>');
        return this;
    }

    /** Writes an element with text. */
    Markup element(String tag, String text, Object... attributes) {
        return open(tag, attributes).text(text).close(tag);
    }

    Markup text(String text) {
        escape(text);
        return this;
    }

    Markup line() {
        out.append('\n');
        return this;
    }

    /** Adds markup that is well-formed already. */
    Markup raw(CharSequence markup) {
        out.append(markup);
        return this;
    }

    Markup add(Markup other) {
        out.append(other.out);
        return this;
    }

    /** Opens a table with a head whose buttons sort it, and its body. */
    Markup sortable(String id, List<String> columns, Set<String> numbers) {
        open("table", "id", id, "class", "sortable").open("thead").open("tr");
        for (String column : columns) {
            open("th", "scope", "col", "aria-sort", "none", "class", numbers.contains(column) ? "number" : "text");
            element("button", column, "type", "button", "class", "sort").close("th");
        }
        return close("tr").close("thead").open("tbody").line();
    }

    private void start(String tag, Object... attributes) {
        out.append('<').append(tag);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ').append(attributes[i]).append("=\"");
            Object value = attributes[i + 1];
            escape(value instanceof Double number ? number(number) : String.valueOf(value));
            out.append('"');
        }
    }

    /** Returns a coordinate with at most two decimals. */
    static String number(double value) {
        double rounded = Math.rint(value * 100) / 100;
        return rounded == Math.rint(rounded) ? Long.toString((long) rounded) : Double.toString(rounded);
    }

    private void escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> {
                    if (Character.isHighSurrogate(c)
                            && i + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(i + 1))) {
                        out.append(c).append(text.charAt(++i));
                    } else {
                        out.append(isAllowed(c) ? c : REPLACEMENT);
                    }
                }
            }
        }
    }

    /** HTML has no way to write control characters, and UTF-8 none to write half a surrogate pair. */
    private static boolean isAllowed(char c) {
        return (c >= ' ' || c == '\n' || c == '\t')
                && (c < 0x7F || c > 0x9F)
                && !Character.isSurrogate(c)
                && c < 0xFFFE;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
