package io.frameloom.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.benchmarks.Main;
import io.frameloom.benchmarks.driver.Row;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of rows: table, file, comparison with the targets. */
@Timeout(60)
class ReportTest {
    private static final List<String> KEYS =
            List.of("shape", "workers", "contender", "nsPerTask", "bytesPerTask", "error");

    @TempDir
    Path folder;

    static Row row(String shape, int workers, String contender, boolean reruns, double nanos) {
        return row(shape, workers, contender, reruns, nanos, "empty", null);
    }

    static Row row(
            String shape,
            int workers,
            String contender,
            boolean reruns,
            double nanos,
            String body,
            @Nullable Integer parameter) {
        return new Row(
                shape,
                workers,
                contender,
                nanos,
                72.0,
                nanos / 10,
                nanos * 0.9,
                null,
                nanos,
                body,
                reruns,
                "task",
                parameter);
    }

    @Test
    void theRatioIsAgainstTheBestRivalThatDidTheSame() {
        Row ours = row("chain", 1, "frameloom-dynamic", false, 40);
        Row best = row("chain", 1, "fjp-handmapped", false, 35);
        List<Row> rows = List.of(
                ours,
                best,
                row("chain", 1, "frameloom-dynamic-streaming", false, 20),
                row("chain", 1, "completable-future", false, 50),
                row("chain", 1, "fjp-handmapped-rerun", true, 8),
                row("chain", 1, Row.SEQUENTIAL, false, 1),
                row("chain", 1, Row.NOTHING, false, 1),
                row("chain", 2, "fjp-handmapped", false, 5),
                row("chain", 1, "fjp-handmapped", false, 5, "work1us", null),
                row("chain", 1, "fjp-handmapped", false, 5, "empty", 1_000),
                row("fan", 1, "fjp-handmapped", false, 5));
        assertThat(Table.bestRival(rows, ours)).contains(best);
        assertThat(Table.bestRival(List.of(ours), ours)).isEmpty();
    }

    @Test
    void everyRowAndVerdictHasTheSixKeys() throws IOException {
        Path file = folder.resolve("rows.json");
        Path targets = RowsFile.targetsFile(file);
        List<Row> rows = List.of(
                row("hop-spinning", 2, "frameloom-dynamic", false, 40),
                row("parallel-for", 2, "frameloom-dynamic", false, 8e5, "sum", 1_000));
        RowsFile.write(file, rows);
        RowsFile.write(targets, Targets.load().judge(rows));
        JsonNode array = withTheSixKeys(file);
        assertThat(array).hasSize(2);
        assertThat(array).noneMatch(element -> element.has("what"));
        assertThat(array.get(0).has("p99")).isFalse();
        assertThat(array.get(1).get("parameter").asInt()).isEqualTo(1_000);
        assertThat(RowsFile.read(file)).isEqualTo(rows);
        JsonNode verdicts = withTheSixKeys(targets);
        assertThat(verdicts).hasSize(2);
        assertThat(verdicts.get(0).get("what").asText()).contains("hop, spinning");
        assertThat(Files.list(folder)).containsExactlyInAnyOrder(file, targets);
    }

    private static JsonNode withTheSixKeys(Path file) throws IOException {
        JsonNode array = new ObjectMapper().readTree(file.toFile());
        for (JsonNode element : array) {
            for (String key : KEYS) {
                assertThat(element.path(key).isValueNode())
                        .as("%s of %s", key, element)
                        .isTrue();
                assertThat(element.path(key).isNull())
                        .as("%s of %s", key, element)
                        .isFalse();
            }
        }
        return array;
    }

    @ParameterizedTest
    @CsvSource({"rows.json, rows-targets.json", "rows, rows-targets.json", "a.json.b, a.json.b-targets.json"})
    void verdictsStandNextToTheRows(String rows, String targets) {
        assertThat(RowsFile.targetsFile(folder.resolve(rows))).isEqualTo(folder.resolve(targets));
    }

    @Test
    void aFailedWriteLeavesTheOldFileAndNothingElse() throws IOException {
        Path blocked = Files.createDirectory(folder.resolve("rows.json"));
        Path inside = Files.writeString(blocked.resolve("kept"), "kept");
        assertThatThrownBy(() -> RowsFile.write(blocked, List.of())).isInstanceOf(IOException.class);
        assertThat(inside).hasContent("kept");
        assertThat(Files.list(folder)).containsExactly(blocked);
    }

