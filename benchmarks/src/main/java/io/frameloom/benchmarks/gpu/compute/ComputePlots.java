package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.benchmarks.report.Plots;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws elements per second by size: a file for each kind of work, a chart for each of its variants and inputs. A broken line
 * is the roof: what a copy of as many bytes would take.
 */
final class ComputePlots {
    static final String ROOF = "copy of as many bytes";

    private ComputePlots() {}

    /** Returns what is drawn: by work, by chart, by line, by length, of rows about the same the last. */
    static Map<String, Map<String, Map<String, Map<Long, Row>>>> charts(List<Row> rows) {
        Map<String, Map<String, Map<String, Map<Long, Row>>>> works = new LinkedHashMap<>();
        for (Row row : rows) {
            if (row.skipped() == null && !row.work().equals("copy")) {
                works.computeIfAbsent(row.work(), work -> new LinkedHashMap<>())
                        .computeIfAbsent(row.variant() + ", " + row.input(), chart -> new LinkedHashMap<>())
                        .computeIfAbsent(row.how(), how -> new TreeMap<>())
                        .put(row.length(), row);
            }
        }
        return works;
    }

    /** Draws what was measured; returns the files. */
    static List<Path> write(Path folder, List<Row> rows) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, Map<String, Map<String, Map<Long, Row>>>> work :
                charts(rows).entrySet()) {
            List<Chart<?, ?>> charts = new ArrayList<>();
            work.getValue().forEach((title, series) -> charts.add(chart(work.getKey() + ", " + title, series)));
            Path file = folder.resolve("compute-" + work.getKey() + ".svg");
            Plots.writeSvg(file, charts);
            files.add(file);
        }
        return files;
    }

    static XYChart chart(String title, Map<String, Map<Long, Row>> series) {
        XYChart chart = new XYChartBuilder()
                .title(title)
                .xAxisTitle("elements")
                .yAxisTitle("10^9 elements a second")
                .build();
        LongSummaryStatistics lengths = series.values().stream()
                .flatMap(rows -> rows.keySet().stream())
                .mapToLong(Long::longValue)
                .summaryStatistics();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler()
                .setXAxisLogarithmic(true)
                .setYAxisLogarithmic(true)
                .setXAxisMin(lengths.getMin() / 2.0)
                .setXAxisMax(lengths.getMax() * 2.0);
        Map<Long, Double> roof = new TreeMap<>();
        series.forEach((how, rows) -> {
            Map<Long, Double> rates = new TreeMap<>();
            rows.forEach((length, row) -> {
                rates.put(length, row.elementsPerSecond());
                if (row.ratioToCopy() > 0) {
                    roof.merge(length, row.elementsPerSecond() / row.ratioToCopy(), Math::max);
                }
            });
            line(chart, how, rates).setMarker(SeriesMarkers.CIRCLE);
        });
        if (!roof.isEmpty()) {
            XYSeries line = line(chart, ROOF, roof);
            line.setMarker(SeriesMarkers.NONE);
            line.setLineStyle(SeriesLines.DASH_DASH);
        }
        return chart;
    }

    private static XYSeries line(XYChart chart, String name, Map<Long, Double> elementsPerSecond) {
        return chart.addSeries(
                name,
                elementsPerSecond.keySet().stream()
                        .mapToDouble(Long::doubleValue)
                        .toArray(),
                elementsPerSecond.values().stream()
                        .mapToDouble(rate -> rate * 1e-9)
                        .toArray());
    }
}
