package io.frameloom.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.testing.Chromium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"([^\"#:]+)(?:#([^\"]+))?\"");

    @TempDir
    private Path dir;

    private Path repository(String... filesAndTexts) throws IOException {
        Path root = Files.createDirectories(dir.resolve("repository"));
        Files.createDirectories(root.resolve("docs"));
        Files.createDirectories(root.resolve("benchmarks"));
        for (int i = 0; i < filesAndTexts.length; i += 2) {
            Path file = root.resolve(filesAndTexts[i]);
            Files.createDirectories(file.getParent());
            Files.writeString(file, filesAndTexts[i + 1]);
        }
        return root;
    }

    @Test
    void linksAndPicturesOfThisRepositoryLeadSomewhere() throws IOException {
        Site site = new Site(ROOT);
        assertThat(site.mistakes()).isEmpty();
        Path written = dir.resolve("site");
        site.write(written);
        try (Stream<Path> files = Files.walk(written)) {
            List<Path> pages =
                    files.filter(file -> file.toString().endsWith(".html")).toList();
            assertThat(pages).hasSizeGreaterThan(10);
            for (Path page : pages) {
                requireThatReferencesExist(written, page);
            }
        }
    }

    private static void requireThatReferencesExist(Path site, Path page) throws IOException {
        Matcher reference = REFERENCE.matcher(Files.readString(page));
        while (reference.find()) {
            Path file = page.resolveSibling(reference.group(1)).normalize();
            // site/build adds the Javadoc.
            if (!file.startsWith(site.resolve("api"))) {
                assertThat(file).as("from " + page).exists();
                if (reference.group(2) != null) {
                    assertThat(file).content().contains("id=\"" + reference.group(2) + '"');
                }
            }
        }
    }

    @Test
    void aPageLeadsToPagesPicturesAndFilesOfTheRepository() throws IOException {
        Path root = repository(
                "README.md",
                "# Home\n\n[there](docs/a.md#more-on-it) [code](Main.java) [out](https://example.org/x)",
                "docs/a.md",
                "# A & B\n\n## More on it\n\n![a box](box.png) [home](../README.md)\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n",
                "docs/box.png",
                "no picture",
                "Main.java",
                "class Main {}");
        Path site = dir.resolve("site");
        new Site(root).write(site);
        assertThat(site.resolve("index.html"))
                .content()
                .contains(
                        "<a href=\"docs/a.html#more-on-it\">there</a>",
                        "<a href=\"https://github.com/frameloom/frameloom/blob/main/Main.java\">code</a>",
                        "<a href=\"https://example.org/x\">out</a>",
                        "<li><a href=\"index.html\" aria-current=\"page\">Home</a></li>");
        assertThat(site.resolve("docs/a.html"))
                .content()
                .contains(
                        "<title>A &amp; B</title>",
                        "<h2 id=\"more-on-it\">More on it</h2>",
                        "src=\"../docs/box.png\"",
                        "<a href=\"../index.html\">home</a>",
                        "<div class=\"wide\"><table>",
                        "href=\"../site.css\"");
        assertThat(site.resolve("docs/box.png")).hasContent("no picture");
        assertThat(site.resolve("pictures.html")).content().contains("docs/box.png", "a box", "docs/a.html");
    }

    @Test
    void whatAnEarlierSiteHadIsRemovedAndNothingElse() throws IOException {
        Path root = repository("README.md", "# Home\n", "docs/a.md", "# A\n\n![box](box.png)\n", "docs/box.png", "x");
        Path site = dir.resolve("site");
        new Site(root).write(site);
        Files.writeString(site.resolve("docs/mine.html"), "of somebody else");
        Files.writeString(dir.resolve("outside.txt"), "outside");
        Files.writeString(
                site.resolve("site-files.txt"), Files.readString(site.resolve("site-files.txt")) + "../outside.txt\n");

        Files.delete(root.resolve("docs/a.md"));
        Files.writeString(root.resolve("docs/b.md"), "# B\n");
        new Site(root).write(site);
        assertThat(site.resolve("docs/b.html")).exists();
        assertThat(site.resolve("docs/a.html")).doesNotExist();
        assertThat(site.resolve("docs/box.png")).doesNotExist();
        assertThat(site.resolve("docs/mine.html")).exists();
        assertThat(dir.resolve("outside.txt")).exists();
    }

    private static List<String> charts(String table) throws IOException {
        Page page = new Page("benchmarks/RESULTS.md", "# R\n\n" + table.replace(';', '\n')).withCharts();
        String html = page.html(to -> to);
        // The table stays.
        assertThat(html).contains("<div class=\"wide\"><table>");
        return Pattern.compile(
                        "<p>([^<]*)</p>\n<svg|class=\"label\">([^<]*)<|width=\"([\\d.]+)\" height=\"11\"( class=\"rival\")?")
                .matcher(html)
                .results()
                .map(part -> part.group(1) != null
                        ? part.group(1) + ":"
                        : part.group(2) != null
                                ? part.group(2)
                                : part.group(3) + (part.group(4) == null ? "" : " rival"))
                .toList();
    }

    @Test
    void aRowOfATableIsAPanelOfBars() throws IOException {
        assertThat(
                        charts(
                                "| shape | workers | once | `fjp` | scopes | best of ours / best rival |;| - | - | - | - | - | - |;"
                                        + "| chain | 1 | 46 | 92 ± 3 | - | 0.5 |;| a & b | 15 | 1,000 (2,000) | **500** | 250.0 | 2.0 |"))
                .containsExactly(
                        "chain, workers 1:",
                        "once",
                        "46.0",
                        "fjp",
                        "92.0 rival",
                        "a &amp; b, workers 15:",
                        "once",
                        "92.0",
                        "fjp",
                        "46.0 rival",
                        "scopes",
                        "23.0 rival");
    }

    @Test
    void columnsOfOneUnitAreDrawnTogether() throws IOException {
        assertThat(charts("| passes | compile | B | read | B |;| - | - | - | - | - |;| 24 | 46 | 10 | 92 | 40 |"))
                .containsExactly(
                        "passes 24:",
                        "compile",
                        "46.0",
                        "read",
                        "92.0",
                        "passes 24:",
                        "compile, B",
                        "23.0",
                        "read, B",
                        "92.0");
    }

    @Test
    void rowsOfOneNameAreAllDrawn() throws IOException {
        assertThat(charts("| shape | once | twice |;| - | - | - |;| chain | 46 | 92 |;| chain | 92 | 23 |"))
                .containsExactly("chain:", "once", "46.0", "twice", "92.0", "chain:", "once", "92.0", "twice", "23.0");
    }

    @Test
    void rowsOfASingleNumberAreOnePanel() throws IOException {
        assertThat(charts("| barrier | wrong |;| - | - |;| none | 92 |;| right | 0 |"))
                .containsExactly("wrong:", "none", "92.0", "right", "0.5");
    }

    @Test
    void whatBarsWouldSayNothingOfHasNone() throws IOException {
        // Words, numbers that differ little, numbers of several units in one cell.
        assertThat(charts("| target | measured |;| - | - |;| fast | 2.0 / 3.0 |;| faster | 53 to 92 |"))
                .isEmpty();
        assertThat(charts("| n | mean | worst |;| - | - | - |;| 20 | 1.001 | 1.2 |;| 50 | 1.002 | 1.1 |"))
                .isEmpty();
        assertThat(charts("| what | ours |;| - | - |;| hop | 22 ns |;| idle | 1 % |"))
                .isEmpty();
    }

    @Test
    void theResultsHaveBars() throws IOException {
        Path written = dir.resolve("site");
        new Site(ROOT).write(written);
        assertThat(written.resolve("benchmarks/RESULTS.html"))
                .content()
                .contains(
                        "<figure class=\"charts\"", "<rect", "<figcaption>blue: Frameloom, grey: others</figcaption>");
        assertThat(written.resolve("docs/tasks.html")).content().doesNotContain("<figure class=\"charts\"");
    }

    @Test
    void linksThatLeadNowhereAreNamed() throws IOException {
        Path root = repository(
                "README.md", "# Home\n\n[a](docs/a.md#none) [b](docs/b.md) ![c](c.png)", "docs/a.md", "# A\n");
        assertThatThrownBy(() -> new Site(root).write(dir.resolve("site")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("links lead nowhere:\n"
                        + "README.md: 'docs/a.md#none' leads to no heading of docs/a.md\n"
                        + "README.md: 'docs/b.md' leads to no file\n"
                        + "README.md: 'c.png' leads to no file");
        assertThat(dir.resolve("site")).doesNotExist();
    }

    @Test
    void aPageWithoutAHeadingIsNamed() throws IOException {
        Path root = repository("README.md", "No heading.");
        assertThatThrownBy(() -> new Site(root).write(dir.resolve("site")))
                .hasMessage("README.md has no heading; begin it with a line '# Title'");
    }

    @Test
    void pagesFitIntoNarrowWindows() throws IOException, InterruptedException {
        assumeTrue(Chromium.isInstalled(), "no Chromium on the path (Debian, Ubuntu: apt install chromium)");
        Path site = dir.resolve("site");
        new Site(ROOT).write(site);
        String css = Files.readString(site.resolve("site.css"));
        List<Chromium.Page> pages = Stream.of("index.html", "benchmarks/RESULTS.html", "docs/tasks.html")
                .map(page -> new Chromium.Page(narrow(site.resolve(page), css), 500))
                .toList();
        Chromium.Result result = Chromium.in(dir).open(pages);
        assertThat(result.complaints()).isEmpty();
        assertThat(result.doms()).hasSize(3).allSatisfy(dom -> assertThat(dom).contains("it fits"));
    }

    private static String narrow(Path page, String css) {
        try {
            return Files.readString(page)
                    .replaceFirst("<link[^>]*>", Matcher.quoteReplacement("<style>" + css + "</style>"))
                    .replaceAll("<img[^>]*>", "")
                    .replace(
                            "</body>",
                            "<script>document.title = document.documentElement.scrollWidth <= innerWidth ?"
                                    + " 'it fits' : 'it does not'</script></body>");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
