package io.frameloom.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.benchmarks.dag.BodyKind;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.Settings;
import io.frameloom.benchmarks.report.RowsFile;
import io.frameloom.testing.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line. */
@Timeout(60)
class OptionsTest {
    private static final List<String> SHAPES = List.of("chain", "fan");

    @TempDir
    Path folder;

    private Options parse(String line) throws Options.UsageException {
        List<String> words = new ArrayList<>(List.of(line.split(" ")));
        return Options.parse(words.toArray(String[]::new), SHAPES);
    }

    @Test
    void everythingGiven() throws Exception {
        Path json = folder.resolve("rows.json");
        Path plots = folder.resolve("a/b");
        assertThat(parse("--quick --shape fan --shape fan --workers 1,4,1 --body work1us --pinned --json " + json
                        + " --plots " + plots))
                .isEqualTo(new Options(
                        new Settings(true, List.of(1, 4), true, true),
                        List.of("fan"),
                        BodyKind.WORK1US,
                        json,
                        plots,
                        List.of()));
        Path from = Files.writeString(folder.resolve("old.json"), "[]");
        assertThat(parse("--from " + from + " --json " + json).from()).containsExactly(from);
        assertThat(plots).doesNotExist();
        assertThat(json).doesNotExist();
    }

    @Test
    void nothingGivenRunsEverything() throws Options.UsageException {
        assertThat(parse("--no-plots"))
                .isEqualTo(new Options(
                        new Settings(false, List.of(1, 2), false, false),
                        List.of(),
                        BodyKind.EMPTY,
                        null,
                        null,
                        List.of()));
        assertThat(SHAPES).allMatch(parse("--no-plots")::wants);
        assertThat(SHAPES).filteredOn(parse("--shape fan")::wants).containsExactly("fan");
    }

