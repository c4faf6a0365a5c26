package io.frameloom.samples.plan;

import static io.frameloom.samples.plan.PlanRun.keys;
import static io.frameloom.samples.plan.PlanRun.plan;
import static io.frameloom.samples.plan.PlanRun.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The reports and comparisons of plans that the command makes. */
@Timeout(60)
final class PlanReportCommandTest {
    @TempDir
    private Path folder;

    private PlanFiles files;

    @BeforeEach
    void writeFiles() throws IOException {
        files = new PlanFiles(folder);
    }

    @Test
    void writesAReport() throws IOException {
        Path report = folder.resolve("report.html");
        PlanRun run = plan(files.good, "--html", report.toString());

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("written: " + report + "\n");
        Document page = Jsoup.parse(Files.readString(report));
        assertThat(page.title()).startsWith("ao ");
        assertThat(page.select("#graph-svg .pass")).hasSize(4);
        assertThat(page.select("#barrier-table tbody tr")).isNotEmpty();
        assertThat(files.names()).containsExactlyInAnyOrder("good.json", "bad.json", "broken.json", "report.html");
    }

    @Test
    void aReportThatCannotBeWrittenIsRefusedInOneLine() throws IOException {
        Path sub = Files.createDirectory(folder.resolve("sub"));
        refused("is a folder; name a file in it", files.good, "--html", sub.toString());
        refused(
                "there is no folder",
                files.good,
                "--html",
                folder.resolve("no/r.html").toString());
        refused("there is no folder", files.good, "--html", files.good + "/r.html");
        refused("its name is empty", files.good, "--html", "");
        refused("FILE needs a path, it is empty", "");
        refused("is no path", files.good, "--html", "a\u0000b");
        refused("--html takes one graph, got 2", files.good, files.good, "--html", folder + "/r.html");
        refused("is the graph itself", files.good, "--html", files.good);
        assertThat(Files.readString(Path.of(files.good))).isEqualTo(PlanFiles.GRAPH);
        assertThat(files.names()).containsExactlyInAnyOrder("good.json", "bad.json", "broken.json", "sub");
    }

    @Test
    void aFullDeviceIsSaidInOneLine() {
        Assumptions.assumeTrue(Files.isWritable(Path.of("/dev/full")), "no /dev/full");
        PlanRun run = plan(files.good, "--html", "/dev/full");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("frameloom plan: --html /dev/full cannot be written: ")
                .hasLineCount(1);
    }

    @Test
    void aFolderThatTakesNoFilesIsNamed() {
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc")), "no folder that takes no files");
        PlanRun run = plan(files.good, "--html", "/proc/r.html");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("frameloom plan: --html /proc/r.html cannot be written: no file can be created in /proc")
                .hasLineCount(1);
    }

    @Test
    void aGraphWithErrorsLeavesTheOldReport() throws IOException {
        String report = files.write("report.html", "old");

        assertThat(plan(files.bad, "--html", report).code()).isEqualTo(1);
        assertThat(plan(files.broken, "--html", report).code()).isEqualTo(2);
        assertThat(Files.readString(Path.of(report))).isEqualTo("old");
        assertThat(plan(files.good, "--html", report).code()).isZero();
        assertThat(Files.readString(Path.of(report))).startsWith("<!DOCTYPE html>");
    }

    @Test
    void comparesTwoPlans() throws IOException {
        String serial = files.write("serial.json", PlanFiles.GRAPH.replace("\"queue\":\"C\"", "\"queue\":\"G\""));

        assertThat(plan("--diff", files.good, files.good).out().strip())
                .isEqualTo("no differences: both are the same graph under the same options");
        PlanRun text = plan("--diff", files.good, serial);
        assertThat(text.code()).isZero();
        assertThat(text.out())
                .contains("~ pass 'SSAO': on C, level 1 -> on G, level 1")
                .doesNotContain("batch 0");
        PlanRun data = plan("--diff", "--json", files.good, serial);
        assertThat(keys(data.out())).containsExactly("before", "after", "changes");
        assertThat(plan("--diff", files.good, files.bad).code()).isEqualTo(1);
        assertThat(plan("--diff", files.good, files.broken).code()).isEqualTo(2);
        refused("--diff compares two graphs, got 1", "--diff", files.good);
        refused("--diff compares two graphs, got 3", "--diff", files.good, files.good, files.good);
        String report = folder + "/r.html";
        refused("--diff takes neither --html nor --explain", "--diff", files.good, files.good, "--html", report);
    }

    /** What cannot be had of such a file is refused, in place of being left out, and nothing else is printed. */
    @Test
    void aGraphOfGivenOrdersHasNoReportNorDoesItTakeOptions() throws IOException {
        String graph = PlanFiles.GRAPH.replace("\"queues\"", "\"mode\":{\"order\":\"fixed\"},\"queues\"");
        String fixed = files.write("fixed.json", graph);

        refused("gives the order of each queue itself", fixed, "--html", folder + "/r.html");
        refused("gives the order of each queue itself", "--diff", fixed, fixed);
        refused("there is nothing to explain", fixed, "--explain", "SSAO");
        for (String option : List.of("--no-cull", "--no-merge", "--no-alias", "--async=all", "--order=memory")) {
            refused("gives the order of each queue itself", fixed, option);
        }
        assertThat(plan(fixed, "--html", folder + "/r.html").out()).isEmpty();
        assertThat(files.names()).doesNotContain("r.html");
        assertThat(plan(fixed).code()).isZero();
    }
}
