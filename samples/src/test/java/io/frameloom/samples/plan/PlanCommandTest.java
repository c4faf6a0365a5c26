package io.frameloom.samples.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.frameloom.rdg.RdgException;
import io.frameloom.samples.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class PlanCommandTest {
    private static final String QUEUES =
            "\"queues\":[{\"id\":\"G\",\"family\":0,\"caps\":[\"graphics\",\"compute\",\"copy\"]},"
                    + "{\"id\":\"C\",\"family\":1,\"caps\":[\"compute\",\"copy\"]}],";
    private static final String GRAPH = "{\"schema\":\"rdg-case/1\",\"id\":\"ao\"," + QUEUES + "\"resources\":["
            + "{\"id\":\"depth\",\"kind\":\"texture\",\"bytes\":64},{\"id\":\"ao\",\"kind\":\"texture\",\"bytes\":64},"
            + "{\"id\":\"debug\",\"kind\":\"texture\",\"bytes\":64},"
            + "{\"id\":\"out\",\"kind\":\"texture\",\"lifetime\":\"external\"}],\"passes\":["
            + "{\"id\":\"Pre\",\"kind\":\"raster\",\"queue\":\"G\",\"uses\":[{\"r\":\"depth\",\"a\":\"depthWrite\"}]},"
            + "{\"id\":\"SSAO\",\"kind\":\"compute\",\"queue\":\"C\",\"uses\":[{\"r\":\"depth\",\"a\":\"sampledComp\"},"
            + "{\"r\":\"ao\",\"a\":\"storageWriteComp\"}]},"
            + "{\"id\":\"Debug\",\"kind\":\"raster\",\"queue\":\"G\",\"uses\":[{\"r\":\"debug\",\"a\":\"colorWrite\"}]},"
            + "{\"id\":\"Light\",\"kind\":\"raster\",\"queue\":\"G\",\"uses\":[{\"r\":\"ao\",\"a\":\"sampledFrag\"},"
            + "{\"r\":\"out\",\"a\":\"colorWrite\"}]}]}";
    private static final String READS_NOTHING = "{\"id\":\"bad\",\"resources\":[{\"id\":\"t\",\"kind\":\"texture\"}],"
            + "\"passes\":[{\"id\":\"R\",\"kind\":\"compute\",\"uses\":[{\"r\":\"t\",\"a\":\"sampledComp\"}]}]}";

    @TempDir
    private Path folder;

    private String good = "";
    private String bad = "";
    private String broken = "";

    private record Run(int code, String out, String err) {}

    @BeforeEach
    void writeFiles() throws IOException {
        good = write("good.json", GRAPH);
        bad = write("bad.json", READS_NOTHING);
        broken = write("broken.json", "{\"passes\":");
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static Run plan(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of("plan"));
        all.addAll(List.of(arguments));
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
        return new Run(code, out.toString(), err.toString());
    }

    @Test
    void printsPassesWaitsAndReasons() {
        Run run = plan(good);

        assertThat(run.code).isZero();
        assertThat(run.err).isEmpty();
        assertThat(run.out)
                .contains("3 passes, 1 culled")
                .contains("SSAO must wait for Pre")
                .contains("culled Debug: no output of the frame needs what it writes: debug");
    }

    @Test
    void printsOneObjectPerFileAndGoesOnBehindErrors() throws IOException {
        Run run = plan("--json", bad, broken, good);

        List<String> lines = run.out.lines().toList();
        assertThat(run.code).isEqualTo(2);
        assertThat(lines).hasSize(3);
        assertThat(keys(lines.get(0))).containsExactly("id", "error", "errors");
        assertThat(lines.get(0)).contains("\"code\":\"READ_UNWRITTEN\"", "\"pass\":\"R\"", "\"resource\":\"t\"");
        assertThat(keys(lines.get(1))).containsExactly("id", "error", "errors");
        assertThat(keys(lines.get(2)))
                .contains(
                        "id",
                        "culled",
                        "culledUe4",
                        "topological",
                        "mustPrecede",
                        "mayReorder",
                        "mustNotOrder",
                        "mustPrecedeWithTransitions",
                        "mayAlias",
                        "mustNotAlias",
                        "levels",
                        "levelCount",
                        "criticalPath",
                        "reduced",
                        "ssis",
                        "syncs",
                        "culledSyncs",
                        "batches",
                        "transitions",
                        "crossQueueSyncs",
                        "ownership",
                        "epochs",
                        "renderPassesStrict",
                        "physicalPasses",
                        "loadOps",
                        "storeOps",
                        "noAlias",
                        "lowerBound",
                        "heapBytes",
                        "placement",
                        "recordGroups",
                        "warnings");
        assertThat(run.err.lines().toList()).hasSize(1);
        assertThat(run.err)
                .contains(
                        "broken.json, line 1, column 11: the text ends inside of an object, a list or a string; it may"
                                + " be cut off");
    }

    /** What fails here is the writing of a plan, in place of a graph that is really too much for memory or stack. */
    @Test
    void filesBehindOneThatIsTooMuchArePlanned() throws IOException {
        for (Supplier<Throwable> failure : List.<Supplier<Throwable>>of(
                () -> new OutOfMemoryError("Java heap space"),
                StackOverflowError::new,
                () -> new RdgException("not\nthis one"))) {
            String much = write("much.json", GRAPH.replace("\"id\":\"Pre\"", "\"id\":\"TooMuch\""));
            StringWriter out = new StringWriter();
            StringWriter err = new StringWriter();
            PrintWriter failing = new PrintWriter(out, true) {
                private boolean failed;

                @Override
                public void write(String text, int from, int length) {
                    if (!failed && text.contains("TooMuch")) {
                        failed = true;
                        Throwable thrown = failure.get();
                        if (thrown instanceof Error error) {
                            throw error;
                        }
                        throw (RuntimeException) thrown;
                    }
                    super.write(text, from, length);
                }
            };

            int code = Main.run(failing, new PrintWriter(err, true), "plan", much, good);

            assertThat(code).isEqualTo(2);
            assertThat(err.toString())
                    .startsWith("frameloom plan: " + much + ": ")
                    .hasLineCount(1);
            assertThat(out.toString()).contains("SSAO must wait for Pre");
        }
    }

    @Test
    void anUnknownKeyIsRefusedInOneLine() throws IOException {
        String file = write(
                "typo.json", GRAPH.replace("\"passes\":[", "\n\"passes\":[\n").replace("\"queue\"", "\"quue\""));

        Run run = plan(file);

        assertThat(run.code).isEqualTo(2);
        assertThat(run.out).isEmpty();
        assertThat(run.err)
                .startsWith("frameloom plan: " + file
                        + ", line 3, /passes/0/quue: unknown key 'quue' of a pass, the nearest are 'queue', ")
                .hasLineCount(1);
    }

    @Test
    void aGraphWithoutPassesIsAPlanThatDoesNothing() throws IOException {
        Run run = plan(write("empty.json", "{\"id\":\"empty\",\"passes\":[]}"));

        assertThat(run.code).isZero();
        assertThat(run.out).contains("no passes: the plan does nothing").doesNotContain("batch");
    }

    @Test
    void propertiesAreHeardAndTheCommandLineWins() throws IOException {
        Path dumps = folder.resolve("dumps");
        System.setProperty("frameloom.rdg.dump", "dependencies");
        System.setProperty("frameloom.rdg.dumpFolder", dumps.toString());
        System.setProperty("frameloom.rdg.async", "tagged");
        System.setProperty("frameloom.rdg.cullPasses", "true");
        try {
            assertThat(plan("--json", "--async", "off", "--no-cull", good).out)
                    .contains("\"waits\":0", "\"culled\":[]", "\"heap\":0");
            try (Stream<Path> files = Files.list(dumps)) {
                assertThat(files.map(file -> file.getFileName().toString())).contains("ao.json");
            }
        } finally {
            for (String name : List.of("dump", "dumpFolder", "async", "cullPasses")) {
                System.clearProperty("frameloom.rdg." + name);
            }
        }
    }

    @Test
    void errorsOfAGraphEndWithOne() {
        Run run = plan(bad);

        assertThat(run.code).isEqualTo(1);
        assertThat(run.err).contains("READ_UNWRITTEN: pass 'R' reads 't'").hasLineCount(1);
        assertThat(run.out).isEmpty();
    }

    @Test
    void optionsChangeThePlan() {
        assertThat(plan("--json", good).out).contains("\"waits\":2");
        assertThat(plan("--json", "--async", "off", good).out).contains("\"waits\":0", "\"syncs\":[]");
        assertThat(plan("--json", "--no-cull", good).out).contains("\"culled\":[]");
        assertThat(plan("--async", "sideways", good))
                .isEqualTo(new Run(
                        2,
                        "",
                        "frameloom plan: --async takes off, tagged or all, got 'sideways' (see frameloom plan --help)"
                                + System.lineSeparator()));
    }

    @Test
    void aFileHasNoTimesToMeasureBy() {
        assertThat(plan("--async", "measured", good))
                .isEqualTo(new Run(
                        2,
                        "",
                        "frameloom plan: --async measured needs the times of frames, which a file does not have; take"
                                + " off, tagged or all (see frameloom plan --help)" + System.lineSeparator()));
        System.setProperty("frameloom.rdg.async", "measured");
        try {
            assertThat(plan(good))
                    .isEqualTo(new Run(
                            2,
                            "",
                            "frameloom plan: " + good + " has no measured times to decide by which passes pay beside"
                                    + " graphics; ask for async off, tagged or all" + System.lineSeparator()));
            assertThat(plan("--async", "tagged", good).code).isZero();
        } finally {
            System.clearProperty("frameloom.rdg.async");
        }
    }

    @Test
    void ordersAreChosenByName() {
        assertThat(plan("--json", "--order", "random:3", good).out).contains("\"kindSwitches\":");
        assertThat(plan("--order", "best", good))
                .isEqualTo(new Run(
                        2,
                        "",
                        "frameloom plan: --order takes program, random:SEED, memory, batch or overlap, got 'best' (see"
                                + " frameloom plan --help)" + System.lineSeparator()));
    }

    /** What is cheap now is not cheap later: five small ones that live together with the large one that could have gone. */
    @Test
    void anOrderThatIsWorseThanTheProgramsIsNotTaken() throws IOException {
        StringBuilder resources =
                new StringBuilder("{\"id\":\"out\",\"kind\":\"buffer\",\"bytes\":1,\"lifetime\":\"external\"}");
        StringBuilder passes = new StringBuilder();
        String write = "{\"id\":\"%s\",\"queue\":\"g\",\"kind\":\"compute\",\"uses\":["
                + "{\"r\":\"%s\",\"a\":\"storageWriteComp\",\"discard\":true}%s]},";
        String read = ",{\"r\":\"%s\",\"a\":\"storageReadComp\"}";
        StringBuilder all = new StringBuilder(read.formatted("little"));
        passes.append(write.formatted("large", "large", ""))
                .append(write.formatted("little", "little", read.formatted("large")));
        for (int i = 0; i < 5; i++) {
            resources.append(",{\"id\":\"s%d\",\"kind\":\"buffer\",\"bytes\":10}".formatted(i));
            passes.append(write.formatted("s" + i, "s" + i, ""));
            all.append(read.formatted("s" + i));
        }
        resources
                .append(",{\"id\":\"large\",\"kind\":\"buffer\",\"bytes\":100}")
                .append(",{\"id\":\"little\",\"kind\":\"buffer\",\"bytes\":1}");
        passes.append(write.formatted("all", "out", all));
        String graph = write(
                "greedy.json",
                "{\"schema\":\"rdg-case/1\",\"id\":\"greedy\",\"mode\":{\"order\":\"declared\"},"
                        + "\"queues\":[{\"id\":\"g\",\"family\":0,\"caps\":[\"graphics\",\"compute\",\"copy\"]}],"
                        + "\"resources\":[" + resources + "],\"passes\":[" + passes.substring(0, passes.length() - 1)
                        + "]}");

        assertThat(plan("--order", "memory", graph).out)
                .contains("  in the program's order: the order memory has 151 bytes of heaps, the program's 101");
        assertThat(plan("--order", "program", graph).out).doesNotContain("in the program's order");
    }

    @Test
    void explainsPassesAndResources() {
        Run run = plan("--explain", "SSAO", "--explain", "depth", good);

        assertThat(run.code).isZero();
        assertThat(run.out)
                .contains("pass 'SSAO' runs on queue C, level 1")
                .contains("comes after 'Pre': read after write on 'depth'; its queue waits for it")
                .contains("texture 'depth' is transient")
                .contains("written in DEPTH by Pre")
                .doesNotContain("4 passes");
        Run unknown = plan("--explain", "SSOA", good);
        assertThat(unknown)
                .isEqualTo(new Run(
                        2,
                        "",
                        "frameloom plan: " + good
                                + ": no pass or resource is called 'SSOA'; the nearest are 'SSAO', 'ao', 'Pre'"
                                + System.lineSeparator()));
        assertThat(plan("--json", "--explain", "SSAO", good).code).isEqualTo(2);
    }

    @Test
    void anEmptyCommandLineIsRefusedInOneLine() {
        Run run = plan();

        assertThat(run.code).isEqualTo(2);
        assertThat(run.err).contains("Missing required parameter: 'FILE'").hasLineCount(1);
    }

    @Test
    void writesAReport() throws IOException {
        Path report = folder.resolve("report.html");
        Run run = plan(good, "--html", report.toString());

        assertThat(run.code).isZero();
        assertThat(run.err).isEmpty();
        assertThat(run.out).contains("3 passes, 1 culled", "written: " + report);
        Document page = Jsoup.parse(Files.readString(report));
        assertThat(page.title()).startsWith("ao ");
        assertThat(page.select("#graph-svg .pass")).hasSize(4);
        assertThat(page.select("#barrier-table tbody tr")).isNotEmpty();
        assertThat(names()).containsExactlyInAnyOrder("good.json", "bad.json", "broken.json", "report.html");
    }

    @Test
    void aReportThatCannotBeWrittenIsRefusedInOneLine() throws IOException {
        Path sub = Files.createDirectory(folder.resolve("sub"));
        refused("is a folder; name a file in it", good, "--html", sub.toString());
        refused(
                "there is no folder",
                good,
                "--html",
                folder.resolve("no/r.html").toString());
        refused("there is no folder", good, "--html", good + "/r.html");
        refused("its name is empty", good, "--html", "");
        refused("FILE needs a path, it is empty", "");
        refused("is no path", good, "--html", "a\u0000b");
        refused("--html takes one graph, got 2", good, good, "--html", folder + "/r.html");
        refused("is the graph itself", good, "--html", good);
        assertThat(Files.readString(Path.of(good))).isEqualTo(GRAPH);
        assertThat(names()).containsExactlyInAnyOrder("good.json", "bad.json", "broken.json", "sub");
    }

    @Test
    void aFullDeviceIsSaidInOneLine() {
        Assumptions.assumeTrue(Files.isWritable(Path.of("/dev/full")), "no /dev/full");
        Run run = plan(good, "--html", "/dev/full");

        assertThat(run.code).isEqualTo(2);
        assertThat(run.err)
                .startsWith("frameloom plan: --html /dev/full cannot be written: ")
                .hasLineCount(1);
    }

    @Test
    void aFolderThatTakesNoFilesIsNamed() {
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc")), "no folder that takes no files");
        Run run = plan(good, "--html", "/proc/r.html");

        assertThat(run.code).isEqualTo(2);
        assertThat(run.err)
                .startsWith("frameloom plan: --html /proc/r.html cannot be written: no file can be created in /proc")
                .hasLineCount(1);
    }

    @Test
    void aGraphWithErrorsLeavesTheOldReport() throws IOException {
        String report = write("report.html", "old");

        assertThat(plan(bad, "--html", report).code).isEqualTo(1);
        assertThat(plan(broken, "--html", report).code).isEqualTo(2);
        assertThat(Files.readString(Path.of(report))).isEqualTo("old");
        assertThat(plan(good, "--html", report).code).isZero();
        assertThat(Files.readString(Path.of(report))).startsWith("<!DOCTYPE html>");
    }

    @Test
    void comparesTwoPlans() throws IOException {
        String serial = write("serial.json", GRAPH.replace("\"queue\":\"C\"", "\"queue\":\"G\""));

        assertThat(plan("--diff", good, good).out.strip()).isEqualTo("no differences");
        Run text = plan("--diff", good, serial);
        assertThat(text.code).isZero();
        assertThat(text.out)
                .contains("~ pass 'SSAO': on C, level 1 -> on G, level 1")
                .doesNotContain("batch 0");
        Run data = plan("--diff", "--json", good, serial);
        assertThat(keys(data.out)).containsExactly("before", "after", "changes");
        assertThat(plan("--diff", good, bad).code).isEqualTo(1);
        assertThat(plan("--diff", good, broken).code).isEqualTo(2);
        refused("--diff compares two graphs, got 1", "--diff", good);
        refused("--diff compares two graphs, got 3", "--diff", good, good, good);
        refused("--diff takes neither --html nor --explain", "--diff", good, good, "--html", folder + "/r.html");
    }

    @Test
    void aGraphOfGivenOrdersHasNoReport() throws IOException {
        String fixed = write("fixed.json", GRAPH.replace("\"queues\"", "\"mode\":{\"order\":\"fixed\"},\"queues\""));

        refused("gives the order of each queue itself", fixed, "--html", folder + "/r.html");
        refused("gives the order of each queue itself", "--diff", fixed, fixed);
        assertThat(names()).doesNotContain("r.html");
    }

    private static void refused(String reason, String... arguments) {
        Run run = plan(arguments);

        assertThat(run.code).isEqualTo(2);
        assertThat(run.err).startsWith("frameloom plan: ").contains(reason).hasLineCount(1);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static List<String> keys(String line) throws IOException {
        List<String> keys = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(line)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                keys.add(json.currentName());
                json.nextToken();
                json.skipChildren();
            }
        }
        return keys;
    }
}
