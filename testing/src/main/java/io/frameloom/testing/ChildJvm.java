package io.frameloom.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs a test program in a JVM of its own, on the class path, with the default size of a thread's stack. */
public final class ChildJvm {
    /** Less than the timeouts of the tests that wait for one. */
    public static final Duration USUAL = Duration.ofSeconds(110);

    private ChildJvm() {}

    /** Returns the lines that the program printed; fails if it did not exit with 0. */
    public static List<String> run(Class<?> program, Object... arguments) throws IOException, InterruptedException {
        return run(USUAL, Map.of(), program, arguments);
    }

    /**
     * Returns the lines that the program printed; fails if it did not exit with 0.
     *
     * @param limit how long it may take, less than the test that waits for it
     * @param environment variables that it sees beside those of this process
     */
    public static List<String> run(
            Duration limit, Map<String, String> environment, Class<?> program, Object... arguments)
            throws IOException, InterruptedException {
        ProcessBuilder builder = builder(program, arguments);
        builder.environment().putAll(environment);
        return ChildProcess.run(builder, limit).successfully();
    }

    /** Returns what starts the program, for a test that ends it. */
    public static ProcessBuilder builder(Class<?> program, Object... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
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
        return new ProcessBuilder(command);
    }
}
