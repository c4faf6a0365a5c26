package io.frameloom.taskgraph;

import io.frameloom.testing.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs a test program in a JVM of its own, on the class path. */
final class ChildJvm {
    private static final Duration USUAL = Duration.ofSeconds(50);

    private ChildJvm() {}

    /** Returns the lines that the program printed; fails if it did not exit with 0 before the usual timeout of a test. */
    static List<String> run(Class<?> program, String... options) throws IOException, InterruptedException {
        return run(USUAL, program, options);
    }

    /**
     * Returns the lines that the program printed; fails if it did not exit with 0.
     *
     * @param limit how long it may take, less than the test that waits for it
     */
    static List<String> run(Duration limit, Class<?> program, String... options)
            throws IOException, InterruptedException {
        String classPath = String.join(
                File.pathSeparator,
                System.getProperty("java.class.path", ""),
                System.getProperty("jdk.module.path", ""),
                locationOf(program),
                locationOf(TaskGraph.class));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", classPath, program.getName()));
        return ChildProcess.run(new ProcessBuilder(command), limit).successfully();
    }

    private static String locationOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath()).getPath();
    }
}
