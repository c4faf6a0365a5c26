package io.frameloom.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JVM of tests leaves a list of the drivers whose devices they opened. */
@Timeout(120)
class DriverListenerTest {
    @TempDir
    Path folder;

    @Test
    void eachTestStandsBesideItsDrivers() throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "-D" + DriverListener.FOLDER_PROPERTY + "=" + folder,
                FixtureRunner.class.getName(),
                Fixtures.OpensDevices.class.getName());
        ChildProcess.Ended ended = ChildProcess.run(new ProcessBuilder(command), Duration.ofSeconds(80));
        assertThat(ended.status()).as(String.join("\n", ended.lines())).isZero();
        Path written;
        try (Stream<Path> files = Files.list(folder)) {
            written = files.findFirst().orElseThrow();
        }
        String fixture = Fixtures.OpensDevices.class.getName();
        assertThat(Files.readAllLines(written))
                .containsExactly(
                        "Mesa 1\t" + fixture + "\t", "Mesa 1\t" + fixture + "\tone", "Mesa 2\t" + fixture + "\ttwo");
    }
}
