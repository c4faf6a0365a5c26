package io.frameloom.benchmarks.gpu.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class AsyncBenchTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complaints = new ByteArrayOutputStream();

    private int run(String... arguments) throws IOException {
        return AsyncBench.run(
                List.of(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(complaints, true, StandardCharsets.UTF_8));
    }

    private static void assumeRays() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        assumeTrue(
                VulkanDevices.list().stream()
                        .anyMatch(device -> device.capabilities().contains(Capability.RAY_TRACING_PIPELINES)),
                "no device has RAY_TRACING_PIPELINES");
    }

    /** A device of one queue has nothing to gain, and says so. */
    @Test
    void wholeFramesAndRegionsAreMeasured() throws IOException {
        assumeRays();
        Path file = folder.resolve("new").resolve("async.json");
        assertThat(run("--quick", "--json", file.toString())).isZero();
        JsonNode root = new ObjectMapper().readTree(file.toFile());
        assertThat(root.get("frames"))
                .extracting(row -> row.get("policy").asText())
                .containsExactly("off", "tagged", "measured");
        assertThat(root.get("frames"))
                .allSatisfy(row -> assertThat(row.get("frameMillis").asDouble()).isPositive());
        boolean alone = root.get("computeQueues").asInt() == 0;
        assertThat(root.get("regions").isEmpty()).isEqualTo(alone);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .matches(text -> text.contains("nothing can be gained") == alone);
        assertThat(complaints.size()).isZero();
        List<String> fields = new ArrayList<>();
        root.fieldNames().forEachRemaining(fields::add);
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("{" + String.join(", ", fields) + "}");
    }

    /** With validation, and what is drawn shows hills: places in the light, in the shadow, and in hollows. */
    @Test
    void aFrameIsSoundAndShowsHills() {
        assumeRays();
        try (TaskGraph tasks = TaskGraph.builder().name("hills").workers(1).build()) {
            tasks.start(NamedThread.RHI);
            try (var device = VulkanDevices.open(
                    "", new DeviceOptions(tasks, "hills", true, null).require(Capability.RAY_TRACING_PIPELINES))) {
                try (RayFrames frames = new RayFrames(device, tasks, new Terrain(4, 32), 96, 64)) {
                    frames.run(AsyncCompute.TAGGED);
                    ByteBuffer picture = frames.picture(AsyncCompute.TAGGED);
                    int[] light = new int[256];
                    int[] open = new int[256];
                    for (int i = 0; i < picture.remaining(); i += 4) {
                        light[picture.get(i) & 0xFF]++;
                        open[picture.get(i + 2) & 0xFF]++;
                    }
                    int pixels = picture.remaining() / 4;
                    assertThat(Arrays.stream(light).skip(120).sum()).isGreaterThan(pixels / 4);
                    assertThat(Arrays.stream(light).limit(60).sum()).isBetween(pixels / 20, pixels / 2);
                    assertThat(Arrays.stream(open).skip(120).sum()).isGreaterThan(pixels / 20);
                    assertThat(Arrays.stream(open).skip(1).limit(100).sum()).isGreaterThan(pixels / 20);
                }
                assertThat(device.validationMessages()).isEmpty();
            }
        }
    }

    @Test
    void badInputIsSaidOnOneLine() throws IOException {
        for (String[] wrong : new String[][] {{"--fast"}, {"--device"}, {"--json"}}) {
            complaints.reset();
            assertThat(run(wrong)).isEqualTo(2);
            assertThat(complaints.toString(StandardCharsets.UTF_8).lines())
                    .singleElement()
                    .asString()
                    .contains(wrong[0], AsyncBench.USAGE);
        }
        complaints.reset();
        assertThat(run("--device", "no such device")).isEqualTo(2);
        assertThat(complaints.toString(StandardCharsets.UTF_8).lines()).hasSize(1);
    }
}
