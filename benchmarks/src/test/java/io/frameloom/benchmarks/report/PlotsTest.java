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
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
        // A narrow window shows the legend, too.
        assertThat(svg.getAttribute("style")).isEqualTo("max-width:100%;height:auto");
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
        assertThat(charts)
                .extracting(Chart::getTitle)
                .containsExactly(
                        "fan, body empty, whiskers: median ± error, not below 0",
                        "fan-64, body empty, whiskers: median × and ÷ (1 + error/median)");
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
        assertThat(grain.getTitle()).startsWith("parallel-for, body empty, 2 workers, whiskers: ");
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
    void theAxisTellsWhetherItIsLogarithmic() {
        assertThat(Panel.bars("fan", rows("fan", 2, null)).getYAxisTitle()).isEqualTo("ns per task");
        assertThat(Panel.lines("ramp", "workers", rows("ramp", 20, null), Row::workers)
                        .getYAxisTitle())
                .isEqualTo("ns per task (logarithmic)");
    }

    private static List<Row> longWhisker(double error) {
        List<Row> rows = new ArrayList<>();
        for (int grain : new int[] {1, 2}) {
            rows.add(ReportTest.row("parallel-for", 1, "fjp-handmapped", false, 50, "sum", grain));
            rows.add(
                    new Row("parallel-for", 1, "fjp-plain", 10, 0.0, error, 10, null, 10, "sum", false, "loop", grain));
        }
        return rows;
    }

    private static BufferedImage image(Chart<?, ?> chart) {
        BufferedImage image = new BufferedImage(Panel.WIDTH, Panel.HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D canvas = image.createGraphics();
        Plots.paint(canvas, List.of(chart));
        canvas.dispose();
        return image;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWhiskerLongerThanItsValueEndsAtTheFootOfTheAxis(boolean bars) {
        List<Chart<?, ?>> charts = new ArrayList<>();
        for (double error : new double[] {0, 30}) {
            List<Row> rows = longWhisker(error);
            charts.add(bars ? Panel.bars("t", rows.subList(0, 2)) : Panel.lines("t", "grain", rows, Row::parameter));
        }
        BufferedImage without = image(charts.get(0));
        BufferedImage with = image(charts.get(1));
        int foot = (int) Math.ceil(charts.get(1).getScreenYFromChart(0)) + 3;
        assertThat(foot).isBetween(Panel.HEIGHT / 2, Panel.HEIGHT - 20);
        assertThat(differences(without, with, 0, foot)).isPositive();
        assertThat(differences(without, with, foot, Panel.HEIGHT)).isZero();
    }

    private static int differences(BufferedImage one, BufferedImage other, int fromY, int toY) {
        return different(one, other, fromY, toY).size();
    }

    /** The columns of the pixels that differ. */
    private static List<Integer> different(BufferedImage one, BufferedImage other, int fromY, int toY) {
        List<Integer> columns = new ArrayList<>();
        for (int y = fromY; y < toY; y++) {
            for (int x = 0; x < Panel.WIDTH; x++) {
                if (one.getRGB(x, y) != other.getRGB(x, y)) {
                    columns.add(x);
                }
            }
        }
        return columns;
    }

    @Test
    void theFootAndTheTopOfTheAxisAreLabelled() {
        Chart<?, ?> chart = Panel.bars("t", rows("fan", 100, null));
        BufferedImage image = image(chart);
        for (double decades : new double[] {0, 5}) {
            int middle = (int) Math.round(chart.getScreenYFromChart(decades));
            int dark = 0;
            for (int y = middle - 3; y <= middle + 3; y++) {
                // Between the title of the axis and its line.
                for (int x = 25; x < 50; x++) {
                    dark += (image.getRGB(x, y) & 0xff) < 100 ? 1 : 0;
                }
            }
            assertThat(dark).as("label of %s decades", decades).isPositive();
        }
    }

    /** Where the name of the bars of the given number is drawn: its leftmost and rightmost column, and that of its top. */
    private static int[] nameBelowBars(int number, String name) {
        List<BufferedImage> images = new ArrayList<>();
        for (String shown : new String[] {name, " "}) {
            List<Row> rows = new ArrayList<>();
            for (int index = 0; index < 12; index++) {
                // One is the longest in either picture, so that all else lies at the same places.
                String other = index == 8 ? "frameloom-dynamic-streaming" : "other" + index;
                rows.add(ReportTest.row("fan", 1, index == number ? shown : other, false, 5));
            }
            images.add(image(Panel.bars("t", rows)));
        }
        List<Integer> columns = different(images.get(0), images.get(1), 0, Panel.HEIGHT);
        assertThat(columns).as("pixels of %s", name).isNotEmpty();
        return new int[] {Collections.min(columns), Collections.max(columns), columns.get(0)};
    }

    @Test
    void aNameBeginsAtItsBarsHoweverLongItIs() {
        int[] brief = nameBelowBars(5, "fjp");
        int[] lengthy = nameBelowBars(5, "fjp-handmapped-rerun");
        assertThat(lengthy[0]).isCloseTo(brief[0], within(4));
        assertThat(lengthy[1]).isGreaterThan(brief[1] + 30);
        assertThat(lengthy[2]).as("the top, nearest to the bars").isCloseTo(lengthy[0], within(15));
    }

    @Test
    void theNamesOfTheFirstAndTheLastOfManyBarsAreDrawnWhole() {
        assertThat(nameBelowBars(0, "frameloom-compiled")[0]).isPositive();
        assertThat(nameBelowBars(11, "frameloom-dynamic-str")[1]).isLessThan(Panel.WIDTH - 1);
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
