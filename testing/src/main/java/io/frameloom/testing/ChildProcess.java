package io.frameloom.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program in a process of its own and waits no longer than it is told to. What the program prints goes to a file:
 * reading a pipe can neither be interrupted nor limited, so a child that hangs would hold up its test beyond every timeout.
 */
public final class ChildProcess {
    private static final int TOLD = 60;
    private static final Duration END_OF_KILLED = Duration.ofSeconds(10);

    private ChildProcess() {}

    /**
     * How a program ended.
     *
     * @param status exit status
     * @param lines what it printed to both streams
     */
    public record Ended(int status, List<String> lines) {
        /**
         * Returns the lines of a program that ended with status 0.
         *
         * @throws AssertionError with its last lines if it did not
         */
        public List<String> successfully() {
            if (status != 0) {
                throw new AssertionError("the child ended with status " + status + last(lines));
            }
            return lines;
        }
    }

    /**
     * Runs a program to its end. Whatever happens, neither it nor what it has started is left running.
     *
     * @param limit how long it may take
     * @throws AssertionError with its last lines if it takes longer
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public static Ended run(ProcessBuilder builder, Duration limit) throws IOException, InterruptedException {
        Path output = Files.createTempFile("frameloom-child", ".txt");
        try {
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                process.getOutputStream().close();
                if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                    throw new AssertionError("the child did not end within " + limit + last(lines(output)));
                }
                return new Ended(process.exitValue(), lines(output));
            } finally {
                end(process);
            }
        } finally {
            Files.delete(output);
        }
    }

    /** Whoever has lost its parent is no descendant any more, so they are looked for first. */
    private static void end(Process process) throws InterruptedException {
        List<ProcessHandle> descendants = process.descendants().toList();
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
        process.waitFor(END_OF_KILLED.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static List<String> lines(Path output) throws IOException {
        // Malformed bytes are replaced, where Files.readAllLines would fail.
        return new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    private static String last(List<String> lines) {
        if (lines.isEmpty()) {
            return "; it printed nothing";
        }
        List<String> told = lines.subList(Math.max(0, lines.size() - TOLD), lines.size());
        return "; its last lines are:" + System.lineSeparator() + String.join(System.lineSeparator(), told);
    }
}
