package io.frameloom.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Each case runs a fixture in a JVM of its own, as surefire would, and reads what that JVM left; side by side, since they
 * wait for limits to pass.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(90)
class WatchdogTest {

    /** Longer than a busy machine needs from the start of the session to the start of the fixture. */
    private static final int SHORT_LIMIT_SECONDS = 6;

    private record Ended(int status, String output) {}

    @Test
    void leavesPassingTestsAlone() throws Exception {
        Ended ended = run(Fixtures.Passes.class, 60);
        assertThat(ended.output()).doesNotContain("watchdog");
        assertThat(ended.status()).isZero();
    }

    @Test
    void endsTheJvmOfATestThatNoInterruptReaches() throws Exception {
        Ended ended = run(Fixtures.SpinsForEver.class, SHORT_LIMIT_SECONDS);
        assertThat(ended.output())
                .contains("nothing moved for " + SHORT_LIMIT_SECONDS + " s")
                .contains("spinsWhateverInterruptsIt()]; ending this JVM")
                .contains("SpinsForEver.spinsWhateverInterruptsIt(Fixtures.java")
                .contains("wait graph: of the spinning fixture")
                .contains("lane A waits for lane B")
                .contains("could not be described: java.lang.IllegalArgumentException: half-built graph");
        assertThat(ended.status()).isEqualTo(Watchdog.EXIT_STATUS);
    }

    @Test
    void endsTheJvmOfAClassThatHangsBeforeItsTests() throws Exception {
        Ended ended = run(Fixtures.HangsBeforeAll.class, SHORT_LIMIT_SECONDS);
        assertThat(ended.output()).contains("HangsBeforeAll.waitsForNobody(Fixtures.java");
        assertThat(ended.status()).isEqualTo(Watchdog.EXIT_STATUS);
    }

    @Test
    void dumpsWhenJunitInterruptsATimedOutTest() throws Exception {
        Ended ended = run(Fixtures.TimesOut.class, 60);
        assertThat(ended.output())
                .contains("waitsForNobody(WaitGraphs) timed out; interrupting thread")
                .contains("TimesOut.waitsForNobody(Fixtures.java")
                .contains("RENDER waits for GAME");
        assertThat(ended.status()).isEqualTo(1);
    }

    private static Ended run(Class<?> fixture, int limitSeconds) throws IOException, InterruptedException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "-D" + WatchdogSessionListener.LIMIT_PROPERTY + "=" + limitSeconds,
                FixtureRunner.class.getName(),
                fixture.getName());
        ChildProcess.Ended ended = ChildProcess.run(new ProcessBuilder(command), Duration.ofSeconds(80));
        return new Ended(ended.status(), String.join("\n", ended.lines()));
    }
}
