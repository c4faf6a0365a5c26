package io.frameloom.rdg.tools.report;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /** Opens a table with a head that does not sort it, and its body. */
    Markup captioned(String id, String caption, List<String> columns, Set<String> numbers) {
        open("table", "id", id).element("caption", caption).open("thead").open("tr");
        for (String column : columns) {
            element("th", column, "scope", "col", "class", numbers.contains(column) ? "number" : "text");
        }
        return close("tr").close("thead").open("tbody").line();
    }

    /** Writes a cell with a name that selects what it names; {@code kind} is pass or resource. */
    Markup nameCell(String name, String kind, int index) {
        return open("td", "class", "name").link(name, kind, index).close("td");
    }

    /** Writes a name that selects what it names. */
    Markup link(String name, String kind, int index) {
        return element("button", name, "type", "button", "class", "link", "data-" + kind, index);
    }

    /** Writes a cell with a number, by which the table is sorted. */
    Markup numberCell(String text, Object number) {
        return element("td", text, "class", "number", "data-sort", number);
    }

    /** Opens a part of the page with scroll bars of its own. */
    Markup scroll(String label) {
        return open("div", "class", "scroll", "tabindex", 0, "role", "region", "aria-label", label)
                .line();
    }

    /** Opens a drawing whose left and top edge are at {@code from}. */
    Markup drawing(String id, String css, String label, double from, double width, double height) {
        String box = Stream.of(from, from, width, height).map(Markup::number).collect(Collectors.joining(" "));
        start("svg", "id", id, "class", css, "role", "group", "aria-label", label, "viewBox", box);
        attributes("width", width, "height", height, "data-width", width, "data-height", height);
        out.append('>');
        return this;
    }

    /** Writes the definition of the head of arrows. */
    Markup arrow(String id, String css) {
        start("marker", "id", id, "viewBox", "0 0 8 8", "refX", 7, "refY", 4, "markerWidth", 7, "markerHeight", 7);
        attributes("markerUnits", "userSpaceOnUse", "orient", "auto");
        out.append('>');
        return empty("path", "d", "M0 0 8 4 0 8z", "class", "head " + css).close("marker");
    }

    /** Opens a group that can be selected; {@code kind} is pass or resource. */
    Markup item(String css, String label, String kind, int index, String title) {
        return open("g", "class", css, "tabindex", 0, "role", "button", "aria-label", label, "data-" + kind, index)
                .element("title", title);
    }

    /** Writes a rectangle; {@code css} may be empty. */
    Markup rect(String css, double x, double y, double width, double height, Object... more) {
        styled("rect", css).attributes("x", x, "y", y, "width", width, "height", height);
        attributes(more);
        out.append("/>");
        return this;
    }

    /** Writes text into a drawing; {@code css} may be empty. */
    Markup label(String text, String css, double x, double y, Object... more) {
        styled("text", css).attributes("x", x, "y", y);
        attributes(more);
        out.append('>');
        return text(text).close("text");
    }

    private Markup styled(String tag, String css) {
        start(tag);
        if (!css.isEmpty()) {
            attributes("class", css);
        }
        return this;
    }

    private void start(String tag, Object... attributes) {
        out.append('<').append(tag);
        attributes(attributes);
    }

    private void attributes(Object... attributes) {
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
