package io.frameloom.benchmarks.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.gpu.Capability;
import io.frameloom.gpu.vulkan.VulkanDevices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BuildsBenchTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complaints = new ByteArrayOutputStream();

    private int run(String... arguments) throws IOException {
        return BuildsBench.run(
                List.of(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(complaints, true, StandardCharsets.UTF_8));
    }

    private static boolean traces() {
        return VulkanDevices.list().stream()
                .map(device -> device.capabilities())
                .anyMatch(
                        has -> has.contains(Capability.RAY_TRACING_PIPELINES) || has.contains(Capability.RAY_QUERIES));
    }

    @Test
    void everyWayBuildsAndUpdatesInOneRun() throws IOException {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        assumeTrue(traces(), "no device traces rays");
        Path file = folder.resolve("builds.json");
        assertThat(run("--quick", "--json", file.toString())).isZero();
        JsonNode rows = new ObjectMapper().readTree(file.toFile()).get("rows");
        assertThat(rows).hasSize(3 * 3).allSatisfy(row -> {
            assertThat(row.get("triangles").asInt()).isEqualTo(10_000);
            assertThat(row.get("count").asInt()).isEqualTo(10);
            assertThat(row.get("msPerMillion").asDouble())
                    .isCloseTo(100 * row.get("p50ms").asDouble(), withinPercentage(1));
        });
        assertThat(rows.findValuesAsText("way")).containsOnly("plain LWJGL", "commands", "frame");
        assertThat(Set.copyOf(rows.findValuesAsText("work")))
                .containsExactlyInAnyOrder("build for fast rays", "build fast", "update");
    }

    @Test
    void aDeviceThatTracesNoRaysIsRefusedOnOneLine() throws IOException {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        assertThat(run("--device", "of no name")).isEqualTo(2);
        assertThat(complaints.toString(StandardCharsets.UTF_8)).hasLineCount(1).contains("of no name");
    }
}
