package io.frameloom.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.frameloom.benchmarks.dag.BodyKind;
import io.frameloom.benchmarks.dag.DagBenchmark;
import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.fan.FanOutFanIn;
import io.frameloom.benchmarks.parallelfor.ParallelFor;
import io.frameloom.benchmarks.ramp.Ramp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.Chart;
import org.w3c.dom.Element;

/** The pictures: one file per family, with everybody in it. */
@Timeout(100)
class PlotsTest {
    private static final List<String> CONTENDERS = List.of("frameloom-dynamic", "fjp-handmapped", "virtual-threads");

    @TempDir
    Path folder;

    private static List<Row> rows(String shape, double spread, Integer parameter) {
        List<Row> rows = new ArrayList<>();
        for (int workers : new int[] {1, 2}) {
            double nanos = 3;
            for (String contender : CONTENDERS) {
                // One is there for two workers only, as virtual threads are.
                if (workers == 2 || !contender.equals("virtual-threads")) {
                    rows.add(ReportTest.row(shape, workers, contender, false, nanos, "empty", parameter));
                }
                nanos *= spread;
            }
        }
        return rows;
    }

    private static Benchmark fan(String name) {
        return new DagBenchmark(name, Family.bars("fan"), new FanOutFanIn(4), BodyKind.EMPTY, List.of());
    }

    private static void expectPicture(Path file, int charts) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        Element svg = factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
        assertThat(svg.getTagName()).isEqualTo("svg");
        assertThat(svg.getAttribute("viewBox")).endsWith(" " + Panel.WIDTH + " " + charts * Panel.HEIGHT);
        // Text and lines are paths: axes, ticks, a legend and the data are many.
        assertThat(svg.getElementsByTagName("path").getLength()).isGreaterThan(charts * 20);
    }

    @Test
    void aFamilyOfBarsShowsEveryShapeContenderAndWorkerCount() throws Exception {
        List<Row> rows = new ArrayList<>(rows("fan", 2, null));
        rows.addAll(rows("fan-64", 20, null));
        List<Path> files = Plots.write(folder, List.of(fan("fan"), fan("fan-64"), new Ramp()), rows);
        assertThat(files).containsExactly(folder.resolve("fan.svg"));
        expectPicture(files.get(0), 2);

        List<Chart<?, ?>> charts = Plots.panels(Family.bars("fan"), rows);
        assertThat(charts).extracting(Chart::getTitle).containsExactly("fan, body empty", "fan-64, body empty");
        for (Chart<?, ?> chart : charts) {
            assertThat(chart.getSeriesMap().keySet()).hasToString("[1 worker, 2 workers]");
        }
        CategoryChart linear = (CategoryChart) charts.get(0);
        CategoryChart logarithmic = (CategoryChart) charts.get(1);
        assertThat(logarithmic.getStyler().getYAxisMax()).isEqualTo(4, within(1e-9));
        CategorySeries decades = logarithmic.getSeriesMap().get("2 workers");
        assertThat(decades.getYData().iterator().next().doubleValue()).isEqualTo(Math.log10(3), within(1e-9));
        CategorySeries two = linear.getSeriesMap().get("2 workers");
        assertThat(List.copyOf(two.getXData())).isEqualTo(CONTENDERS);
        assertThat(List.copyOf(two.getYData())).hasToString("[3.0, 6.0, 12.0]");
        assertThat(two.getExtraValues()).hasSize(3);
        assertThat(List.copyOf(linear.getSeriesMap().get("1 worker").getYData()))
                .hasToString("[3.0, 6.0, 0.0]");
    }

    @Test
    void linesRunOverWorkersOrTheGrain() throws Exception {
        List<Row> rows = new ArrayList<>(rows("ramp", 20, null));
        for (int grain : new int[] {1_000, 10_000, 100_000}) {
            rows.addAll(rows("parallel-for", 2, grain));
        }
        List<Path> files = Plots.write(folder, List.of(new Ramp(), new ParallelFor(8)), rows);
        assertThat(files).containsExactly(folder.resolve("ramp.svg"), folder.resolve("parallel-for.svg"));
        expectPicture(files.get(0), 1);
        expectPicture(files.get(1), 2);

        XYChart ramp =
                (XYChart) Plots.panels(new Ramp().family(), rows.subList(0, 5)).get(0);
        assertThat(ramp.getSeriesMap().keySet()).hasToString(CONTENDERS.toString());
        assertThat(ramp.getSeriesMap().get("fjp-handmapped").getXData()).containsExactly(1, 2);
        XYChart grain = (XYChart) Plots.panels(new ParallelFor(8).family(), rows.subList(5, rows.size()))
                .get(1);
        assertThat(grain.getTitle()).isEqualTo("parallel-for, body empty, 2 workers");
        assertThat(grain.getSeriesMap().get("virtual-threads").getXData()).containsExactly(1_000, 10_000, 100_000);
    }

    @Test
    void errorBarsOnDecadesEndAtTheMedianPlusTheError() {
        List<Row> rows = rows("fan", 100, null);
        Scale scale = Scale.of(rows);
        assertThat(scale).isEqualTo(new Scale(true, 1, 100_000));
        for (Row row : rows) {
            assertThat(scale.position(row.nsPerTask()) + scale.error(row))
                    .isEqualTo(Math.log10(row.nsPerTask() + row.error()), within(1e-9));
        }
        assertThat(scale.position(0)).isZero();
        assertThat(Scale.of(rows.subList(0, 1))).isEqualTo(new Scale(false, 0, 3.3 * 1.1));
    }

    @Test
    void onePointAndZeroNanosecondsCanBeDrawn() throws IOException {
        List<Row> rows = List.of(
                ReportTest.row("fan", 1, "nothing", false, 0),
                ReportTest.row("fan", 1, "frameloom-dynamic", false, 7),
                ReportTest.row("fan", 1, "fjp", false, 7_000),
                ReportTest.row("ramp", 1, "frameloom-dynamic", false, 7));
        for (Path file : Plots.write(folder, List.of(fan("fan"), new Ramp()), rows)) {
            assertThat(Files.size(file)).isPositive();
        }
    }

    @Test
    void rowsOfNobodyMakeNoPicture() throws IOException {
        assertThat(Plots.write(folder, List.of(new Ramp()), rows("circle", 2, null)))
                .isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void thisMachineCanDraw() {
        assertThat(Plots.impediment()).isEmpty();
    }
}
