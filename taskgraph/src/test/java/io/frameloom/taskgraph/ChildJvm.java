package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a test program in a JVM of its own, on the class path. */
final class ChildJvm {
    private ChildJvm() {}

    /** Returns the lines that the program printed; fails if it did not exit with 0. */
    static List<String> run(Class<?> program, String... options) throws IOException, InterruptedException {
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
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines;
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            lines = reader.lines().toList();
        }
        assertThat(process.waitFor()).as("%s", lines).isZero();
        return lines;
    }

    private static String locationOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath()).getPath();
    }
}
