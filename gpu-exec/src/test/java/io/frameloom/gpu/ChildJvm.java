package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs a test program in a JVM of its own, on the class path, with the default size of a thread's stack. */
public final class ChildJvm {
    private static final int TOLD = 20;

    private ChildJvm() {}

    /** Returns the lines that the program printed; fails if it did not exit with 0. */
    public static List<String> run(Class<?> program, Object... arguments) throws IOException, InterruptedException {
        return run(Map.of(), program, arguments);
    }

    /**
     * Returns the lines that the program printed; fails if it did not exit with 0.
     *
     * @param environment variables that it sees beside those of this process
     */
    public static List<String> run(Map<String, String> environment, Class<?> program, Object... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        // From JDK 24 on LWJGL is warned of; a JDK that knows no such option passes over it.
        command.addAll(List.of("-XX:+IgnoreUnrecognizedVMOptions", "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(List.of("-XX:ErrorFile=" + Path.of("target", program.getSimpleName() + ".log")));
        command.addAll(List.of(
                "-cp",
                String.join(
                        File.pathSeparator,
                        Stream.of(
                                        Path.of("target", "classes").toString(),
                                        Path.of("target", "test-classes").toString(),
                                        System.getProperty("jdk.module.path", ""),
                                        System.getProperty("java.class.path", ""))
                                .filter(path -> !path.isEmpty())
                                .toList())));
        command.add(program.getName());
        Stream.of(arguments).map(String::valueOf).forEach(command::add);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        List<String> lines;
        try {
            lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } finally {
            process.destroyForcibly();
        }
        String last = String.join("\n", lines.subList(Math.max(0, lines.size() - TOLD), lines.size()));
        assertThat(process.waitFor())
                .as("status of %s %s, whose last words are:%n%s", program, List.of(arguments), last)
                .isZero();
        return lines;
    }
}
