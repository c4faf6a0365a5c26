package io.frameloom.samples.plan;

import static io.frameloom.samples.plan.PlanRun.keys;
import static io.frameloom.samples.plan.PlanRun.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.RdgException;
import io.frameloom.samples.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the command prints of a plan, and of what it refuses. */
@Timeout(60)
final class PlanCommandTest {
    @TempDir
    private Path folder;

    private PlanFiles files;

    @BeforeEach
    void writeFiles() throws IOException {
        files = new PlanFiles(folder);
    }

    @Test
    void printsPassesWaitsAndReasons() {
        PlanRun run = plan(files.good);

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("3 passes, 1 culled")
                .contains("SSAO must wait for Pre")
                .contains("culled Debug: no output of the frame needs what it writes: debug");
    }

    @Test
    void printsOneObjectPerFileAndGoesOnBehindErrors() throws IOException {
        PlanRun run = plan("--json", files.bad, files.broken, files.good);

        List<String> lines = run.out().lines().toList();
        assertThat(run.code()).isEqualTo(2);
        assertThat(lines).hasSize(3);
        assertThat(keys(lines.get(0))).containsExactly("id", "error", "errors");
        assertThat(lines.get(0)).contains("\"code\":\"READ_UNWRITTEN\"", "\"pass\":\"R\"", "\"resource\":\"t\"");
        assertThat(keys(lines.get(1))).containsExactly("id", "error", "errors");
        assertThat(keys(lines.get(2)))
                .contains(
                        "id",
                        "culled",
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
                        "loadOps",
                        "storeOps",
                        "noAlias",
                        "lowerBound",
                        "heapBytes",
                        "placement",
                        "recordGroups",
                        "warnings");
        assertThat(run.err().lines().toList()).hasSize(1);
        assertThat(run.err())
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
            String much = files.write("much.json", PlanFiles.GRAPH.replace("\"id\":\"Pre\"", "\"id\":\"TooMuch\""));
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

            int code = Main.run(failing, new PrintWriter(err, true), "plan", much, files.good);

            assertThat(code).isEqualTo(2);
            assertThat(err.toString())
                    .startsWith("frameloom plan: " + much + ": ")
                    .hasLineCount(1);
            assertThat(out.toString()).contains("SSAO must wait for Pre");
        }
    }

    @Test
    void anUnknownKeyIsRefusedInOneLine() throws IOException {
        String lines = PlanFiles.GRAPH.replace("\"passes\":[", "\n\"passes\":[\n");
        String file = files.write("typo.json", lines.replace("\"queue\"", "\"quue\""));

        PlanRun run = plan(file);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith("frameloom plan: " + file
                        + ", line 3, /passes/0/quue: unknown key 'quue' of a pass, the nearest are 'queue', ")
                .hasLineCount(1);
    }

    @Test
    void aGraphWithoutPassesIsAPlanThatDoesNothing() throws IOException {
        PlanRun run = plan(files.write("empty.json", "{\"id\":\"empty\",\"passes\":[]}"));

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("no passes: the plan does nothing").doesNotContain("batch");
    }

    @Test
    void propertiesAreHeardAndTheCommandLineWins() throws IOException {
        Path dumps = folder.resolve("dumps");
        System.setProperty("frameloom.rdg.dump", "dependencies");
        System.setProperty("frameloom.rdg.dumpFolder", dumps.toString());
        System.setProperty("frameloom.rdg.async", "tagged");
        System.setProperty("frameloom.rdg.cullPasses", "true");
        try {
            assertThat(plan("--json", "--async", "off", "--no-cull", files.good).out())
                    .contains("\"waits\":0", "\"culled\":[]", "\"heap\":0");
            try (Stream<Path> written = Files.list(dumps)) {
                assertThat(written.map(file -> file.getFileName().toString())).contains("ao.json");
            }
        } finally {
            for (String name : List.of("dump", "dumpFolder", "async", "cullPasses")) {
                System.clearProperty("frameloom.rdg." + name);
            }
        }
    }

    @Test
    void errorsOfAGraphEndWithOne() {
        PlanRun run = plan(files.bad);

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("READ_UNWRITTEN: pass 'R' reads 't'").hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void optionsChangeThePlan() {
        assertThat(plan("--json", files.good).out()).contains("\"waits\":2");
        assertThat(plan("--json", "--async", "off", files.good).out()).contains("\"waits\":0", "\"syncs\":[]");
        assertThat(plan("--json", "--no-cull", files.good).out()).contains("\"culled\":[]");
        assertThat(plan("--async", "sideways", files.good))
                .isEqualTo(new PlanRun(
                        2,
                        "",
                        "frameloom plan: --async takes off, tagged or all, got 'sideways' (see frameloom plan --help)"
                                + System.lineSeparator()));
    }

    @Test
    void aFileHasNoTimesToMeasureBy() {
        assertThat(plan("--async", "measured", files.good))
                .isEqualTo(new PlanRun(
                        2,
                        "",
                        "frameloom plan: --async measured needs the times of frames, which a file does not have; take"
                                + " off, tagged or all (see frameloom plan --help)" + System.lineSeparator()));
        System.setProperty("frameloom.rdg.async", "measured");
        try {
            assertThat(plan(files.good))
                    .isEqualTo(new PlanRun(
                            2,
                            "",
                            "frameloom plan: " + files.good
                                    + " has no measured times to decide by which passes pay beside"
                                    + " graphics; ask for async off, tagged or all" + System.lineSeparator()));
            assertThat(plan("--async", "tagged", files.good).code()).isZero();
        } finally {
            System.clearProperty("frameloom.rdg.async");
        }
    }

    @Test
    void ordersAreChosenByName() {
        assertThat(plan("--json", "--order", "random:3", files.good).out()).contains("\"kindSwitches\":");
        assertThat(plan("--order", "best", files.good))
                .isEqualTo(new PlanRun(
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
        String graph = files.write(
                "greedy.json",
                "{\"schema\":\"rdg-case/1\",\"id\":\"greedy\",\"mode\":{\"order\":\"declared\"},"
                        + "\"queues\":[{\"id\":\"g\",\"family\":0,\"caps\":[\"graphics\",\"compute\",\"copy\"]}],"
                        + "\"resources\":[" + resources + "],\"passes\":[" + passes.substring(0, passes.length() - 1)
                        + "]}");

        assertThat(plan("--order", "memory", graph).out())
                .contains("  in the program's order: the order memory has 151 bytes of heaps, the program's 101");
        assertThat(plan("--order", "program", graph).out()).doesNotContain("in the program's order");
    }

    @Test
    void explainsPassesAndResources() {
        PlanRun run = plan("--explain", "SSAO", "--explain", "depth", files.good);

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("pass 'SSAO' runs on queue C, level 1")
                .contains("comes after 'Pre': read after write on 'depth'; its queue waits for it")
                .contains("texture 'depth' is transient")
                .contains("written in DEPTH by Pre")
                .doesNotContain("4 passes");
        PlanRun unknown = plan("--explain", "SSOA", files.good);
        assertThat(unknown)
                .isEqualTo(new PlanRun(
                        2,
                        "",
                        "frameloom plan: " + files.good
                                + ": no pass or resource is called 'SSOA'; the nearest are 'SSAO', 'ao', 'Pre'"
                                + System.lineSeparator()));
        assertThat(plan("--json", "--explain", "SSAO", files.good).code()).isEqualTo(2);
    }

    @Test
    void anEmptyCommandLineIsRefusedInOneLine() {
        PlanRun run = plan();

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("Missing required parameter: 'FILE'").hasLineCount(1);
    }
}
