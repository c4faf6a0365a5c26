package io.frameloom.rdg.tools.report;

import static io.frameloom.rdg.tools.report.Plans.HOSTILE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QueryResults;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.FrameStatistics.PassCounts;
import io.frameloom.rdg.FrameStatistics.PassTime;
import io.frameloom.rdg.diagnostics.CompilePhase;
import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a report holds, as a parser of HTML reads it. */
class PlanReportTest {
    @TempDir
    private Path folder;

    private static Document page(PlanReport report) throws IOException {
        return Jsoup.parse(Plans.html(report));
    }

    private static JsonNode data(Document page) throws IOException {
        return new ObjectMapper().readTree(page.expectFirst("#plan-data").data());
    }

    private static FrameStatistics measured(List<PassTime> times) {
        return new FrameStatistics(7, 0, 0, 90_000, 0, 0, 0, 0, 0, 0, times, List.of(), List.of());
    }

    @Test
    void whatThePipelineDidIsThereWhereItWasCounted() throws IOException {
        FramePlan plan = Plans.small(folder);
        assertThat(page(PlanReport.of(plan)).select("#counts-table")).isEmpty();
        FrameStatistics statistics = new FrameStatistics(
                7,
                0,
                0,
                90_000,
                0,
                0,
                0,
                0,
                0,
                0,
                List.of(),
                List.of(new PassCounts(
                        plan.passes().get(1).name(),
                        1,
                        QueryResults.of(QueryKind.STATISTICS, new long[] {9, 3, 8, 3, 2, 640, 0}))),
                List.of());
        Document page = page(PlanReport.of(plan).withMeasured("a device", statistics));
        assertThat(page.select("#counts-table tbody tr[data-pass=1] td").eachText())
                .containsExactly(plan.passes().get(1).name(), "9", "3", "8", "3", "2", "640");
    }

    @Test
    void factsStandInTheHeadAsText() throws IOException {
        PlanReport report =
                PlanReport.of(Plans.small(folder)).withFact("rays", "7").withFact("<b>", "a & b");
        Document page = page(report.withFact("rays", "8"));
        assertThat(page.select("header dt:contains(rays) + dd").eachText()).containsExactly("8");
        assertThat(page.select("header dd").eachText()).endsWith("a & b");
        assertThat(page.select("header dt").eachText()).endsWith("<b>");
    }

    @Test
    @SuppressWarnings("NullAway") // that is the test
    void aFactThatIsMissingIsRefusedAtOnce() throws IOException {
        PlanReport report = PlanReport.of(Plans.small(folder));
        assertThatThrownBy(() -> report.withFact(null, "7")).hasMessage("name");
        assertThatThrownBy(() -> report.withFact("rays", null)).hasMessage("value");
    }

    @Test
    void everyPartIsThere() throws IOException {
        FramePlan plan = Plans.small(folder);
        Document page = page(PlanReport.of(plan));

        assertThat(page.select("#graph-svg .pass")).hasSameSizeAs(plan.passes());
        assertThat(page.select("#graph-svg .pass.culled text.name").text()).isEqualTo("Debug");
        assertThat(page.select("#graph-svg .box")).hasSize(1);
        assertThat(page.select("#graph-svg .version[data-resource]").eachAttr("data-resource"))
                .contains("0", "1", "2", "3", "4", "6");
        assertThat(page.select("#graph-svg .edge.sync")).hasSize(plan.waitCount());
        assertThat(page.select("#timeline-predicted .bar"))
                .hasSize(plan.passes().size() - plan.culledCount());
        assertThat(page.select("#timeline-predicted .wait")).hasSize(plan.waitCount());
        assertThat(page.select("#heap-0 .place")).isNotEmpty();
        assertThat(page.expectFirst("#memory").text()).contains("No placement can take less than");
        assertThat(page.select("#barrier-table tbody tr")).hasSize(plan.barrierCount());
        assertThat(page.select("#barrier-table td.reason").eachText()).hasSize(plan.barrierCount());
        assertThat(page.expectFirst("#culled-list li").wholeText())
                .isEqualTo("Debug: " + plan.passes().get(4).cullReason());
        assertThat(page.select("#texture-table tbody tr")).hasSize(6);
        assertThat(page.select("#buffer-table tbody tr")).hasSize(1);
        assertThat(page.select("#warning-list li").eachText())
                .contains("UNUSED_RESOURCE no pass uses 'spare'")
                .hasSameSizeAs(plan.warnings());
        assertThat(page.expectFirst("#timeline").text()).contains("Not executed");
        assertThat(data(page).get("passes").get(1).get("explanation").toString())
                .contains("runs on queue C");
    }

