package io.frameloom.benchmarks.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class GpuBenchTest {
    private final ByteArrayOutputStream complaints = new ByteArrayOutputStream();

    private int run(String... arguments) throws IOException {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        return GpuBench.run(List.of(arguments), nowhere, new PrintStream(complaints, true, StandardCharsets.UTF_8));
    }

    private void assertOneLineWith(String words) {
        String text = complaints.toString(StandardCharsets.UTF_8);
        assertThat(text.lines()).hasSize(1);
        assertThat(text).startsWith("frameloom bench: ").contains(words);
    }

    @Test
    void unknownBenchmarksAreRefusedWithTheNamesThereAre() throws IOException {
        assertThat(run("nothing")).isEqualTo(2);
        assertOneLineWith("recording, frame, latency, builds, queues, compute");
    }

    @Test
    void aMissingNameIsRefused() throws IOException {
        assertThat(run()).isEqualTo(2);
        assertOneLineWith("got nothing");
    }

    @Test
    void unknownOptionsOfABenchmarkAreRefused() throws IOException {
        assertThat(run("recording", "--threads", "none")).isEqualTo(2);
        assertOneLineWith("--threads");
    }
}
