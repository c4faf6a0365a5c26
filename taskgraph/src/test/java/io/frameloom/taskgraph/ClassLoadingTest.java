package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The module stays clear of {@code sun.misc.Unsafe}, checked in a JVM of its own. */
@Timeout(60)
final class ClassLoadingTest {
    /** Uses every kind of queue once. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) {
            try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
                graph.start(NamedThread.RENDER);
                GraphEvent a = graph.task("a", () -> {}).dispatch();
                graph.task("b", () -> {}).after(a).on(NamedThread.RENDER).dispatch().await();
                graph.parallelFor("c", 1000, 10, (from, to, slot) -> {});
            }
        }
    }

    @Test
    void neverLoadsSunMiscUnsafe() throws IOException, InterruptedException {
        String modulePath = System.getProperty("jdk.module.path", "");
        String classPath = System.getProperty("java.class.path", "") + File.pathSeparator + modulePath + File.pathSeparator
                + Path.of(locationOf(ClassLoadingTest.class)) + File.pathSeparator
                + Path.of(locationOf(TaskGraph.class));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load=info:stdout",
                        "-cp",
                        classPath,
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
        List<String> lines;
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            lines = reader.lines().toList();
        }
        assertThat(process.waitFor()).as("%s", lines).isZero();
        assertThat(lines).anyMatch(l -> l.contains("io.frameloom.taskgraph.TaskGraph "));
        assertThat(lines).noneMatch(l -> l.contains("sun.misc.Unsafe"));
    }

    private static String locationOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath()).getPath();
    }
}
