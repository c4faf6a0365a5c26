package io.frameloom.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@Timeout(60)
final class ChildProcessTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    @TempDir
    private Path folder;

    /** What a test starts. */
    static final class Program {
        private Program() {}

        /** Arguments: what to do, and for who hangs a file for the number of a process that it has started. */
        public static void main(String[] arguments) throws IOException, InterruptedException {
            System.out.println("before");
            System.err.println("beside");
            switch (arguments[0]) {
                case "fail" -> System.exit(3);
                case "talk" -> System.out.println("x\n".repeat(200_000));
                case "hang" -> {
                    Path file = Path.of(arguments[1]);
                    if (arguments.length == 2) {
                        Process started =
                                builder("hang", file.toString(), "alone").start();
                        Path part = file.resolveSibling("part");
                        Files.writeString(part, Long.toString(started.pid()));
                        Files.move(part, file);
                    }
                    Thread.sleep(Long.MAX_VALUE);
                }
                default -> System.out.println(System.in.read());
            }
        }
    }

    private static ProcessBuilder builder(String... arguments) {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName());
        builder.command().addAll(List.of(arguments));
        return builder;
    }

    private static long started(Path file) throws IOException, InterruptedException {
        while (!Files.exists(file)) {
            Thread.sleep(5);
        }
        return Long.parseLong(Files.readString(file));
    }

    private static void assertGone(long pid) {
        ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
    }

    @Test
    void linesOfBothStreamsAndTheStatusAreTold() throws IOException, InterruptedException {
        ChildProcess.Ended ended = ChildProcess.run(builder("read"), LONG);
        // It finds the end of its input at once.
        assertThat(ended.lines()).containsExactlyInAnyOrder("before", "beside", "-1");
        assertThat(ended.successfully()).isEqualTo(ended.lines());
        ChildProcess.Ended failed = ChildProcess.run(builder("fail"), LONG);
        assertThat(failed.status()).isEqualTo(3);
        assertThatThrownBy(failed::successfully)
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("status 3", "before", "beside");
        assertThat(ChildProcess.run(builder("talk"), LONG).successfully()).hasSizeGreaterThan(200_000);
    }

    /** With the child dies what it has started, and the failure says what it printed. */
    @Test
    void aChildThatHangsIsEndedAndItsLinesTold() throws IOException, InterruptedException {
        Path file = folder.resolve("pid");
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                ChildProcess.run(builder("hang", file.toString()), Duration.ofSeconds(5));
            } catch (Throwable thrown) {
                failure.set(thrown);
            }
        });
        waiting.start();
        long grandchild = started(file);
        waiting.join();
        assertThat(failure.get())
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("did not end within PT5S", "before", "beside");
        assertGone(grandchild);
    }

    /** As JUnit's timeouts do. */
    @Test
    void whoWaitsCanBeInterrupted() throws IOException, InterruptedException {
        Path file = folder.resolve("pid");
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                ChildProcess.run(builder("hang", file.toString()), LONG);
            } catch (Throwable thrown) {
                failure.set(thrown);
            }
        });
        waiting.start();
        long grandchild = started(file);
        waiting.interrupt();
        waiting.join();
        assertThat(failure.get()).isInstanceOf(InterruptedException.class);
        assertGone(grandchild);
    }
}
