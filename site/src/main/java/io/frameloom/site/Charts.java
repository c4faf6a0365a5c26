package io.frameloom.site;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Draws the numbers of a table as bars, as SVG inside of HTML. A row is a panel, a column that measures something a bar
 * of it; the panel's largest number is the longest bar. A table with one such column is a single panel of its rows.
 *
 * <p>Columns are drawn together that have one unit: the last word of the heading, if it is one. Columns that say what a
 * row is about, and ratios, are not drawn. Nothing is drawn of a table that bars show nothing of.
 */
final class Charts {
    /** A number, in bold type or not, with its error or with another number in brackets. */
    private static final Pattern NUMBER =
            Pattern.compile("(\\d{1,3}(?:,\\d{3})+|\\d+)(\\.\\d+)?(?: ± [\\d.,]+)?(?: \\([^)]*\\))?");

    private static final Set<String> UNITS = Set.of("ns", "us", "ms", "s", "B", "KB", "MB", "frames/s");
    private static final Set<String> ABOUT =
            Set.of("workers", "threads", "queues", "passes", "commands", "frames", "elements", "words");
    private static final Pattern RATIO = Pattern.compile("ratio|in parallel|through |best of|of a copy");

    /** Columns of others, in tables that compare. */
    private static final Set<String> RIVALS = Set.of(
            "fjp rerun",
            "fjp",
            "fjp-plain",
            "CompletableFuture",
            "fixed pool",
            "virtual threads",
            "scopes",
            "ForkJoinPool",
            "structured scopes",
            "oneTBB",
            "Taskflow",
            "plain LWJGL",
            "plain",
            "CUB",
            "rival");

    /** Bars whose lengths differ by less say nothing. */
    private static final double LEAST_CONTRAST = 1.25;

    private static final int LINE = 16;
    private static final int BAR = 11;
    private static final int FULL = 92;
    private static final int VALUE = 50;
    /** Of a letter, at the size in site.css. */
    private static final double LETTER = 6.3;

    private static final int MOST_LETTERS = 34;

    private final List<String> headings;
    private final List<List<String>> rows;

    private Charts(List<String> headings, List<List<String>> rows) {
        this.headings = headings;
        this.rows = rows;
    }

    /**
     * A bar.
     *
     * @param label what it stands for
     * @param text the number as the table has it
     * @param value the number
     * @param rival whether it is another's
     */
    private record Bar(String label, String text, double value, boolean rival) {}

    /** Bars that are drawn together. Several may have one name, as rows may. */
    private record Panel(String name, List<Bar> bars) {}

    /** Returns the bars of a table, or nothing. */
    static String of(List<String> headings, List<List<String>> rows) {
        return new Charts(headings, rows).html();
    }

    private String html() {
        Map<String, List<Integer>> byUnit = new LinkedHashMap<>();
        for (int column = 0; column < headings.size(); column++) {
            if (measures(column)) {
                byUnit.computeIfAbsent(unit(headings.get(column)), unit -> new ArrayList<>())
                        .add(column);
            }
        }
        StringBuilder charts = new StringBuilder();
        if (byUnit.size() == 1 && byUnit.values().iterator().next().size() == 1) {
            charts.append(ofRows(byUnit.values().iterator().next().get(0)));
        } else {
            byUnit.values().stream()
                    .filter(columns -> columns.size() > 1)
                    .forEach(columns -> charts.append(of(columns)));
        }
        return charts.toString();
    }

    private boolean measures(int column) {
        String heading = headings.get(column);
        // The first column names the row.
        if (column == 0 || ABOUT.contains(heading) || RATIO.matcher(heading).find()) {
            return false;
        }
        long numbers = rows.stream().filter(row -> number(row, column) != null).count();
        long others = rows.stream()
                .filter(row -> number(row, column) == null
                        && !cell(row, column).isEmpty()
                        && !cell(row, column).equals("-"))
                .count();
        return numbers > others;
    }

    private static String unit(String heading) {
        String last = heading.substring(heading.lastIndexOf(' ') + 1);
        return UNITS.contains(last) ? last : "";
    }

    private static String cell(List<String> row, int column) {
        return column < row.size() ? row.get(column) : "";
    }

    private static @Nullable Double number(List<String> row, int column) {
        Matcher number = NUMBER.matcher(cell(row, column));
        return number.matches()
                ? Double.valueOf(number.group(1).replace(",", "") + Objects.requireNonNullElse(number.group(2), ""))
                : null;
    }