    @ParameterizedTest
    @CsvSource({
        "--slow, unknown option --slow",
        "--shape, --shape needs a value",
        "--shape circle, unknown shape circle",
        "--workers 0, out of range",
        "--workers 1025, out of range",
        "--workers -1, out of range",
        "--workers 99999999999, out of range",
        "--workers two, --workers two is not a whole number",
        "'--workers 1,', '--workers ''1,'' lacks a number'",
        "'--workers 1,,2', '--workers ''1,,2'' lacks a number'",
        "--body heavy, unknown body heavy",
        "--json /, it is a folder",
        "--json --quick, --json needs a value",
        "--from /no/such/rows.json, there is no such file",
        "--from /, it is no file that can be read",
        "--plots here --no-plots, --no-plots and --plots contradict each other",
        "--no-plots --plots here, --no-plots and --plots contradict each other",
        "--quick --from pom.xml, --from and --quick contradict each other",
        "--pinned --from pom.xml, --from and --pinned contradict each other",
        "--from pom.xml --body empty, --from and --body contradict each other",
        "--from pom.xml --json pom.xml, would overwrite what --from reads",
        "--json a.json --json b.json, --json is given twice",
        "--body empty --body work1us, --body is given twice"
    })
    void nonsenseIsRefusedInOneLine(String line, String message) {
        assertThatThrownBy(() -> parse(line))
                .isInstanceOf(Options.UsageException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void aFolderInTheWayOfTheTargetsIsRefusedBeforeAnythingIsMeasured() throws IOException {
        Files.createDirectory(folder.resolve("rows-targets.json"));
        assertThatThrownBy(() -> parse("--json " + folder.resolve("rows.json")))
                .isInstanceOf(Options.UsageException.class)
                .hasMessageContaining("rows-targets.json")
                .hasMessageContaining("is a folder")
                .hasMessageNotContaining("\n");
    }

    @Test
    void aFileOfTargetsThatIsReadIsNotOverwritten() throws IOException {
        Path from = Files.writeString(folder.resolve("rows-targets.json"), "[]");
        assertThatThrownBy(() -> parse("--from " + from + " --json " + folder.resolve("rows.json")))
                .isInstanceOf(Options.UsageException.class)
                .hasMessageContaining("would overwrite what --from reads");
    }

    @Test
    void shapesAndWorkersChooseAmongTheRowsOfAFile() throws Exception {
        List<Row> rows = new ArrayList<>();
        for (String shape : List.of("chain", "fan", "gone")) {
            for (int workers : new int[] {1, 2, 16}) {
                rows.add(row(shape, workers));
            }
        }
        Path file = folder.resolve("rows.json");
        RowsFile.write(file, rows);
        assertThat(Main.read(file, parse("--from " + file))).isEqualTo(rows);
        assertThat(Main.read(file, parse("--shape chain --shape fan --workers 2,16 --from " + file)))
                .containsExactly(row("chain", 2), row("chain", 16), row("fan", 2), row("fan", 16));
        assertThatThrownBy(() -> Main.read(file, parse("--workers 3 --from " + file)))
                .isInstanceOf(Options.UsageException.class)
                .hasMessageContaining(file + ": none of its rows is of the given --shape and --workers");
        Files.writeString(file, "[]");
        assertThatThrownBy(() -> Main.read(file, parse("--from " + file)))
                .isInstanceOf(Options.UsageException.class)
                .hasMessageContaining(file + ": it holds no rows");
    }

    @Test
    void rowsOfSeveralFilesStandSideBySide() throws IOException {
        Path java = folder.resolve("java.json");
        RowsFile.write(
                java,
                List.of(
                        new Row("chain", 1, "frameloom-dynamic", 30, 0.0, 0, 1, null, 1, "empty", false, "task", null),
                        row("fan", 1)));
        Path rivals = folder.resolve("rivals.json");
        RowsFile.write(
                rivals, List.of(new Row("chain", 1, "onetbb", 20, null, 0, 1, null, 1, "empty", false, "task", null)));
        Ended ended = run("--no-plots", "--from", java.toString(), "--from", rivals.toString());
        assertThat(ended.status()).isZero();
        List<String> lines = ended.out().lines().toList();
        assertThat(lines.get(1)).startsWith("chain ").contains("frameloom-dynamic", "1.50");
        assertThat(lines.get(2)).startsWith("chain ").contains("onetbb");
        assertThat(lines.get(3)).startsWith("fan ");
    }

    private static Row row(String shape, int workers) {
        return new Row(shape, workers, "fjp", 1, 0.0, 0, 1, null, 1, "empty", false, "task", null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rows", "[{\"shape\":\"chain\"}]", "[\n{\"shape\":"})
    void aFileThatHoldsNoRowsIsRefusedInOneLineThatNamesIt(String content) throws Exception {
        Path file = Files.writeString(folder.resolve("rows.json"), content);
        assertThatThrownBy(() -> Main.read(file, parse("--from " + file)))
                .isInstanceOf(Options.UsageException.class)
                .hasMessageStartingWith("--from " + file + ": ")
                .hasMessageEndingWith("; name a file that --json wrote")
                .hasMessageNotContaining("\n");
    }

    @Test
    void theFoldersOfThePicturesAndOfTheRowsAreMadeWithTheirParents() throws Options.UsageException {
        Path plots = folder.resolve("a/b");
        Path json = folder.resolve("c/d/rows.json");
        Options options = parse("--plots " + plots + " --json " + json);
        assertThat(folder).isEmptyDirectory();
        options.makeFolders();
        assertThat(plots).isEmptyDirectory();
        assertThat(json.getParent()).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({
        "--plots /dev/null/pictures, /dev/null/pictures",
        "--plots /dev/null, /dev/null",
        "--no-plots --json /dev/null/rows.json, /dev/null"
    })
    void aFolderThatCannotBeMadeIsRefusedInOneLine(String line, String place) throws Options.UsageException {
        Options options = parse(line);
        assertThatThrownBy(options::makeFolders)
                .isInstanceOf(Options.UsageException.class)
                .hasMessageContaining("the folder " + place + " cannot be made; ")
                .hasMessageNotContaining("\n");
    }

    @Test
    void theHelpExplainsEveryOptionAndNamesEveryShape() {
        String help = Help.text(SHAPES);
        Matcher option = Pattern.compile("--[a-z-]+").matcher(Options.USAGE);
        int options = 0;
        while (option.find()) {
            options++;
            assertThat(help).containsPattern("(?m)^  " + option.group() + "\\b.* {2,}\\S");
        }
        assertThat(options).isEqualTo(9);
        assertThat(help)
                .contains("-h, --help", "default: all", "default: 1,2", "default: out/bench", "empty (default)");
        assertThat(help).endsWith("shapes: chain, fan");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-h", "--help"})
    void bothNamesOfTheHelpPrintIt(String option) throws IOException {
        Ended ended = run("--slow", option);
        assertThat(ended.status()).isZero();
        assertThat(ended.out()).startsWith(Options.USAGE);
        assertThat(ended.complaints()).isEmpty();
    }

    @Test
    void aWrongFileIsOneLineAndStatusTwoBeforeAnythingIsMade() throws IOException {
        Path file = Files.writeString(folder.resolve("rows.json"), "[{\"shape\":\"chain\"}]");
        Ended ended = run(
                "--from", file.toString(), "--plots", folder.resolve("plots").toString());
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.complaints())
                .isEqualToNormalizingNewlines("frameloom bench: --from " + file
                        + ": element 1 has no workers; name a file that --json wrote\n");
        assertThat(folder).isDirectoryNotContaining("glob:**/plots");
    }

    @Test
    void aWrongPropertyIsOneLineAndStatusTwo() throws IOException {
        System.setProperty("frameloom.gpu.queues", "many");
        try {
            Ended ended = run("--gpu", "latency", "--quick");
            assertThat(ended.status()).isEqualTo(2);
            assertThat(ended.out()).isEmpty();
            assertThat(ended.complaints().lines()).hasSize(1);
            assertThat(ended.complaints()).startsWith("frameloom bench: system property frameloom.gpu.queues: ");
        } finally {
            System.clearProperty("frameloom.gpu.queues");
        }
    }

    @Test
    void wrongArgumentsOfJmhAreOneLineAndStatusTwo() throws IOException {
        Ended ended = run("--jmh", "--frob");
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.complaints().lines()).hasSize(1);
        assertThat(ended.complaints()).startsWith("frameloom bench: --jmh: ").contains("frob", "--jmh -h");
    }

    @Test
    void aMisspeltPropertyIsRefusedWithTheNearest() throws IOException {
        System.setProperty("frameloom.gpu.queue", "all");
        try {
            Ended ended = run("--help");
            assertThat(ended.status()).isEqualTo(2);
            assertThat(ended.out()).isEmpty();
            assertThat(ended.complaints().lines()).hasSize(1);
            assertThat(ended.complaints())
                    .startsWith("frameloom bench: ")
                    .contains("the nearest are 'frameloom.gpu.queues'");
        } finally {
            System.clearProperty("frameloom.gpu.queue");
        }
    }

    /** In a JVM of its own: hwloc is loaded once. */
    @Test
    void whereHwlocIsMissingPinnedIsRefusedInOneLine() throws IOException, InterruptedException {
        ChildProcess.Ended ended = ChildProcess.run(
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dorg.lwjgl.hwloc.libname=nowhere",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--pinned",
                        "--no-plots"),
                Duration.ofSeconds(30));
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.lines())
                .endsWith("frameloom bench: --pinned: hwloc, which binds threads, cannot be loaded here;"
                        + " leave the option out");
    }

    private record Ended(int status, String out, String complaints) {}

    private static Ended run(String... arguments) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        int status = Main.run(
                arguments,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(complaints, true, StandardCharsets.UTF_8));
        return new Ended(status, out.toString(StandardCharsets.UTF_8), complaints.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aCurveRunsUpToAllProcessorsUnlessTheUserChooses() throws Options.UsageException {
        int processors = Runtime.getRuntime().availableProcessors();
        List<Integer> sweep = parse("--no-plots").settings().workerSweep();
        assertThat(sweep)
                .startsWith(1)
                .endsWith(processors)
                .doesNotHaveDuplicates()
                .isSorted();
        assertThat(parse("--no-plots --workers 3").settings().workerSweep()).containsExactly(3);
    }
}
