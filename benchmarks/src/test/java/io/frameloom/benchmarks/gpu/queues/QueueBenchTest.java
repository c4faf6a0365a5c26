package io.frameloom.benchmarks.gpu.queues;

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

final class QueueBenchTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complaints = new ByteArrayOutputStream();

    private int run(String... arguments) throws IOException {
        return QueueBench.run(
                List.of(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(complaints, true, StandardCharsets.UTF_8));
    }

    /** As many queues as the driver has, which may be one. */
    @Test
    void everyKindIsMeasuredFromOneQueueOn() throws IOException {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        Path file = folder.resolve("new").resolve("queues.json");
        assertThat(run("--quick", "--json", file.toString())).isZero();
        JsonNode rows = new ObjectMapper().readTree(file.toFile()).get("rows");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(3).allSatisfy(row -> {
            assertThat(row.get("perSecond").asDouble()).isPositive();
            assertThat(row.get("p99us").asDouble())
                    .isGreaterThanOrEqualTo(row.get("p50us").asDouble());
            assertThat(row.get("queues").asInt() > 1 || row.get("speedup").asDouble() == 1)
                    .isTrue();
        });
        assertThat(rows).extracting(row -> row.get("what").asText()).contains("submit", "latency", "overlap");
        assertThat(out.toString(StandardCharsets.UTF_8).lines()).hasSize(rows.size() + 2);
    }

    @Test
    void numbersOfQueuesDouble() {
        assertThat(QueueBench.counts(16)).containsExactly(1, 2, 4, 8, 16);
        assertThat(QueueBench.counts(6)).containsExactly(1, 2, 4, 6);
        assertThat(QueueBench.counts(1)).containsExactly(1);
        assertThat(QueueBench.counts(0)).isEmpty();
    }

    @Test
    void badInputIsSaidOnOneLine() throws IOException {
        assertThat(run("--fast")).isEqualTo(2);
        assertThat(run("--json")).isEqualTo(2);
        assertThat(complaints.toString(StandardCharsets.UTF_8))
                .hasLineCount(2)
                .contains("--fast is unknown", "--json needs a value", QueueBench.USAGE);
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("--device NAME");
    }
}
