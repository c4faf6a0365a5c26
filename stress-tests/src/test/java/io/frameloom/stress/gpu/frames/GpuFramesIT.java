package io.frameloom.stress.gpu.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.testing.TestEffort;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Graphs of {@code ./frameloom stress --gpu-frames} on a Vulkan driver, with validation of synchronization: words and texels
 * are those of the model, and neither the layers nor the hazard checker say anything. What is wrong is told with a seed,
 * which {@code -Dframeloom.testFuzzSeed} and {@code --seed} repeat.
 */
@Timeout(180)
class GpuFramesIT {
    private static final String FIXED_GRAPHS = String.valueOf(TestEffort.of(8, 16));
    private static final String RANDOM_GRAPHS = String.valueOf(TestEffort.of(12, 24));

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @BeforeEach
    void requireDriver() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
    }

    private void run(Path folder, String graphs, long seed) {
        String[] arguments = {"--graphs", graphs, "--seed", Long.toString(seed), "--validate", "yes"};
        boolean right = GpuFramesMain.run(
                GpuFramesOptions.parse(arguments, seed), folder, new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(right).as(out.toString(StandardCharsets.UTF_8)).isTrue();
    }

    @Test
    void theSameGraphsInEachRun(@TempDir Path folder) {
        run(folder, FIXED_GRAPHS, 100);
    }

    @Test
    void otherGraphsInEachRun(@TempDir Path folder, TestReporter reporter) {
        long seed = Long.getLong(
                "frameloom.testFuzzSeed", RandomGenerator.getDefault().nextLong());
        reporter.publishEntry("seed", Long.toString(seed));
        run(folder, RANDOM_GRAPHS, seed);
    }
}
