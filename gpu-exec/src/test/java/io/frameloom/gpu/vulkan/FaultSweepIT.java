package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.TestEffort;
import io.frameloom.testing.XServer;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever call of the driver fails, with whatever error: the failure is told, every event completes, nothing hangs or
 * leaks, and a new device works. A sample of some seconds, another on every run, and of at least {@link #LEAST} faults, with
 * every function among them; {@code -Dframeloom.faults.seconds=0} sweeps everything,
 * {@code -Dframeloom.faults.seed} takes the sample of the seed that a run has printed.
 */
class FaultSweepIT {
    private static final long HANG_SECONDS = 60;
    private static final int LEAST = 100;
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

    /** Returns where a process with a driver of its own finds its classes. */
    static String classPath() {
        return Stream.of(
                        Path.of("target", "classes").toString(),
                        Path.of("target", "test-classes").toString(),
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path", ""))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static void sweep(int least, List<String> further) throws Exception {
        ValidatedDevice.assumeDriver();
        long seconds = Long.getLong("frameloom.faults.seconds", TestEffort.of(2, 15));
        long seed = Long.getLong("frameloom.faults.seed", System.currentTimeMillis());
        System.out.println("fault sweep: -Dframeloom.faults.seed=" + seed);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        command.addAll(List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"));
        command.addAll(List.of("-cp", classPath()));
        command.addAll(List.of(
                FaultSweep.class.getName(),
                String.valueOf(seconds),
                String.valueOf(seed),
                String.valueOf(HANG_SECONDS),
                String.valueOf(least)));
        command.addAll(further);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output;
        try {
            output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly();
        }
        List<String> lines = output.lines().toList();
        List<String> said = IntStream.range(0, lines.size())
                .filter(i -> i > lines.size() - 60 || !lines.get(i).startsWith(FaultSweep.RUNNING))
                .mapToObj(lines::get)
                .toList();
        assertThat(process.waitFor())
                .as("status of the sweep with seed %d, which said:%n%s", seed, String.join("\n", said))
                .isZero();
        Matcher tally = TALLY.matcher(output);
        assertThat(tally.find()).as("seed %d:%n%s", seed, output).isTrue();
        assertThat(Integer.parseInt(tally.group(1)))
                .as("faults with seed %d", seed)
                .isGreaterThanOrEqualTo(least);
    }
}
