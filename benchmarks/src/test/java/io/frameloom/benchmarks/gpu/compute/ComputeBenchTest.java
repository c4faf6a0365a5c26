package io.frameloom.benchmarks.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.compute.BracketMatch;
import io.frameloom.gpu.resource.Buffer;
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
import java.util.Map;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYSeries;

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

    private static boolean sizesSections() {
        try (TaskGraph tasks = TaskGraph.builder().name("sections").workers(1).build();
                GpuDevice device = VulkanDevices.open("", new DeviceOptions(tasks, "sections", false, null))) {
            return BracketMatch.sizesSections(device);
        }
    }

    /** Rows say what is in workgroups of a size. */
    @Test
    void workgroupsOfSections() {
        assertThat(MatchCase.how(true, MatchCase.USUAL)).isEqualTo("sections of 1024");
        assertThat(MatchCase.how(false, MatchCase.USUAL)).isEqualTo("sections of 1024");
        assertThat(MatchCase.how(true, 64)).isEqualTo("sections of 1024, workgroups of 64");
        assertThat(MatchCase.how(false, 64)).isEqualTo("sections of 1024, linked by workgroups of 64");
    }

    /**
     * In the usual run other tiles, and shared memory, are measured for sums of one type alone, and other workgroups for one
     * nest of brackets.
     */
    @Test
    @Tag("thorough")
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
                        "--workgroups",
                        "64,256",
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
        boolean sized = sizesSections();
        assertThat(rows)
                .extracting(row -> row.get("work").asText())
                .contains("copy", "scan", "match", "clip", "compact");
        assertThat(rows)
                .filteredOn(row -> row.get("work").asText().equals("scan"))
                .extracting(row -> row.get("variant").asText())
                .contains("u32 sum", "i32 sum", "u64 sum", "f32 sum", "u32 sum, segmented", "2 x u32 bicyclic");
        assertThat(rows)
                .filteredOn(row -> row.get("variant").asText().equals("u32 sum, segmented"))
                .extracting(
                        row -> row.get("how").asText() + ", " + row.get("input").asText())
                .contains(
                        "look-back, random",
                        "look-back, all heads",
                        "look-back, no heads",
                        "reduce, then scan, all heads",
                        "reduce, then scan, no heads")
                .doesNotHaveDuplicates();
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
                .extracting(row -> row.get("how").asText())
                .containsOnly(
                        "sections of 1024",
                        MatchCase.how(sized, 64),
                        MatchCase.how(sized, 256),
                        "2021 post, workgroups of 64",
                        "2021 post, workgroups of 256");
        assertThat(rows)
                .filteredOn(row -> row.get("work").asText().equals("match"))
                .filteredOn(row -> row.get("how").asText().startsWith("2021"))
                .extracting(row -> row.get("input").asText())
                .contains(
                        "random",
                        "mountain",
                        "alternating",
                        "zigzag",
                        "valley",
                        "closes",
                        "drain",
                        "adversary 256",
                        "adversary 1024");
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
            new CpuCases(tasks, 2, 1, subject -> true, rows::add).measure(1 << 17);
        }
        assertThat(rows)
                .extracting(Row::how)
                .containsExactly(
                        "plain loop, 1 thread",
                        "CpuScan, 2 workers",
                        "plain loop, 1 thread",
                        "CpuCompaction, 2 workers",
                        "plain loop, 1 thread",
                        "CpuBracketMatch, 2 workers",
                        "plain loop, 1 thread",
                        "CpuBracketMatch, 2 workers",
                        "plain loop, 1 thread",
                        "CpuBracketMatch, 2 workers",
                        "plain loop, 1 thread",
                        "CpuClipBoxes, 2 workers",
                        "plain loop, 1 thread",
                        "CpuClipBoxes, 2 workers",
                        "plain loop, 1 thread",
                        "CpuClipBoxes, 2 workers");
        assertThat(rows).allMatch(Row::onProcessor);
        assertThat(rows).allSatisfy(row -> assertThat(row.medianNanos()).isPositive());
    }

    @Test
    void onlyWhatIsAskedForIsMeasuredAndDrawnFromFiles() throws IOException {
        assumeVulkan();
        List<String> files = new ArrayList<>();
        for (String only : List.of("scan u64 sum, reduce, then scan, random", "match bits, .*, drain")) {
            Path file = folder.resolve(files.size() + ".json");
            files.add(file.toString());
            assertThat(run(
                            "--quick",
                            "--sizes",
                            "11",
                            "--work",
                            "scan,match",
                            "--only",
                            only,
                            "--json",
                            files.get(files.size() - 1)))
                    .isZero();
            assertThat(Report.read(file))
                    .filteredOn(row -> !row.work().equals("copy"))
                    .extracting(row -> new Subject(row.work(), row.variant(), row.how(), row.input()).toString())
                    .singleElement()
                    .asString()
                    .containsPattern(only);
        }
        Path plots = folder.resolve("plots");
        assertThat(run("--from", String.join(",", files), "--plots", plots.toString()))
                .isZero();
        for (String work : List.of("scan", "match")) {
            // Text is drawn as outlines; a figure is a circle.
            assertThat(plots.resolve("compute-" + work + ".svg")).content().contains("<ellipse ");
        }
        for (String line :
                List.of("[1]", "{}", "{\"work\":\"scan\",\"variant\":\"u32\",\"how\":\"by", "{\"work\":1}")) {
            complaints.reset();
            Files.writeString(folder.resolve("other.json"), "{\"device\":\"none\"}\n" + line + "\n");
            assertThat(run("--from", folder.resolve("other.json").toString(), "--plots", plots.toString()))
                    .isEqualTo(2);
            assertThat(complaints.toString(StandardCharsets.UTF_8))
                    .hasLineCount(1)
                    .contains("other.json", "line 2 is no row");
        }
        complaints.reset();
        assertThat(run("--from", folder.resolve("none").toString(), "--plots", plots.toString()))
                .isEqualTo(2);
        assertThat(complaints.toString(StandardCharsets.UTF_8)).hasLineCount(1).contains("cannot be read");
    }

    private static Row row(String how, long length, double elementsPerSecond, double ratioToCopy) {
        return new Row(
                "scan", "u32 sum", how, "random", length, 1, 1, 1, 3, elementsPerSecond, 8, 1, ratioToCopy, null);
    }

    /** CUB's rows stand in files of their own, and of figures that stand in two files the last counts. */
    @Test
    void figuresOfSeveralFilesAreDrawnUnderTheRoofOfACopy() {
        Map<String, Map<Long, Row>> series = of(
                "u32 sum, random",
                of(
                        "scan",
                        ComputePlots.charts(List.of(
                                row("look-back", 2048, 9e9, 0.5),
                                row("look-back", 1024, 1e9, 0.5),
                                row("CUB DeviceScan", 1024, 3e9, 0.75),
                                row("plain loop, 1 thread", 1024, 1e8, 0),
                                row("look-back", 2048, 4e9, 0.8)))));
        Map<String, XYSeries> drawn = ComputePlots.chart("scan", series).getSeriesMap();
        assertThat(drawn.keySet())
                .containsExactly("look-back", "CUB DeviceScan", "plain loop, 1 thread", ComputePlots.ROOF);
        assertThat(of("look-back", drawn).getXData()).containsExactly(1024, 2048);
        assertThat(of("look-back", drawn).getYData()).containsExactly(1, 4);
        assertThat(of(ComputePlots.ROOF, drawn).getYData()).containsExactly(4, 5);
    }

    private static <T> T of(String key, Map<String, T> map) {
        return Objects.requireNonNull(map.get(key), key);
    }

    @Test
    void whatWasMeasuredIsDrawnEvenIfTheRestFails() {
        List<Row> rows = new ArrayList<>();
        Path plots = folder.resolve("new").resolve("plots");
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> {
                    try (Pictures pictures = new Pictures(plots, rows, new PrintStream(out))) {
                        pictures.announce();
                        rows.add(row("look-back", 1024, 1e9, 0.5));
                        throw new OutOfMemoryError("of the processor's versions");
                    }
                })
                .withMessageContaining("processor");
        assertThat(plots.resolve("compute-scan.svg")).content().contains("<ellipse ");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("drew " + plots.resolve("compute-scan.svg"));
    }

    @Test
    void aWordThatIsWrongIsFoundWhereverItIs() {
        assumeVulkan();
        try (TaskGraph tasks = TaskGraph.builder().name("words").workers(1).build();
                GpuDevice device = VulkanDevices.open("", new DeviceOptions(tasks, "words", true, null))) {
            try (Workbench bench = new Workbench(device, 1, true, 1 << 20)) {
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
        assertThat(run("--only", "(")).isEqualTo(2);
        assertThat(run("--from", "rows.json")).isEqualTo(2);
        assertThat(run("--tiles", "256")).isEqualTo(2);
        assertThat(run("--tiles", "256x16,100x16")).isEqualTo(2);
        assertThat(run("--workgroups", "128,96")).isEqualTo(2);
        assertThat(run("--workgroups", "16")).isEqualTo(2);
        assertThat(run("--workgroups", "64,")).isEqualTo(2);
        assertThat(run("--workgroups", "99999999999")).isEqualTo(2);
        assertThat(complaints.toString(StandardCharsets.UTF_8))
                .hasLineCount(14)
                .contains(
                        "--fast is unknown",
                        "--json needs a value",
                        "28..20",
                        "sleep",
                        "no regular expression",
                        "--from measures nothing",
                        "256x16,512x8",
                        "got 100",
                        "--workgroups 128,96 names no powers of two",
                        ComputeOptions.USAGE);
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("--device NAME");
    }

    @Test
    @Tag("thorough")
    void looksOfScansAreNoRows() throws IOException {
        assumeVulkan();
        Path file = folder.resolve("looks.json");
        assertThat(run("--quick", "--sizes", "16", "--work", "looks", "--json", file.toString()))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("looks of u32 sum, 65536 elements: ", "looks of u64 sum, segmented, ", " in vain, ");
        JsonNode looks = new ObjectMapper().readTree(Files.readAllLines(file).get(1));
        assertThat(looks.get("profile").get("turns").asLong())
                .isGreaterThanOrEqualTo(looks.get("profile").get("tiles").asLong()
                        - 1
                        - looks.get("profile").get("reduced").asLong());
        assertThat(Report.read(file)).isEmpty();
    }

    @Test
    void sizesAreRangesOrLists() throws ComputeOptions.UsageException {
        assertThat(ComputeOptions.parse(List.of("--sizes", "20..22")).sizes()).containsExactly(20, 21, 22);
        assertThat(ComputeOptions.parse(List.of("--sizes", "20,28")).sizes()).containsExactly(20, 28);
        assertThat(ComputeOptions.parse(List.of()).sizes()).hasSize(9);
    }
}
