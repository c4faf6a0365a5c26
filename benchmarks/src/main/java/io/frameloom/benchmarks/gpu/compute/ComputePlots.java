package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.benchmarks.report.Plots;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws elements per second by size: a file for each kind of work, a chart for each of its variants and inputs. */
final class ComputePlots {
    private ComputePlots() {}

    /** Draws what was measured; returns the files. */
    static List<Path> write(Path folder, List<Row> rows) throws IOException {
        Map<String, Map<String, Map<String, List<Row>>>> works = new LinkedHashMap<>();
        for (Row row : rows) {
            if (row.skipped() == null && !row.work().equals("copy")) {
                works.computeIfAbsent(row.work(), work -> new LinkedHashMap<>())
                        .computeIfAbsent(row.variant() + ", " + row.input(), chart -> new LinkedHashMap<>())
                        .computeIfAbsent(row.how(), how -> new ArrayList<>())
                        .add(row);
            }
        }
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, Map<String, Map<String, List<Row>>>> work : works.entrySet()) {
            List<Chart<?, ?>> charts = new ArrayList<>();
            work.getValue().forEach((title, series) -> charts.add(chart(work.getKey() + ", " + title, series)));
            Path file = folder.resolve("compute-" + work.getKey() + ".svg");
            Plots.writeSvg(file, charts);
            files.add(file);
        }
        return files;
    }

    private static Chart<?, ?> chart(String title, Map<String, List<Row>> series) {
        XYChart chart = new XYChartBuilder()
                .title(title)
                .xAxisTitle("elements")
                .yAxisTitle("10^9 elements a second")
                .build();
        LongSummaryStatistics lengths = series.values().stream()
                .flatMap(List::stream)
                .mapToLong(Row::length)
                .summaryStatistics();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler()
                .setXAxisLogarithmic(true)
                .setYAxisLogarithmic(true)
                .setXAxisMin(lengths.getMin() / 2.0)
                .setXAxisMax(lengths.getMax() * 2.0);
        series.forEach((how, rows) -> {
            List<Row> bySize = new ArrayList<>(rows);
            bySize.sort(Comparator.comparingLong(Row::length));
            XYSeries line = chart.addSeries(
                    how,
                    bySize.stream().mapToDouble(Row::length).toArray(),
                    bySize.stream()
                            .mapToDouble(row -> row.elementsPerSecond() * 1e-9)
                            .toArray());
            line.setMarker(SeriesMarkers.CIRCLE);
        });
        return chart;
    }
}
