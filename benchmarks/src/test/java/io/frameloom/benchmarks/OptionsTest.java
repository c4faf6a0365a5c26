package io.frameloom.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.benchmarks.dag.BodyKind;
import io.frameloom.benchmarks.driver.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        Path from = Files.writeString(folder.resolve("old.json"), "[]");
        assertThat(parse("--quick --shape fan --shape fan --workers 1,4,1 --body work1us --json " + json + " --plots "
                        + plots + " --from " + from))
                .isEqualTo(new Options(
                        new Settings(true, List.of(1, 4), true), List.of("fan"), BodyKind.WORK1US, json, plots, from));
        assertThat(plots).doesNotExist();
        assertThat(json).doesNotExist();
    }

    @Test
    void nothingGivenRunsEverything() throws Options.UsageException {
        assertThat(parse("--no-plots"))
                .isEqualTo(new Options(
                        new Settings(false, List.of(1, 2), false), SHAPES, BodyKind.EMPTY, null, null, null));
    }

    @ParameterizedTest
    @CsvSource({
        "--slow, unknown option --slow",
        "--shape, --shape needs a value",
        "--shape circle, unknown shape circle",
        "--workers 0, out of range",
        "--workers 1025, out of range",
        "--workers -1, out of range",
        "--workers two, not a number",
        "'--workers 1,', not a number",
        "--body heavy, unknown body heavy",
        "--json /no/such/folder/rows.json, cannot be written",
        "--json /, cannot be written",
        "--from /no/such/rows.json, cannot be read",
        "--from /, cannot be read"
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
    void theFolderOfThePicturesIsMadeWithItsParents() throws Options.UsageException {
        Path plots = folder.resolve("a/b");
        parse("--plots " + plots).makePlotsFolder();
        assertThat(plots).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/null/pictures", "/dev/null"})
    void aFolderThatCannotBeMadeIsRefusedInOneLine(String plots) throws Options.UsageException {
        Options options = parse("--plots " + plots);
        assertThatThrownBy(options::makePlotsFolder)
                .isInstanceOf(Options.UsageException.class)
                .hasMessageContaining(plots + " cannot be made")
                .hasMessageNotContaining("\n");
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
