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

    private static final double LOGARITHMIC_FROM = 30;
    /** On a logarithmic axis an error bar must not reach zero. */
    private static final double LONGEST_ERROR = 0.9;

    private static final double ROOM_ABOVE = 1.1;

    private Panel() {}

    /** Bars, one group per contender, one colour per number of workers. */
    static Chart<?, ?> bars(String title, List<Row> rows) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .yAxisTitle("ns per " + rows.get(0).unit())
                .build();
        boolean logarithmic = style(chart.getStyler(), rows);
        double floor = chart.getStyler().getYAxisMin();
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
                times.add(row == null ? floor : Math.max(row.nsPerTask(), floor));
                errors.add(row == null ? 0.0 : error(row, logarithmic));
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
        boolean logarithmic = style(chart.getStyler(), rows);
        int least = rows.stream().mapToInt(position::apply).min().orElse(1);
        int most = rows.stream().mapToInt(position::apply).max().orElse(1);
        chart.getStyler().setXAxisLogarithmic(most > least * LOGARITHMIC_FROM);
        chart.getStyler().setXAxisDecimalPattern("#,###");
        if (most - least < 10) {
            chart.getStyler().setXAxisMaxLabelCount(most - least + 1);
        }
        for (String contender : values(rows, Row::contender)) {
            List<Row> line = rows.stream()
                    .filter(row -> row.contender().equals(contender) && (!logarithmic || row.nsPerTask() > 0))
                    .toList();
            if (!line.isEmpty()) {
                chart.addSeries(
                        contender,
                        line.stream().mapToDouble(position::apply).toArray(),
                        line.stream().mapToDouble(Row::nsPerTask).toArray(),
                        line.stream()
                                .mapToDouble(row -> error(row, logarithmic))
                                .toArray());
            }
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

    private static double error(Row row, boolean logarithmic) {
        return logarithmic ? Math.min(row.error(), row.nsPerTask() * LONGEST_ERROR) : row.error();
    }

    /** Sets what both kinds share; returns whether the vertical axis is logarithmic. */
    private static boolean style(AxesChartStyler styler, List<Row> rows) {
        double least = rows.stream()
                .mapToDouble(Row::nsPerTask)
                .filter(nanos -> nanos > 0)
                .min()
                .orElse(1);
        double most = rows.stream().mapToDouble(Row::nsPerTask).max().orElse(1);
        boolean logarithmic = most > least * LOGARITHMIC_FROM;
        styler.setYAxisLogarithmic(logarithmic);
        if (logarithmic) {
            double lowest = rows.stream()
                    .filter(row -> row.nsPerTask() > 0)
                    .mapToDouble(row -> row.nsPerTask() - error(row, true))
                    .min()
                    .orElse(least);
            double highest = rows.stream()
                    .mapToDouble(row -> row.nsPerTask() + error(row, true))
                    .max()
                    .orElse(most);
            styler.setYAxisMin(Math.pow(10, Math.floor(Math.log10(lowest))));
            styler.setYAxisMax(Math.pow(10, Math.ceil(Math.log10(highest))));
        } else {
            styler.setYAxisMin(0.0);
            styler.setYAxisMax(ROOM_ABOVE
                    * rows.stream()
                            .mapToDouble(row -> row.nsPerTask() + row.error())
                            .max()
                            .orElse(1));
        }
        styler.setYAxisDecimalPattern("#,##0.###");
        styler.setLegendPosition(Styler.LegendPosition.OutsideE);
        styler.setChartBackgroundColor(Color.WHITE);
        return logarithmic;
    }
}
