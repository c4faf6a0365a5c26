package io.frameloom.samples.plan;

import static io.frameloom.samples.plan.PlanRun.plan;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How the command ends on graphs that have no plan, and how much it says. */
@Timeout(60)
final class PlanErrorsTest {
    @TempDir
    private Path folder;

    private PlanFiles files;

    @BeforeEach
    void writeFiles() throws IOException {
        files = new PlanFiles(folder);
    }

    @Test
    void aGraphThatIsTooLargeIsBadInput() throws IOException {
        String passes = IntStream.range(0, 1600)
                .mapToObj(i -> "{\"id\":\"p" + i + "\",\"kind\":\"compute\",\"uses\":[{\"r\":\"b\",\"a\":"
                        + (i < 800 ? "\"storageWriteComp\",\"uavGroup\":1" : "\"storageReadComp\"") + "}]}")
                .collect(Collectors.joining(","));
        String file = files.write(
                "large.json",
                "{\"mode\":{\"cull\":\"off\"},\"resources\":[{\"id\":\"b\",\"kind\":\"buffer\",\"bytes\":4}],\"passes\":["
                        + passes + "]}");

        PlanRun text = plan(file);
        assertThat(text.code()).isEqualTo(2);
        assertThat(text.out()).isEmpty();
        assertThat(text.err()).contains(file + ": LIMIT: up to pass 'p").hasLineCount(1);
        PlanRun json = plan("--json", file, files.good);
        assertThat(json.code()).isEqualTo(2);
        assertThat(json.err()).contains("LIMIT: up to pass").hasLineCount(1);
        assertThat(json.out().lines().toList()).hasSize(2).first().asString().contains("\"code\":\"LIMIT\"");
    }

    @Test
    void aRangeOutsideIsOneError() throws IOException {
        String file = files.write(
                "range.json",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"lifetime\":\"extracted\"}],\"passes\":["
                        + "{\"id\":\"A\",\"kind\":\"compute\",\"uses\":[{\"r\":\"t\",\"a\":\"storageWriteComp\","
                        + "\"discard\":true,\"sub\":{\"mip\":3}}]}]}");

        PlanRun run = plan(file);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("RANGE: pass 'A' uses").hasLineCount(1);
    }

    @Test
    void aQueueThatCannotIsSaidByItsCode() throws IOException {
        String file = files.write("queue.json", PlanFiles.GRAPH.replaceFirst("\"queue\":\"G\"", "\"queue\":\"C\""));

        PlanRun run = plan("--json", file);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .contains("pass 'Pre' needs a queue with the capability graphics")
                .hasLineCount(1);
        assertThat(run.out()).contains("\"error\":{\"code\":\"QUEUE_CAPABILITY\",", "\"pass\":\"Pre\"");
    }

    @Test
    void ofManyErrorsTheFirstAreSaid() throws IOException {
        assertThat(plan(unwritten(20)).err()).doesNotContain("more").hasLineCount(20);
        PlanRun many = plan(unwritten(23));
        assertThat(many.code()).isEqualTo(1);
        List<String> lines = many.err().lines().toList();
        assertThat(lines).hasSize(21);
        assertThat(lines.get(19)).contains("pass 'p19' reads");
        assertThat(lines.get(20)).endsWith(": ... and 3 more; --json has all");
        assertThat(plan("--json", unwritten(23)).out()).contains("\"pass\":\"p22\"");
    }

    private String unwritten(int passes) throws IOException {
        return files.write(
                "unwritten.json",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\"}],\"passes\":["
                        + IntStream.range(0, passes)
                                .mapToObj(i -> "{\"id\":\"p" + i
                                        + "\",\"kind\":\"compute\",\"uses\":[{\"r\":\"t\",\"a\":\"sampledComp\"}]}")
                                .collect(Collectors.joining(","))
                        + "]}");
    }
}
