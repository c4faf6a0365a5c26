package io.frameloom.benchmarks.report;

import io.frameloom.benchmarks.driver.Row;
import io.frameloom.gpu.internal.Plural;
import java.awt.Color;
import java.awt.Font;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;

/** Makes one chart of rows of one shape. */
final class Panel {
    static final int WIDTH = 1_200;
    static final int HEIGHT = 520;

    private static final int LOGARITHMIC_FROM = 30;
    private static final int LABEL_SLANT = -35;
    private static final int LABEL_SIZE = 12;

    /** Short of 1, where the library leaves out the labels at the ends of the axis. */
    private static final double CONTENT = 0.99;

    private static final double MARGIN = 0.04;

    private Panel() {}

    /** Bars, one group per contender, one colour per number of workers. */
    static Chart<?, ?> bars(String title, List<Row> rows) {
        CategoryChart chart =
                new CategoryChartBuilder().width(WIDTH).height(HEIGHT).build();
        Scale scale = style(chart, chart.getStyler(), title, rows);
        chart.getStyler().setAvailableSpaceFill(0.8);
        // A slanted name begins at its own bars and runs down to the right, where the legend leaves room for the last
        // one: the library leaves out a name that would end off the picture.
        chart.getStyler().setXAxisLabelRotation(LABEL_SLANT);
        chart.getStyler().setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, LABEL_SIZE));
        chart.getStyler().setXAxisLabelAlignment(AxesChartStyler.TextAlignment.Left);
        chart.getStyler().setXAxisLabelAlignmentVertical(AxesChartStyler.TextAlignment.Right);
        List<String> contenders = new ArrayList<>(values(rows, Row::contender));
        for (int workers : new TreeSet<>(values(rows, Row::workers))) {
            List<Double> times = new ArrayList<>();
            List<Double> errors = new ArrayList<>();
            for (String contender : contenders) {
                Row row = rows.stream()
                        .filter(candidate -> candidate.workers() == workers
                                && candidate.contender().equals(contender))
                        .findFirst()
                        .orElse(null);
                // The library takes no gaps here: who was not measured gets a bar without height.
                times.add(row == null ? 0.0 : scale.position(row.nsPerTask()));
                errors.add(row == null ? 0.0 : scale.error(row));
            }
            chart.addSeries(count(workers), contenders, times, errors);
        }
        return chart;
    }

    /** Lines, one per contender, over whatever the given function reads from a row. */
    static Chart<?, ?> lines(String title, String axis, List<Row> rows, Function<Row, Integer> position) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .xAxisTitle(axis)
                .build();
        Scale scale = style(chart, chart.getStyler(), title, rows);
        int least = rows.stream().mapToInt(position::apply).min().orElse(1);
        int most = rows.stream().mapToInt(position::apply).max().orElse(1);
        boolean logarithmic = most > least * LOGARITHMIC_FROM;
        chart.getStyler().setXAxisLogarithmic(logarithmic);
        // The outermost points keep a distance from the edges.
        double factor = Math.pow((double) most / least, MARGIN);
        double distance = Math.max(most - least, 1) * MARGIN;
        chart.getStyler().setXAxisMin(logarithmic ? least / factor : least - distance);
        chart.getStyler().setXAxisMax(logarithmic ? most * factor : most + distance);
        chart.getStyler().setXAxisDecimalPattern("#,###");
        if (most - least < 10) {
            chart.getStyler().setXAxisMaxLabelCount(most - least + 1);
        }
        for (String contender : values(rows, Row::contender)) {
            List<Row> line = rows.stream()
                    .filter(row -> row.contender().equals(contender))
                    .toList();
            chart.addSeries(
                    contender,
                    line.stream().mapToDouble(position::apply).toArray(),
                    line.stream()
                            .mapToDouble(row -> scale.position(row.nsPerTask()))
                            .toArray(),
                    line.stream().mapToDouble(row -> scale.error(row)).toArray());
        }
        return chart;
    }

    static String count(int workers) {
        return Plural.of(workers, "worker");
    }

    /** The distinct values, in the order of the rows. */
    static <T> Set<T> values(List<Row> rows, Function<Row, T> of) {
        Set<T> values = new LinkedHashSet<>();
        for (Row row : rows) {
            values.add(of.apply(row));
        }
        return values;
    }

    private static Scale style(Chart<?, ?> chart, AxesChartStyler styler, String title, List<Row> rows) {
        Scale scale = Scale.of(rows);
        chart.setTitle(title + ", " + scale.whiskers());
        chart.setYAxisTitle("ns per " + rows.get(0).unit() + (scale.logarithmic() ? " (logarithmic)" : ""));
        styler.setLegendPosition(Styler.LegendPosition.OutsideE);
        styler.setChartBackgroundColor(Color.WHITE);
        // What is drawn is clipped at the edge of the plot, so the foot of the axis has to be there: a whisker longer
        // than its bar would go on below zero otherwise.
        styler.setPlotContentSize(CONTENT);
        scale.applyTo(styler);
        return scale;
    }
}
