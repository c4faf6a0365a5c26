package io.frameloom.benchmarks.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class ComputeBenchTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complaints = new ByteArrayOutputStream();

    private int run(String... arguments) throws IOException {
        return ComputeBench.run(
                List.of(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(complaints, true, StandardCharsets.UTF_8));
    }

    private static void assumeVulkan() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
    }

    @Test
    void everythingIsMeasuredOrSaysWhyNot() throws IOException {
        assumeVulkan();
        Path file = folder.resolve("new").resolve("compute.json");
        assertThat(run(
                        "--quick",
                        "--sizes",
                        "12",
                        "--work",
                        "copy,scan,match,clip,compact",
                        "--tiles",
                        "64x8",
                        "--plots",
                        folder.resolve("plots").toString(),
                        "--json",
                        file.toString()))
                .isZero();
        assertThat(complaints.toString(StandardCharsets.UTF_8)).isEmpty();
        for (String work : List.of("scan", "match", "clip", "compact")) {
            assertThat(folder.resolve("plots").resolve("compute-" + work + ".svg"))
                    .content()
                    .contains("<svg ", "</svg>");
        }
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            lines.add(new ObjectMapper().readTree(line));
        }
        assertThat(lines.get(0).get("device").asText()).isNotEmpty();
        List<JsonNode> rows = lines.subList(1, lines.size());
        assertThat(rows)
                .extracting(row -> row.get("work").asText())
                .contains("copy", "scan", "match", "clip", "compact");
        assertThat(rows)
                .filteredOn(row -> row.get("work").asText().equals("scan"))
                .extracting(row -> row.get("variant").asText())
                .contains("u32 sum", "i32 sum", "u64 sum", "f32 sum", "u32 sum, segmented", "2 x u32 bicyclic");
        assertThat(rows)
                .filteredOn(row -> row.get("work").asText().equals("scan"))
                .extracting(row -> row.get("how").asText())
                .contains(
                        "look-back",
                        "look-back, 64 x 8",
                        "look-back, in shared memory",
                        "reduce, then scan",
                        "reduce, then scan, 64 x 8",
                        "reduce, then scan, in shared memory");
        assertThat(rows)
                .filteredOn(row -> row.get("work").asText().equals("match"))
                .filteredOn(row -> row.get("how").asText().startsWith("2021"))
                .extracting(row -> row.get("input").asText())
                .contains("random", "mountain", "alternating", "zigzag", "valley", "closes", "drain", "adversary");
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.has("skipped")).as("%s", row).isFalse();
            assertThat(row.get("medianNanos").asDouble())
                    .isBetween(
                            row.get("minNanos").asDouble(), row.get("maxNanos").asDouble());
            assertThat(row.get("elementsPerSecond").asDouble()).isPositive();
            if (!row.get("work").asText().equals("copy")) {
                assertThat(row.get("ratioToCopy").asDouble()).isPositive();
            }
        });
    }

    @Test
    void processorsAreMeasuredBesideAPlainLoop() {
        List<Row> rows = new ArrayList<>();
        try (TaskGraph tasks = TaskGraph.builder().name("cpu").workers(2).build()) {
            new CpuCases(tasks, 2, 1, rows::add).measure(1 << 17);
        }
        assertThat(rows)
                .extracting(Row::how)
                .containsExactly(
                        "plain loop, 1 thread",
                        "CpuScan, 2 workers",
                        "plain loop, 1 thread",
                        "CpuBracketMatch, 2 workers",
                        "plain loop, 1 thread",
                        "CpuBracketMatch, 2 workers",
                        "plain loop, 1 thread",
                        "CpuClipBoxes, 2 workers",
                        "plain loop, 1 thread",
                        "CpuClipBoxes, 2 workers");
        assertThat(rows).allMatch(Row::onProcessor);
        assertThat(rows).allSatisfy(row -> assertThat(row.medianNanos()).isPositive());
    }

    @Test
    void aWordThatIsWrongIsFoundWhereverItIs() {
        assumeVulkan();
        try (TaskGraph tasks = TaskGraph.builder().name("words").workers(1).build();
                GpuDevice device = VulkanDevices.open("", new DeviceOptions(tasks, "words", true, null))) {
            try (Workbench bench = new Workbench(device, 1, 1 << 20)) {
                long words = (1L << 22) + 5;
                Buffer buffer = bench.storage("words", words * Integer.BYTES);
                bench.fill(buffer, words, index -> (int) index);
                assertThat(bench.firstDifference(buffer, words, counting(-1))).isEqualTo(-1);
                for (long wrong : new long[] {0, (1 << 22) - 1, 1 << 22, words - 1}) {
                    assertThat(bench.firstDifference(buffer, words, counting(wrong)))
                            .isEqualTo(wrong);
                }
            }
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    private static IntSupplier counting(long wrong) {
        return new IntSupplier() {
            private int next;

            @Override
            public int getAsInt() {
                int index = next++;
                return index == wrong ? -7 : index;
            }
        };
    }

    @Test
    void badInputIsSaidOnOneLine() throws IOException {
        assertThat(run("--fast")).isEqualTo(2);
        assertThat(run("--json")).isEqualTo(2);
        assertThat(run("--sizes", "28..20")).isEqualTo(2);
        assertThat(run("--sizes", "9")).isEqualTo(2);
        assertThat(run("--sizes", "20,x")).isEqualTo(2);
        assertThat(run("--work", "scan,sleep")).isEqualTo(2);
        assertThat(run("--tiles", "256")).isEqualTo(2);
        assertThat(run("--tiles", "256x16,100x16")).isEqualTo(2);
        assertThat(complaints.toString(StandardCharsets.UTF_8))
                .hasLineCount(8)
                .contains(
                        "--fast is unknown",
                        "--json needs a value",
                        "28..20",
                        "sleep",
                        "256x16,512x8",
                        "got 100",
                        ComputeOptions.USAGE);
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("--device NAME");
    }

    @Test
    void sizesAreRangesOrLists() throws ComputeOptions.UsageException {
        assertThat(ComputeOptions.parse(List.of("--sizes", "20..22")).sizes()).containsExactly(20, 21, 22);
        assertThat(ComputeOptions.parse(List.of("--sizes", "20,28")).sizes()).containsExactly(20, 28);
        assertThat(ComputeOptions.parse(List.of()).sizes()).hasSize(9);
    }
}
