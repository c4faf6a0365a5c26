package io.frameloom.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private static ChildProcess.Ended run(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(arguments));
        return ChildProcess.run(new ProcessBuilder(command), Duration.ofSeconds(60));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "--gpu-frames --help"})
    void explainsAllPrograms(String arguments) throws Exception {
        ChildProcess.Ended ended = run(arguments.split(" ", -1));
        assertThat(ended.status()).isZero();
        assertThat(String.join("\n", ended.lines()))
                .startsWith("Usage: ./frameloom stress")
                .contains("--quick ", "--soak MINUTES", "--gpu-compute ", "-h, --help");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--slow", "--quick --soak 1", ""})
    void anUnknownProgramIsOneLineAndStatusTwo(String arguments) throws Exception {
        ChildProcess.Ended ended = run(arguments.split(" ", -1));
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.lines()).hasSize(1);
        assertThat(ended.lines().get(0)).contains("'" + arguments + "'", "--gpu-queues", "--help");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--soak many", "--soak --minutes x"})
    void theProgramChecksItsOwnArguments(String arguments) throws Exception {
        ChildProcess.Ended ended = run(arguments.split(" ", -1));
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.lines()).hasSize(1);
        assertThat(ended.lines().get(0)).contains("--minutes needs a whole number");
    }
}
