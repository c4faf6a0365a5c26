package io.frameloom.benchmarks.gpu.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.testing.TestEffort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FrameBenchTest {
    /** Each number opens a device for each way. */
    private static final List<Integer> COMMANDS = TestEffort.share(FrameBench.COMMANDS, 1, 3);

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complaints = new ByteArrayOutputStream();

    private int run(String... arguments) throws IOException {
        return FrameBench.run(
                List.of(arguments),
                COMMANDS,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(complaints, true, StandardCharsets.UTF_8));
    }

    @Test
    void everyWayIsMeasuredWithEveryNumberOfCommands() throws IOException {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        Path file = folder.resolve("new").resolve("frame.json");
        assertThat(run("--quick", "--workers", "2", "--json", file.toString())).isZero();
        JsonNode rows = new ObjectMapper().readTree(file.toFile()).get("rows");
        assertThat(rows).hasSize(COMMANDS.size() * 8).allSatisfy(row -> {
            assertThat(row.get("cpuMicros").asDouble()).isPositive();
            assertThat(row.get("steps")).hasSize(4);
            assertThat(row.get("steps").get("recordMicros").asDouble()).isPositive();
            assertThat(row.get("perSecond").asDouble() > 0)
                    .isEqualTo(row.get("commands").asInt() > 0);
        });
        assertThat(rows)
                .extracting(row -> row.get("way").asText())
                .containsSubsequence(
                        "plain LWJGL",
                        "graph",
                        "graph, new",
                        "graph, parked",
                        "graph, inline",
                        "graph, unchecked",
                        "graph, 1",
                        "graph, 2");
        assertThat(out.toString(StandardCharsets.UTF_8).lines()).hasSize(rows.size() + 2);
    }

    @Test
    void aPassReadsTheTargetsOfEarlierOnes() {
        FrameShape shape = new FrameShape(24, 10);
        assertThat(shape.total()).isEqualTo(240);
        for (int pass = 1; pass < shape.passes(); pass++) {
            assertThat(shape.near(pass)).isEqualTo(pass - 1);
            assertThat(shape.far(pass)).isBetween(0, shape.near(pass));
        }
    }

    @Test
    void badInputIsSaidOnOneLine() throws IOException {
        assertThat(run("--fast")).isEqualTo(2);
        assertThat(run("--workers", "0")).isEqualTo(2);
        assertThat(run("--json")).isEqualTo(2);
        assertThat(complaints.toString(StandardCharsets.UTF_8))
                .hasLineCount(3)
                .contains("'--fast' is not understood", "'--workers'", FrameBench.USAGE);
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("--device NAME");
    }
}
