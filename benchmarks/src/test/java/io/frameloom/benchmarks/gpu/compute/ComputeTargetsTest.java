package io.frameloom.benchmarks.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ComputeTargetsTest {
    private static final Path RESULTS = Path.of("results", "2026-11-23-h200");

    private static String printed(List<Row> rows) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        ComputeTargets.load().print(out, rows);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static Row row(Subject subject, int exponent, double micros, double copy) {
        long length = 1L << exponent;
        double nanos = micros * 1e3;
        // A byte for each element.
        return Row.of(subject, length, length, new Timing(nanos, nanos, nanos, 3), copy);
    }

    private static Subject scan(String how) {
        return new Subject("scan", "u32 sum", how, "random");
    }

    private static Subject match(String how, String input) {
        return new Subject("match", "u32", how, input);
    }

    @Test
    void nothingIsMeasured() throws IOException {
        assertThat(printed(List.of())).isEqualTo("0 targets met, 0 missed, 9 not measured\n");
        assertThat(printed(List.of(Row.skipped(scan("look-back"), 1L << 27, "no memory"))))
                .isEqualTo("0 targets met, 0 missed, 9 not measured\n");
    }

    @Test
    void theFastestOfWhatIsShippedCounts() throws IOException {
        double gigabytes = (1L << 27) / 400e3;
        List<Row> rows = List.of(
                row(scan("reduce, then scan"), 27, 400, gigabytes / 0.8),
                row(scan("look-back"), 27, 500, gigabytes / 0.8),
                // Neither what options ask for nor what is on the processor or of others.
                row(scan("look-back, 256 x 16"), 27, 1, 1),
                row(scan("plain loop, 1 thread"), 27, 1, 1),
                row(scan("CUB DeviceScan"), 27, 440, 1),
                row(scan("CUB DeviceScan"), 27, 460, 1),
                row(scan("CUB DeviceScan"), 28, 1, 1));
        assertThat(printed(rows))
                .containsPattern("scan u32 sum, random, 2\\^27: >= 0.85 of a copy +0.800  MISSED\n")
                // Of several files the last counts.
                .containsPattern("scan u32 sum, random, 2\\^27: >= 1.15 x CUB DeviceScan +1.150  met\n")
                .endsWith("1 target met, 1 missed, 7 not measured\n");
    }

    @Test
    void ratesAndTimes() throws IOException {
        List<Row> rows = List.of(
                row(match("sections of 1024", "random"), 27, 440, 0),
                row(match("sections of 1024", "mountain"), 27, 1000, 0),
                row(match("2021 post, workgroups of 256", "mountain"), 27, 1, 0),
                row(match("sections of 1024", "random"), 20, 15.5, 0),
                row(new Subject("clip", "boxes of 4 x f32", "after pop", "random"), 24, 500, 0));
        assertThat(printed(rows))
                .containsPattern("match u32, random, 2\\^27: >= 300 G elements/s +305.040  met\n")
                .containsPattern("match u32, mountain, 2\\^27: >= 150 G elements/s +134.218  MISSED\n")
                .containsPattern("match u32, random, 2\\^20: <= 15 us +15.500  MISSED\n")
                .containsPattern("clip boxes of 4 x f32, random, 2\\^24: >= 30 G elements/s +33.554  met\n")
                .endsWith("2 targets met, 2 missed, 5 not measured\n");
    }

    /** Names of rows that are published match those of the targets. */
    @Test
    void publishedRowsAreJudged() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String file : List.of("main.json", "clip.json", "cub.json")) {
            rows.addAll(Report.read(RESULTS.resolve(file)));
        }
        assertThat(printed(rows)).contains("CUB DeviceScan").endsWith(" 0 not measured\n");
    }
}