    @Test
    void phasesOfTheCompilerAreShownIfTheyWereTimed() throws IOException {
        assertThat(page(PlanReport.of(Plans.small(folder))).select("#compile-table"))
                .isEmpty();
        FramePlan timed = Plans.timed(folder);

        Document page = page(PlanReport.of(timed));

        assertThat(page.select("#compile-table tbody th").eachText())
                .startsWith("validation")
                .contains("placement", "render passes")
                .endsWith("all")
                .hasSize(CompilePhase.values().length + 1);
        assertThat(page.select("#compile-table tbody tr:last-child td").eachText())
                .endsWith("100.0 %");
    }

    @Test
    void namesAreTextWhateverTheyHold() throws IOException {
        FramePlan plan = Plans.hostile(folder);
        Document page = page(PlanReport.of(plan)
                .withMeasured(
                        "device " + HOSTILE,
                        measured(List.of(new PassTime("first " + HOSTILE, "queue " + HOSTILE, 0, 5_000))))
                .withThumbnail(new Thumbnail("out " + HOSTILE, new byte[] {1}, 1, 1)));

        assertThat(page.select("script")).hasSize(2);
        assertThat(page.select("img")).hasSize(1);
        for (Element element : page.getAllElements()) {
            for (Attribute attribute : element.attributes()) {
                assertThat(attribute.getKey()).as(element.tagName()).doesNotStartWith("on");
            }
        }
        assertThat(page.expectFirst("h1").wholeText()).isEqualTo(HOSTILE);
        assertThat(page.expectFirst("#barrier-table button[data-pass]").wholeText())
                .isEqualTo("first " + HOSTILE);
        assertThat(page.expectFirst("#culled-list button").wholeText()).isEqualTo("culled " + HOSTILE);
        assertThat(page.expectFirst("img").attr("alt")).contains("out " + HOSTILE);
        assertThat(page.select("#graph-svg g.pass").get(2).attr("aria-label")).startsWith("pass last " + HOSTILE);
        assertThat(data(page).get("passes").get(0).get("name").textValue()).isEqualTo("first " + HOSTILE);
        assertThat(data(page).get("resources").get(2).get("name").textValue()).isEqualTo("out " + HOSTILE);
    }

    @Test
    void nothingIsLoadedFromElsewhere() throws IOException {
        Document page = page(
                PlanReport.of(Plans.small(folder)).withThumbnail(new Thumbnail("color", new byte[] {1, 2, 3}, 4, 2)));

        assertThat(page.select("link, iframe, object, embed, base, form")).isEmpty();
        assertThat(page.select("[href]").eachAttr("href")).allMatch(target -> target.startsWith("#"));
        assertThat(page.select("[src]").eachAttr("src")).containsExactly("data:image/png;base64,AQID");
        assertThat(page.expectFirst("style").data()).doesNotContain("url(", "@import");
        assertThat(page.expectFirst("meta[http-equiv=Content-Security-Policy]").attr("content"))
                .startsWith("default-src 'none';");
    }

    @Test
    void measuredTimesStandBesidePredictedOnes() throws IOException {
        FramePlan plan = Plans.small(folder);
        Document page = page(PlanReport.of(plan)
                .withMeasured(
                        "card",
                        measured(List.of(
                                new PassTime("Depth", "G", 1_000, 30_000),
                                new PassTime("SSAO", "C", 41_000, 50_000),
                                new PassTime("nobody", "G", 91_000, 5)))));

        assertThat(page.select("#timeline-measured .bar")).hasSize(2);
        assertThat(page.select("#times-table tr[data-pass=0] td").eachText().subList(4, 6))
                .containsExactly("30 µs", "37.5 %");
        assertThat(page.select("#times-table tr[data-pass=2] td").get(4).text()).isEqualTo("not measured");
        assertThat(page.expectFirst("dl").text()).contains("on card, 90 µs on the device");
        Document without = page(PlanReport.of(plan).withMeasured("card", measured(List.of())));
        assertThat(without.expectFirst("#timeline").text()).contains("The device has no timestamps.");
    }

