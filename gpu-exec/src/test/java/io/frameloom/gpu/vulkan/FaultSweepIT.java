package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.ChildJvm;
import io.frameloom.testing.TestEffort;
import io.frameloom.testing.XServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever call of the driver fails, with whatever error: the failure is told, every event completes, nothing hangs or
 * leaks, and a new device works. A sample of some seconds, another on every run, and of at least {@link #LEAST} faults, with
 * every function among them; {@code -Dframeloom.testFaultSeconds=0} sweeps everything,
 * {@code -Dframeloom.testFaultSeed} takes the sample of the seed that a run has printed.
 */
class FaultSweepIT {
    private static final Duration LIMIT = Duration.ofSeconds(3_500);
    private static final long HANG_SECONDS = 60;
    private static final int LEAST = TestEffort.of(60, 100);
    private static final int LEAST_OF_PRESENTATION = 40;
    private static final Pattern TALLY = Pattern.compile("(\\d+) of (\\d+) faults, seed \\d+, 0 problems");

    @Test
    @Timeout(3_600)
    void everyCallOfTheDriverMayFail() throws Exception {
        sweep(LEAST, List.of());
    }

    /** Every call of a program that presents, with every error of surfaces and swapchains, their loss among them. */
    @Test
    @Timeout(3_600)
    void everyCallOfPresentationMayFail() throws Exception {
        try (XServer server = XServer.start()) {
            sweep(LEAST_OF_PRESENTATION, List.of(server.display()));
        }
    }

    private static void sweep(int least, List<String> further) throws Exception {
        ValidatedDevice.assumeDriver();
        long seconds = Long.getLong("frameloom.testFaultSeconds", TestEffort.of(1, 15));
        long seed = Long.getLong("frameloom.testFaultSeed", System.currentTimeMillis());
        System.out.println("fault sweep: -Dframeloom.testFaultSeed=" + seed);
        List<Object> arguments = new ArrayList<>(List.of(seconds, seed, HANG_SECONDS, least));
        arguments.addAll(further);
        List<String> lines = ChildJvm.run(LIMIT, Map.of(), FaultSweep.class, arguments.toArray());
        String output = String.join("\n", lines);
        Matcher tally = TALLY.matcher(output);
        assertThat(tally.find()).as("seed %d:%n%s", seed, output).isTrue();
        assertThat(Integer.parseInt(tally.group(1)))
                .as("faults with seed %d", seed)
                .isGreaterThanOrEqualTo(least);
    }
}
