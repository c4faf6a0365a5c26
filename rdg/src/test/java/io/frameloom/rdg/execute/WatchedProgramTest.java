package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.RenderGraph;
import io.frameloom.testing.ChildProcess;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What system properties turn on is seen in a program that knows nothing of it. */
class WatchedProgramTest {
    @TempDir
    private Path folder;

    private List<String> run(String... properties) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        Stream.of(properties).map("-Dframeloom.rdg."::concat).forEach(command::add);
        command.addAll(List.of("-cp", classPath(), WatchedProgram.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        return ChildProcess.run(builder, Duration.ofSeconds(100)).successfully();
    }

    private static String classPath() {
        List<String> parts = new ArrayList<>();
        for (Class<?> type : List.of(WatchedProgram.class, RenderGraph.class)) {
            parts.add(new File(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .getPath())
                    .getPath());
        }
        for (String property : List.of("java.class.path", "jdk.module.path")) {
            Stream.of(System.getProperty(property, "").split(File.pathSeparator))
                    .filter(part -> !part.isEmpty())
                    .map(part -> Path.of(part).toAbsolutePath().toString())
                    .forEach(parts::add);
        }
        return String.join(File.pathSeparator, parts);
    }

    private static List<String> with(List<String> lines, String words) {
        return lines.stream().filter(line -> line.contains(words)).toList();
    }

    @Test
    void propertiesThatLookOnAreSeen() throws Exception {
        List<String> lines = run(
                "validation=true",
                "compileTimes=true",
                "transitionLog=true",
                "breakpoint=execute",
                "dump=states",
                "debug=true");
        assertThat(with(lines, "pass 'draw' declares 'untaken' and does not take it"))
                .as("once in three frames")
                .singleElement()
                .asString()
                .contains("WatchedProgram.java:");
        assertThat(with(lines, "graph 'frame' was compiled, in milliseconds: validation "))
                .as("of the plan that the others get again")
                .hasSize(1);
        assertThat(with(lines, "before 'draw': 'picture' UNDEFINED -> COLOR")).isNotEmpty();
        assertThat(with(lines, "breakpoint EXECUTE: graph 'frame', 'draw'")).hasSize(3);
        assertThat(folder.resolve("rdg-dump/frame.states.dot")).exists();
    }

    @Test
    void warningsAndCapturesAreSeen() throws Exception {
        List<String> lines = run("breakpoint=warning", "capture=picture;nothing");
        assertThat(with(lines, "graph 'frame': no pass uses 'unused'")).hasSize(3);
        assertThat(with(lines, "'nothing' was not captured")).hasSize(1);
        try (Stream<Path> files = Files.list(folder.resolve("rdg-captures"))) {
            assertThat(files).hasSize(3).allMatch(file -> file.toString().endsWith(" picture@1.png"));
        }
    }
}