    private String of(List<Integer> columns) {
        boolean compares = columns.stream().anyMatch(column -> RIVALS.contains(headings.get(column)));
        List<Panel> panels = new ArrayList<>();
        for (List<String> row : rows) {
            List<Bar> bars = new ArrayList<>();
            for (int column : columns) {
                Double value = number(row, column);
                if (value != null) {
                    bars.add(new Bar(
                            label(column),
                            cell(row, column),
                            value,
                            compares && RIVALS.contains(headings.get(column))));
                }
            }
            if (bars.size() > 1) {
                panels.add(new Panel(name(row, columns.get(0)), bars));
            }
        }
        return figure(panels);
    }

    /** A heading that is a unit alone is about the column before. */
    private String label(int column) {
        String heading = headings.get(column);
        return UNITS.contains(heading) && column > 0 ? headings.get(column - 1) + ", " + heading : heading;
    }

    private String ofRows(int column) {
        List<Bar> bars = new ArrayList<>();
        for (List<String> row : rows) {
            Double value = number(row, column);
            if (value != null) {
                bars.add(new Bar(name(row, column), cell(row, column), value, false));
            }
        }
        return bars.size() > 1 ? figure(List.of(new Panel(headings.get(column), bars))) : "";
    }

    /** What a row is about: the columns before the numbers. */
    private String name(List<String> row, int end) {
        List<String> parts = new ArrayList<>();
        for (int column = 0; column < end; column++) {
            String cell = cell(row, column);
            if (!measures(column) && !cell.isEmpty()) {
                parts.add(number(row, column) == null ? cell : headings.get(column) + ' ' + cell);
            }
        }
        return String.join(", ", parts);
    }

    private static String figure(List<Panel> panels) {
        double contrast = panels.stream()
                .map(Panel::bars)
                .mapToDouble(bars -> largest(bars)
                        / Math.max(
                                1e-9,
                                bars.stream().mapToDouble(Bar::value).min().orElse(1)))
                .max()
                .orElse(1);
        long none = panels.stream()
                .flatMap(panel -> panel.bars().stream())
                .filter(bar -> bar.value() == 0)
                .count();
        long all = panels.stream().mapToLong(panel -> panel.bars().size()).sum();
        if (contrast < LEAST_CONTRAST || 2 * none > all) {
            return "";
        }
        StringBuilder figure = new StringBuilder("<figure class=\"charts\" aria-hidden=\"true\">\n");
        panels.forEach(panel -> figure.append("<div><p>")
                .append(Site.escaped(panel.name()))
                .append("</p>\n")
                .append(svg(panel.bars()))
                .append("</div>\n"));
        if (panels.stream().flatMap(panel -> panel.bars().stream()).anyMatch(Bar::rival)) {
            figure.append("<figcaption>blue: Frameloom, grey: others</figcaption>\n");
        }
        return figure.append("</figure>\n").toString();
    }

    private static double largest(List<Bar> bars) {
        return bars.stream().mapToDouble(Bar::value).max().orElse(0);
    }

    /** Made for reading beside the table, which has the same numbers, so it is hidden from what reads aloud. */
    private static String svg(List<Bar> bars) {
        int letters = bars.stream().mapToInt(bar -> bar.label().length()).max().orElse(0);
        int left = (int) (Math.min(letters, MOST_LETTERS) * LETTER) + 12;
        int width = left + FULL + VALUE;
        double scale = FULL / Math.max(1e-9, largest(bars));
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n",
                width,
                bars.size() * LINE,
                width,
                bars.size() * LINE));
        int y = 0;
        for (Bar bar : bars) {
            String text = bar.text().replaceAll(" [(±].*", "");
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%d\" class=\"label\">%s</text><rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"%s/>"
                            + "<text x=\"%.1f\" y=\"%d\">%s</text>\n",
                    left - 5,
                    y + BAR,
                    Site.escaped(shortened(bar.label())),
                    left,
                    y + 2,
                    Math.max(0.5, bar.value() * scale),
                    BAR,
                    bar.rival() ? " class=\"rival\"" : "",
                    left + bar.value() * scale + 4,
                    y + BAR,
                    Site.escaped(text)));
            y += LINE;
        }
        return svg.append("</svg>\n").toString();
    }

    private static String shortened(String label) {
        return label.length() <= MOST_LETTERS ? label : label.substring(0, MOST_LETTERS - 1) + '…';
    }
}
