package io.frameloom.benchmarks.report;

import io.frameloom.benchmarks.driver.Row;
import java.awt.Color;
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

    private Panel() {}

    /** Bars, one group per contender, one colour per number of workers. */
    static Chart<?, ?> bars(String title, List<Row> rows) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .yAxisTitle("ns per " + rows.get(0).unit())
                .build();
        Scale scale = style(chart.getStyler(), rows);
        chart.getStyler().setAvailableSpaceFill(0.8);
        chart.getStyler().setXAxisLabelRotation(20);
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
                .title(title)
                .xAxisTitle(axis)
                .yAxisTitle("ns per " + rows.get(0).unit())
                .build();
        Scale scale = style(chart.getStyler(), rows);
        int least = rows.stream().mapToInt(position::apply).min().orElse(1);
        int most = rows.stream().mapToInt(position::apply).max().orElse(1);
        chart.getStyler().setXAxisLogarithmic(most > least * LOGARITHMIC_FROM);
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
        return workers == 1 ? "1 worker" : workers + " workers";
    }

    /** The distinct values, in the order of the rows. */
    static <T> Set<T> values(List<Row> rows, Function<Row, T> of) {
        Set<T> values = new LinkedHashSet<>();
        for (Row row : rows) {
            values.add(of.apply(row));
        }
        return values;
    }

    private static Scale style(AxesChartStyler styler, List<Row> rows) {
        styler.setLegendPosition(Styler.LegendPosition.OutsideE);
        styler.setChartBackgroundColor(Color.WHITE);
        Scale scale = Scale.of(rows);
        scale.applyTo(styler);
        return scale;
    }
}
