package io.frameloom.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.benchmarks.dag.BodyKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line and the two outputs. */
@Timeout(60)
class OptionsTest {
    private static final List<String> SHAPES = List.of("chain", "fan");

    @TempDir
    Path folder;

    @Test
    void everythingGiven() throws Options.UsageException {
        Path json = folder.resolve("rows.json");
        Options options = Options.parse(
                new String[] {"--quick", "--shape", "fan", "--workers", "1,4", "--body", "work1us", "--json", "" + json
                },
                SHAPES);
        assertThat(options).isEqualTo(new Options(true, List.of("fan"), List.of(1, 4), BodyKind.WORK1US, json));
    }

    @Test
    void nothingGivenRunsEverything() throws Options.UsageException {
        assertThat(Options.parse(new String[0], SHAPES))
                .isEqualTo(new Options(false, SHAPES, List.of(1, 2), BodyKind.EMPTY, null));
    }

    @ParameterizedTest
    @CsvSource({
        "--slow, unknown option --slow",
        "--shape, --shape needs a value",
        "--shape circle, unknown shape circle",
        "--workers 0, out of range",
        "--workers two, not a number",
        "--body heavy, unknown body heavy",
        "--json /no/such/folder/rows.json, cannot be written"
    })
    void nonsenseIsRefusedInOneLine(String line, String message) {
        assertThatThrownBy(() -> Options.parse(line.split(" "), SHAPES))
                .isInstanceOf(Options.UsageException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void jsonHoldsEveryRow() throws IOException {
        Path json = folder.resolve("rows.json");
        Row ours = new Row("chain", "empty", 1, "frameloom-dynamic", false, 40.5, 72, 1.5, 39, 45);
        Report.writeJson(json, List.of(ours));
        assertThat(Files.readString(json))
                .isEqualTo("[\n  {\"shape\": \"chain\", \"workers\": 1, \"contender\": \"frameloom-dynamic\","
                        + " \"nsPerTask\": 40.500, \"bytesPerTask\": 72.000, \"error\": 1.500,"
                        + " \"minNsPerTask\": 39.000,"
                        + " \"cpuNsPerTask\": 45.000, \"body\": \"empty\", \"reruns\": false}\n]\n");
    }

    @Test
    void theRatioIsAgainstTheBestRivalOfTheSameMode() {
        Row ours = new Row("chain", "empty", 1, "frameloom-dynamic", false, 40, 72, 1, 39, 1);
        Row best = new Row("chain", "empty", 1, "fjp-handmapped", false, 35, 72, 1, 34, 1);
        List<Row> rows = List.of(
                ours,
                best,
                new Row("chain", "empty", 1, "completable-future", false, 50, 72, 1, 34, 1),
                new Row("chain", "empty", 1, "fjp-handmapped-rerun", true, 8, 0, 1, 8, 1),
                new Row("chain", "empty", 1, "sequential", true, 1, 0, 1, 1, 1),
                new Row("fan", "empty", 1, "fjp-handmapped", false, 5, 72, 1, 4, 1));
        assertThat(Report.bestRival(rows, ours)).contains(best);
    }
}