    /** A row's share and difference differ from the next one's by less than a percent. */
    @Test
    void timesAreSortedByMoreThanWholePercents() throws IOException {
        Document page = page(PlanReport.of(Plans.small(folder))
                .withMeasured(
                        "card",
                        measured(List.of(
                                new PassTime("Depth", "G", 0, 300_000),
                                new PassTime("Base", "G", 300_000, 301_000),
                                new PassTime("Light", "G", 601_000, 302_000)))));

        List<Double> shares = page.select("#times-table tbody tr").stream()
                .map(row -> row.child(5).attr("data-sort"))
                .map(Double::valueOf)
                .filter(share -> share > 0)
                .toList();
        assertThat(shares).hasSize(3).doesNotHaveDuplicates();
        assertThat(shares.get(0)).isCloseTo(300.0 / 903, within(1e-12));
        assertThat(page.select("#times-table tbody tr[data-pass=0] td").get(6).attr("data-sort"))
                .hasSizeGreaterThan(6);
        assertThat(page.select("#times-table th.number").eachText())
                .containsExactly("Predicted", "Share", "Measured", "Share", "Difference");
    }

    @Test
    void whatRunsBesideGraphicsTellsWhatItGains() throws IOException {
        FramePlan plan = Plans.small(folder);
        assertThat(page(PlanReport.of(plan)).select("#async-table")).isEmpty();
        Document page = page(PlanReport.of(plan)
                .withMeasured(
                        "card",
                        measured(List.of(
                                new PassTime("Depth", "G", 0, 10_000),
                                new PassTime("SSAO", "C", 10_000, 30_000),
                                new PassTime("Base", "G", 15_000, 20_000),
                                new PassTime("Decals", "G", 35_000, 20_000),
                                new PassTime("Blur", "G", 55_000, 10_000),
                                new PassTime("Light", "G", 65_000, 25_000)))));

        assertThat(page.select("#async-table tbody tr")).hasSize(1);
        assertThat(page.select("#async-table tbody td").eachText())
                .containsExactly(
                        "SSAO", "C", "Depth", "Blur", "30 µs", "25 µs", "30 µs", "not measured", "as declared");
        assertThat(page.expectFirst("#times").text())
                .contains("The longest chain of passes takes 85 µs, on the graphics queue alone 115 µs.");
    }

    @Test
    void equalPlansGiveEqualPages() throws IOException {
        assertThat(Plans.html(PlanReport.of(Plans.random(folder, 60, 3))))
                .isEqualTo(Plans.html(PlanReport.of(Plans.random(folder, 60, 3))));
    }

    /** A browser opens a thousand in {@link PlanReportIT}. */
    @Test
    void manyPassesAreDrawnAndFiveThousandAreCounted() throws IOException {
        int many = TestEffort.of(200, 1_000);
        Document drawn = page(PlanReport.of(Plans.random(folder, many, 1)));
        Document more = page(PlanReport.of(Plans.random(folder, 5_000, 1)));

        assertThat(drawn.select("#graph-svg .pass")).hasSize(many + 1);
        assertThat(more.select("#graph-svg")).isEmpty();
        assertThat(more.select("#levels-svg .level")).isNotEmpty();
        assertThat(more.expectFirst("#graph").text()).contains("it is shown by levels only");
    }

    @Test
    void thumbnailsHaveAnExtentAndALimit() {
        assertThatThrownBy(() -> new Thumbnail("t", new byte[1], 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the thumbnail of 't' must be at least 1x1, got 0x1");
        assertThatThrownBy(() -> new Thumbnail("t", new byte[(4 << 20) + 1], 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the thumbnail of 't' has 4194305 bytes");
    }
}