    private static String json(String changes) {
        String row = "'shape':'chain','workers':1,'contender':'fjp','nsPerTask':1,'bytesPerTask':0,'error':0.5,"
                + "'minNsPerTask':1,'cpuNsPerTask':1,'body':'empty','reruns':false,'unit':'task'";
        for (String change : changes.isEmpty() ? new String[0] : changes.split(";", -1)) {
            String[] fromTo = change.split("=>", -1);
            row = row.replace(fromTo[0], fromTo[1]);
        }
        return "[{" + row.replace('\'', '"') + "}]";
    }

    @Test
    void whatMayBeNullInARowMayBeAbsentInAFile() {
        assertThat(Row.class.getRecordComponents())
                .filteredOn(component -> component.getAnnotatedType().isAnnotationPresent(Nullable.class))
                .extracting(RecordComponent::getName)
                .containsExactlyInAnyOrderElementsOf(RowsFile.OPTIONAL);
    }

    @Test
    void aRowNeedsOnlyTheKeysThatEveryRowHas() throws IOException {
        Path file = Files.writeString(folder.resolve("rows.json"), json(""));
        assertThat(RowsFile.read(file))
                .containsExactly(new Row("chain", 1, "fjp", 1, 0.0, 0.5, 1, null, 1, "empty", false, "task", null));
        // As benchmarks/rivals prints them.
        Files.writeString(file, json("'bytesPerTask':0,=>"));
        assertThat(RowsFile.read(file))
                .containsExactly(new Row("chain", 1, "fjp", 1, null, 0.5, 1, null, 1, "empty", false, "task", null));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "`'shape':'chain',=>`, element 1 has no shape",
                "`'nsPerTask':1,=>`, element 1 has no nsPerTask",
                "'contender':'fjp'=>'contender':null, element 1 has no contender",
                "'workers':1=>'workers':'two', element 1 has no int for workers",
                "'workers':1=>'workers':1.5, element 1 has no int for workers",
                "'nsPerTask':1=>'nsPerTask':1e999, element 1 has no double for nsPerTask",
                "'nsPerTask':1=>'nsPerTask':'1', element 1 has no double for nsPerTask",
                "'reruns':false=>'reruns':0, element 1 has no boolean for reruns",
                "'unit':'task'=>'unit':7, element 1 has no String for unit",
                "`'unit':'task'=>'unit':'task','speed':1`, element 1 has the unknown keys [speed]",
                "`'unit':'task'=>'unit':'task','what':'verdict'`, it tells what became of the targets"
            })
    void aRowThatIsNoneIsNamed(String change, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("rows.json"), json(change));
        assertThatThrownBy(() -> RowsFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message)
                .hasMessageContaining("; name ")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "``, it is empty",
                "{}, it holds no array",
                "[1], element 1 is no row",
                "[, it ends in the middle of a value",
                "rows, it is not JSON",
                "[] [], it is not JSON"
            })
    void anotherFileIsRefused(String content, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("rows.json"), content);
        assertThatThrownBy(() -> RowsFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message)
                .hasMessageEndingWith("; name a file that --json wrote")
                .hasMessageNotContaining("\n");
    }

    @Test
    void everyTargetIsMetOrMissedByItsOwnMetric() throws IOException {
        List<Row> rows = List.of(
                row("wavefront", 1, "frameloom-compiled", false, 11.1),
                row("tree", 1, "frameloom-compiled", false, 10),
                row("hop-parked", 2, "frameloom-dynamic", false, 1.3),
                row("hop-parked", 2, "locksupport-ping-pong", false, 1),
                row("idle-cpu", 1, "frameloom-dynamic", false, 0.99e7),
                row("efficiency-random", 16, "frameloom-dynamic", false, 75, "work1us", null),
                row("efficiency-random", 16, "fjp-handmapped", false, 120, "work1us", null),
                row("efficiency-random", 16, Row.SEQUENTIAL, true, 1_000, "work1us", null));
        Targets targets = Targets.load();
        List<Verdict> verdicts = targets.judge(rows);
        assertThat(verdicts)
                .extracting(Verdict::shape, Verdict::metric, Verdict::met)
                .containsExactly(
                        tuple("tree", Metric.NANOS, true),
                        tuple("wavefront", Metric.NANOS, false),
                        tuple("tree", Metric.BYTES, false),
                        tuple("wavefront", Metric.BYTES, false),
                        tuple("hop-parked", Metric.RATIO, false),
                        tuple("idle-cpu", Metric.PERCENT_OF_A_CORE, true),
                        tuple("efficiency-random", Metric.EFFICIENCY, true),
                        tuple("efficiency-random", Metric.RATIO, true));
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        targets.print(new PrintStream(text, true, StandardCharsets.UTF_8), verdicts);
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains("4 targets met, 4 missed, " + (targets.all().size() - 8) + " not measured");
    }

    private static Row bytes(String contender, double nanos, double bytes) {
        return new Row("chain", 1, contender, nanos, bytes, 0, nanos, null, nanos, "empty", true, "task", null);
    }

    private static List<String> printed(List<Row> rows) throws IOException {
        Targets targets = Targets.load();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        targets.print(new PrintStream(text, true, StandardCharsets.UTF_8), targets.judge(rows));
        return text.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.replaceAll(" {2,}", "  "))
                .toList();
    }

    @Test
    void aTargetInBytesIsComparedInBytesAndTellsItsTolerance() throws IOException {
        List<Row> rows = List.of(
                bytes("frameloom-compiled", 2, 0.01),
                bytes("fjp-handmapped-rerun", 9.69, 64),
                bytes("fixed-pool", 50, 0.5));
        List<Verdict> verdicts = Targets.load().judge(rows);
        assertThat(verdicts)
                .extracting(
                        Verdict::metric,
                        Verdict::bestRival,
                        Verdict::bestRivalValue,
                        Verdict::ratio,
                        Verdict::tolerance,
                        Verdict::met)
                .containsExactly(
                        tuple(Metric.NANOS, "fjp-handmapped-rerun", 9.69, 2 / 9.69, 0.0, true),
                        tuple(Metric.BYTES, "fixed-pool", 0.5, 0.02, 0.1, true));
        assertThat(printed(rows))
                .anyMatch(line -> line.contains("  2.00 ns fjp-handmapped-rerun  9.69 ns  0.21  <= 4 ns  met"))
                .anyMatch(line -> line.contains("  0.01 B fixed-pool  0.50 B  0.02  <= 0 + 0.1 B  met"))
                .contains("a target in bytes tolerates what the counting itself allocates, up to 0.1 B");
    }

    @Test
    void nothingIsAMultipleOfWhatTheCountingAllocates() throws IOException {
        for (double theirs : new double[] {0, 0.1}) {
            List<Row> rows = List.of(bytes("frameloom-compiled", 2, 0.04), bytes("fixed-pool", 50, theirs));
            assertThat(Targets.load().judge(rows).get(1).ratio()).isNull();
            assertThat(printed(rows)).anyMatch(line -> line.contains(" B  -  <= 0 + 0.1 B  met"));
        }
    }

    @Test
    void rivalsAreShownInTheUnitOfTheTarget() throws IOException {
        List<String> lines = printed(List.of(
                row("idle-cpu", 1, "frameloom-dynamic", false, 0.4e6),
                row("idle-cpu", 1, "fjp", false, 0.5e6),
                row("hop-parked", 2, "frameloom-dynamic", false, 1_300),
                row("hop-parked", 2, "locksupport-ping-pong", false, 1_000),
                row("efficiency-random", 16, "frameloom-dynamic", false, 75, "work1us", null),
                row("efficiency-random", 16, "fjp-handmapped", false, 150, "work1us", null),
                row("efficiency-random", 16, Row.SEQUENTIAL, true, 1_080, "work1us", null)));
        assertThat(lines)
                .anyMatch(line -> line.contains("  0.04 % fjp  0.05 %  0.80  < 1 %  met"))
                .anyMatch(line -> line.contains("  1.30 locksupport-ping-pong  1000.00 ns  1.30  <= 1.2  MISSED"))
                .anyMatch(line -> line.contains("  0.90 fjp-handmapped  0.45  2.00  >= 0.8  met"))
                .anyMatch(line -> line.contains("  0.50 fjp-handmapped  150.00 ns  0.50  <= 0.667  met"))
                .noneMatch(line -> line.startsWith("a target in bytes"));
        assertThat(printed(List.of(row("hop-spinning", 2, "frameloom-dynamic", false, 40))))
                .anyMatch(line -> line.startsWith("1 target met, 0 missed, "));
    }

    @Test
    void everyTargetNamesAKnownShape() throws IOException {
        assertThat(Targets.load().all()).extracting(Target::shape).isSubsetOf(Main.names());
    }

    @Test
    void theTableHasOneLinePerRow() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        Table table = new Table(new PrintStream(text, true, StandardCharsets.UTF_8));
        table.print(
                List.of(row("chain", 1, "frameloom-dynamic", false, 40), row("chain", 1, "fjp-handmapped", false, 50)));
        List<String> lines = text.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(1)).contains("frameloom-dynamic", " 40.0 ", " 0.80 ");
        assertThat(lines.get(2)).contains("fjp-handmapped", " 50.0 ").doesNotContain("0.80");
    }
}
