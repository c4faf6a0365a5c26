package io.frameloom.benchmarks.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.gpu.vulkan.VulkanDevices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LatencyBenchTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complaints = new ByteArrayOutputStream();

    private int run(String... arguments) throws IOException {
        return LatencyBench.run(
                List.of(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(complaints, true, StandardCharsets.UTF_8));
    }

    @Test
    void everyWayIsMeasuredInOneRun() throws IOException {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        Path file = folder.resolve("new").resolve("gpu.json");
        assertThat(run("--quick", "--json", file.toString())).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("vkWaitSemaphores", "GpuTimeline.await", "event, awaited", "event, task behind it");
        JsonNode rows = new ObjectMapper().readTree(file.toFile()).get("rows");
        assertThat(rows).hasSize(4).allSatisfy(row -> {
            assertThat(row.get("count").asInt()).isEqualTo(300);
            assertThat(row.get("p50us").asDouble()).isPositive();
            assertThat(row.get("p99us").asDouble())
                    .isBetween(row.get("p50us").asDouble(), row.get("maxus").asDouble());
        });
    }

    @Test
    void quantilesAreNearestRanks() {
        Latencies latencies = new Latencies("way", 4);
        for (long sample : new long[] {4_000, 1_000, 3_000, 2_000}) {
            latencies.add(sample);
        }
        assertThat(latencies.micros(0.5)).isEqualTo(2);
        assertThat(latencies.micros(0.99)).isEqualTo(4);
        assertThat(latencies.micros(0)).isEqualTo(1);
    }

    @Test
    void badInputIsSaidOnOneLine() throws IOException {
        assertThat(run("--fast")).isEqualTo(2);
        assertThat(run("--json")).isEqualTo(2);
        assertThat(complaints.toString(StandardCharsets.UTF_8))
                .hasLineCount(2)
                .contains("--fast is unknown", "--json needs a value", LatencyBench.USAGE);
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("--device NAME");
    }
}
