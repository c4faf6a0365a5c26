package io.frameloom.rdg.tools.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.FrameStatistics.PassTime;
import io.frameloom.testing.Chromium;
import io.frameloom.testing.TestEffort;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.imageio.ImageIO;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a report is in a browser. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlanReportIT {
    /** By how many pixels the drawings are larger than the boxes that they are seen in. */
    private static final String CROPPED = "document.documentElement.dataset.cropped = Math.max("
            + "...Array.from(document.querySelectorAll('.drawing')).map(box => Math.max("
            + "box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight)));";

    private static final String POLICY = "<meta http-equiv=\"Content-Security-Policy\"[^>]*>";

    private static final String CHOOSE = "document.querySelector('#graph-svg [data-pass=\"1\"]').dispatchEvent("
            + "new MouseEvent('click', { bubbles: true }));";

    private static final String SEARCH = "const search = document.getElementById('search'); search.value = 'B';"
            + "search.dispatchEvent(new Event('input', { bubbles: true }));"
            + "document.querySelector('#graph-svg [data-pass=\"2\"]').dispatchEvent("
            + "new PointerEvent('pointerover', { bubbles: true }));";

    private static final String FIT = "const box = document.querySelector('#graph .drawing').getBoundingClientRect();"
            + "const name = document.querySelector('#graph-svg .pass text.name').getBoundingClientRect();"
            + "document.documentElement.dataset.letters = name.height;"
            + "document.documentElement.dataset.seen = name.left > box.left && name.right < box.right"
            + " && name.top > box.top && name.bottom < box.bottom;"
            + "document.querySelectorAll('[data-zoom=fit]').forEach(button => button.click());"
            + CROPPED;

    private static final String REASONS = "const table = document.getElementById('barrier-table');"
            + "const shown = table.parentElement.getBoundingClientRect();"
            + "document.documentElement.dataset.right = Math.ceil("
            + "table.querySelector('td.reason').getBoundingClientRect().right - shown.right);"
            + "document.documentElement.dataset.over = table.scrollWidth - table.parentElement.clientWidth;";

    private static final int LARGE = TestEffort.of(200, 1_000);

    private static final int[] WIDTHS = {1_000, 1_300, 1_501, 1_900};

    @TempDir
    private static Path folder;

    /** The pages of all tests: starting the browser takes longer than what it shows. */
    private static final Map<String, Document> PAGES = new HashMap<>();

    /** Where it is said that a machine tests for others, nothing is left out. */
    @BeforeAll
    static void open() throws IOException, InterruptedException {
        if (!Chromium.isInstalled()) {
            String missing =
                    "no Chromium on the path (Debian, Ubuntu: apt install chromium), so nobody looks at reports"
                            + " in a browser";
            assertThat(System.getenv("CI")).as(missing).isNotEqualTo("true");
            System.err.println("PlanReportIT is left out: " + missing);
            Assumptions.abort(missing);
        }
        Map<String, Chromium.Page> asked = new LinkedHashMap<>();
        FramePlan small = Plans.small(folder);
        asked.put("small", new Chromium.Page(Plans.html(PlanReport.of(small))));
        asked.put("measured", new Chromium.Page(measured(small)));
        asked.put("hostile", new Chromium.Page(Plans.html(PlanReport.of(Plans.hostile(folder)))));
        asked.put("chosen", new Chromium.Page(driven(small, CHOOSE)));
        asked.put("searched", new Chromium.Page(driven(small, SEARCH)));
        asked.put("large", new Chromium.Page(driven(Plans.random(folder, LARGE, 5), FIT)));
        String deferred = driven(Plans.deferred(folder), REASONS);
        for (int width : WIDTHS) {
            asked.put("deferred " + width, new Chromium.Page(deferred, width));
        }
        Chromium.Result result = Chromium.in(folder).open(List.copyOf(asked.values()));
        assertThat(result.complaints()).isEmpty();
        assertThat(result.doms()).hasSameSizeAs(asked.values());
        for (String name : asked.keySet()) {
            Document page = Jsoup.parse(result.doms().get(PAGES.size()));
            assertThat(page.expectFirst("html").attr("data-ready")).as(name).isEqualTo("true");
            PAGES.put(name, page);
        }
    }

    private static Document page(String name) {
        return Objects.requireNonNull(PAGES.get(name), name);
    }

    /** The page of a plan, with a script of the test's, which the page's policy would not let run. */
    private static String driven(FramePlan plan, String script) throws IOException {
        String html = Plans.html(PlanReport.of(plan));
        assertThat(html).containsPattern(POLICY);
        return html.replaceFirst(POLICY, "").replace("</body>", "<script>" + script + "</script></body>");
    }

    /** The page of a frame that was executed. */
    private static String measured(FramePlan plan) throws IOException {
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(4, 2, BufferedImage.TYPE_INT_RGB), "png", png);
        List<PassTime> times =
                List.of(new PassTime("Depth", "G", 1_000, 30_000), new PassTime("SSAO", "C", 41_000, 50_000));
        FrameStatistics statistics =
                new FrameStatistics(7, 0, 0, 90_000, 0, 0, 0, 0, 0, 0, times, List.of(), List.of());
        String html = Plans.html(PlanReport.of(plan)
                .withMeasured("card", statistics)
                .withThumbnail(new Thumbnail("color", png.toByteArray(), 4, 2)));
        return html.replaceFirst(POLICY, "")
                .replace(
                        "</body>",
                        "<script>document.documentElement.dataset.width ="
                                + " document.querySelector('img').naturalWidth;</script></body>");
    }

    @Test
    void scriptsRunWithoutAWord() throws IOException {
        FramePlan plan = Plans.small(folder);
        Document page = page("small");

        assertThat(page.expectFirst("#barrier-count").text())
                .isEqualTo(plan.barrierCount() + " of " + plan.barrierCount());
        assertThat(page.select("#jump option"))
                .hasSize(1 + plan.passes().size() + plan.resources().size());
    }

    /** Its times, what passes beside graphics gain, and pictures that can be decoded. */
    @Test
    void timesGainsAndPicturesOfAFrameAreShown() {
        Document page = page("measured");

        assertThat(page.expectFirst("html").attr("data-width")).isEqualTo("4");
        assertThat(page.select("#timeline-measured .bar")).hasSize(2);
        assertThat(page.select("#async-table tbody tr")).hasSize(1);
    }

    @Test
    void hostileNamesDoNothing() {
        Document page = page("hostile");

        assertThat(page.select("img")).isEmpty();
        assertThat(page.select("script")).hasSize(2);
        assertThat(page.select("#jump option").get(1).wholeText()).isEqualTo("first " + Plans.HOSTILE);
    }

    @Test
    void aConsoleMessageFailsTheTest() throws IOException, InterruptedException {
        Chromium.Result result =
                Chromium.in(folder).open(List.of(new Chromium.Page("<script>throw new Error('planted')</script>")));

        assertThat(result.complaints()).hasSize(1);
        assertThat(result.complaints().get(0)).contains("planted");
    }

    @Test
    void choosingAPassShowsWhatBelongsToIt() {
        Document page = page("chosen");

        assertThat(page.expectFirst("#details-title").text()).isEqualTo("Pass SSAO");
        assertThat(page.select("#details-lines li").text()).contains("pass 'SSAO' runs on queue C");
        assertThat(page.select("#graph-svg .selected").eachAttr("data-pass")).containsExactly("1");
        assertThat(page.select("#graph-svg .version.related").eachAttr("data-resource"))
                .contains("0", "2")
                .doesNotContain("1");
        assertThat(page.select("#barrier-table tr.selected").eachAttr("data-pass"))
                .containsOnly("1");
    }

    @Test
    void theReasonsOfBarriersAreWithinTheWindow() {
        for (int width : WIDTHS) {
            Element html = page("deferred " + width).expectFirst("html");
            assertThat(Integer.parseInt(html.attr("data-right")))
                    .as("%s", width)
                    .isNotPositive();
            assertThat(Integer.parseInt(html.attr("data-over"))).as("%s", width).isNotPositive();
        }
    }

    @Test
    void searchAndPointerHighlight() {
        Document page = page("searched");

        assertThat(page.select("#graph-svg .pass.found").eachAttr("data-pass"))
                .containsExactlyInAnyOrder("2", "4", "5");
        assertThat(page.expectFirst("#found").text()).startsWith("5 found");
        assertThat(page.select("#graph-svg .pass.hovered").eachAttr("data-pass"))
                .containsExactly("2");
        assertThat(page.select("#graph-svg .edge.hovered")).isNotEmpty();
    }

    /** It opens with letters of 8 pixels, and with its first pass in the middle of the width. */
    @Test
    void aLargeGraphOpensReadableAndIsSeenWholeAfterFit() {
        Document page = page("large");

        assertThat(Double.parseDouble(page.expectFirst("html").attr("data-letters")))
                .isGreaterThan(8);
        assertThat(page.expectFirst("html").attr("data-seen")).isEqualTo("true");
        assertThat(page.expectFirst("html").attr("data-cropped")).isEqualTo("0");
        assertThat(page.select("#graph-svg .pass")).hasSize(LARGE + 1);
    }

    @Test
    void aPictureIsDrawn() throws IOException, InterruptedException {
        Path png = Chromium.in(folder).picture(Plans.html(PlanReport.of(Plans.small(folder))), 1_200, 900);
        BufferedImage picture = ImageIO.read(png.toFile());
        Set<Integer> colours = new HashSet<>();
        for (int y = 0; y < picture.getHeight(); y++) {
            for (int x = 0; x < picture.getWidth(); x++) {
                colours.add(picture.getRGB(x, y) & 0xFFFFFF);
            }
        }

        assertThat(picture.getWidth()).isEqualTo(1_200);
        // The colours of the two queues.
        assertThat(colours).contains(0x0072B2, 0xD55E00);
    }
}
