package io.frameloom.samples.plan;

import static io.frameloom.samples.plan.PlanRun.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.samples.SteeringName;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Names of a file are text of strangers: none ends a line or drives the terminal. */
@Timeout(60)
final class PlanNamesTest {
    private static final String NAME = "a\\nb\\u001b[31m\\u202e";
    private static final String SHOWN = "a\\nb\\u001b[31m\\u202e";

    @TempDir
    private Path folder;

    private PlanFiles files;

    @BeforeEach
    void writeFiles() throws IOException {
        files = new PlanFiles(folder);
    }

    @Test
    void namesOfAPlanAreShownEscaped() throws IOException {
        String file =
                files.write("odd.json", PlanFiles.GRAPH.replace("Light", NAME).replace("\"ao\"", quoted()));

        PlanRun run = plan(file);
        assertThat(run.code()).isZero();
        assertOnlyText(run.out());
        assertThat(run.out()).contains(SHOWN + System.lineSeparator(), "      before: " + SHOWN + " ");
        assertThat(run.out()).containsPattern("\\R    \\S.*\\R      before: .*");

        PlanRun explained = plan("--explain", "a\nb\u001b[31m\u202e", file);
        assertThat(explained.code()).isZero();
        assertOnlyText(explained.out());
        assertThat(explained.out()).contains("pass '" + SHOWN + "' runs on queue G", "texture '" + SHOWN + "' is");

        PlanRun differences = plan("--diff", files.good, file);
        assertThat(differences.code()).isZero();
        assertOnlyText(differences.out());
        assertThat(differences.out()).contains("+ pass '" + SHOWN + "'");

        PlanRun report = plan("--html", folder + "/" + SteeringName.RAW + ".html", file);
        assertThat(report.code()).isZero();
        assertOnlyText(report.out());
        assertThat(report.out()).contains("written: " + folder + "/" + SteeringName.SHOWN + ".html");

        PlanRun json = plan("--json", file);
        assertOnlyText(json.out());
        assertThat(json.out()).contains("\"id\":\"a\\nb\\u001B[31m\u202e\"").hasLineCount(1);
    }

    @Test
    void whatIsRefusedIsOneLineWhateverItsNames() throws IOException {
        assertRefused(2, PlanFiles.GRAPH.replace("\"r\":\"depth\"", "\"r\":" + quoted()), "unknown resource '" + SHOWN);
        assertRefused(
                2, PlanFiles.GRAPH.replace("\"queue\":\"C\"", "\"queue\":" + quoted()), "unknown queue '" + SHOWN);
        assertRefused(2, PlanFiles.GRAPH.replace("\"discard\"", quoted()).replace("\"uses\"", quoted()), "unknown key");
        assertRefused(2, PlanFiles.GRAPH.replace("\"id\":\"debug\"", "\"id\":" + quoted()), "the nearest are");
        assertRefused(1, PlanFiles.GRAPH.replace("\"Pre\"", "\"SSAO\"").replace("SSAO", NAME), "DUPLICATE_PASS");
        String unknown = plan("--explain", "a\nb", files.good).err();
        assertThat(unknown).contains("is called 'a\\nb'").hasLineCount(1);
    }

    private void assertRefused(int code, String graph, String words) throws IOException {
        PlanRun run = plan(files.write("odd.json", graph));

        assertThat(run.code()).isEqualTo(code);
        assertThat(run.err()).contains(words).hasLineCount(1);
        assertOnlyText(run.err());
    }

    private static String quoted() {
        return "\"" + NAME + "\"";
    }

    private static void assertOnlyText(String printed) {
        assertThat(printed.replace(System.lineSeparator(), "").replace("\n", "").chars())
                .noneMatch(c -> Character.isISOControl(c));
    }
}
