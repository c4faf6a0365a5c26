package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.samples.gltf.TestModel;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input gives one clear line, exit code 2 and no files. */
final class CommandLineTest {
    @TempDir
    private Path root;

    private void refuses(String part, String... args) throws Exception {
        ProgramRun run = ProgramRun.of(args);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).contains(part).doesNotContain("Exception").doesNotContain("\tat ");
        try (Stream<Path> files = Files.list(root)) {
            assertThat(files.filter(path -> !path.getFileName().toString().startsWith("given")))
                    .isEmpty();
        }
    }

    private String out() {
        return root.resolve("out").toString();
    }

    /** A model, since the city takes seconds to generate. */
    private String model() throws Exception {
        return Files.write(root.resolve("given.glb"), TestModel.bytes()).toString();
    }

    @Test
    void explainsItself() {
        ProgramRun help = ProgramRun.of("--help");
        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("demo");
        ProgramRun demoHelp = ProgramRun.of("demo", "--help");
        assertThat(demoHelp.code()).isZero();
        assertThat(demoHelp.out())
                .contains(
                        "--model",
                        "--animation",
                        "--frames",
                        "--size",
                        "--out",
                        "--device",
                        "--async",
                        "--capture",
                        "--list-textures",
                        "--validate",
                        "--serve");
        ProgramRun version = ProgramRun.of("--version");
        assertThat(version.code()).isZero();
        assertThat(version.out()).startsWith("frameloom ");
    }

    private String[] served(String port) throws Exception {
        return new String[] {
            "demo",
            "--device",
            "virtual",
            "--model",
            model(),
            "--frames",
            "2",
            "--size",
            "16x16",
            "--out",
            out(),
            "--serve",
            port
        };
    }

    @Test
    void portsThatAreTakenOrAreNoneAreRefused() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String port = String.valueOf(taken.getLocalPort());
            refuses("--serve " + port + ": ", served(port));
        }
        refuses("--serve must be a port, 0 to 65535, not 65536", served("65536"));
        refuses("--serve", served("any"));
    }

    @Test
    void saysWhereFramesAreShown() throws Exception {
        ProgramRun run = ProgramRun.of(served("0"));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).containsPattern("look at the frames at http://127\\.0\\.0\\.1:[0-9]+/\\R");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "demo",
                "plan",
                "cache",
                "cache list",
                "cache import",
                "cache measure",
                "match",
                "sample",
                "sample adopt",
                "sample clip",
                "sample window",
                "devices"
            })
    void helpNamesTheLauncherAndBreaksNoName(String command) {
        String[] words = (command + " --help").strip().split(" ");
        assertThat(ProgramRun.of(words).out())
                .startsWith("Usage: ./frameloom " + (command.isEmpty() ? "" : command + " "))
                .doesNotContainPattern("\\w\\.\\R *(json|html|png|pfm)\\b")
                .doesNotContainPattern("\\[:\\R");
    }

    @Test
    void refusesUnknownCommandsAndOptions() throws Exception {
        refuses("demo", new String[0]);
        refuses("paint", "paint");
        refuses("--colour", "demo", "--colour", "red");
        refuses("--frames", "demo", "--frames");
        refuses("unexpected argument 'surplus'", "demo", "surplus", "--out", out());
        refuses("unexpected argument 'a\\u001b[31m\\u009b'", "demo", "a\u001b[31m\u009b", "--out", out());
        refuses("unknown command 'paint'; there are: demo, plan, cache, match, sample, devices", "paint");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0x0",
                "99999999x1",
                "abc",
                "",
                "1280",
                "1280x",
                "x720",
                "-5x10",
                "1280x720x3",
                "15x100",
                "9999999999x16",
                "16x0",
                "99999x99999",
                "1e3x100"
            })
    void refusesNonsenseSizes(String size) throws Exception {
        refuses("--size", "demo", "--size", size, "--device", "virtual", "--out", out());
    }

    @Test
    void refusesASizeBeyondTheDevice() throws Exception {
        refuses(
                "16384x16384",
                "demo",
                "--model",
                model(),
                "--size",
                "100000x16",
                "--device",
                "virtual",
                "--out",
                out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-3", "many", "", "99999999999"})
    void refusesNonsenseFrames(String frames) throws Exception {
        refuses("--frames", "demo", "--frames", frames, "--device", "virtual", "--out", out());
    }

    @Test
    void refusesNonsenseRanges() throws Exception {
        refuses("write the lower first", "demo", "--frames", "5..2", "--out", out());
        refuses("'0..' is no range", "demo", "--frames", "0..", "--out", out());
        refuses("neither a number nor a range, such as 120 or 0..119", "demo", "--frames", "0-119", "--out", out());
        refuses("--block: a block has 1 to", "demo", "--frames", "0..3", "--block", "0", "--out", out());
        refuses("--warm-up: warm-up takes 0 to", "demo", "--frames", "0..3", "--warm-up", "-1", "--out", out());
        refuses("numbered 0 to 999999999, not 0..1000000000", "demo", "--frames", "0..1000000000", "--out", out());
        refuses("--frames: '9999999999' is too large; 2147483647", "demo", "--frames", "9999999999", "--out", out());
        refuses("'x' is no whole number", "demo", "--frames", "0..3", "--block", "x", "--out", out());
        refuses("'9999999999' is out of range", "demo", "--frames", "0..3", "--block", "9999999999", "--out", out());
        refuses("--block", "demo", "--frames", "0..3", "--block", "many", "--out", out());
        refuses("need a range, such as --frames 0..119", "demo", "--block", "3", "--out", out());
        refuses("need a range, such as --frames 0..119", "demo", "--warm-up", "3", "--out", out());
        refuses("not a range", "demo", "--frames", "0..3", "--capture", "depth", "--out", out());
        refuses("not a range", "demo", "--frames", "0..3", "--list-textures", "--out", out());
        refuses(
                "--frames 0..3 writes pictures, and Frameloom virtual GPU renders none",
                "demo",
                "--frames",
                "0..3",
                "--model",
                model(),
                "--device",
                "virtual",
                "--out",
                out());
    }

    @Test
    void refusesDevicesThatAreNotThere() throws Exception {
        refuses("Voodoo 9000", "demo", "--model", model(), "--device", "Voodoo 9000", "--out", out());
        refuses("queues", "demo", "--device", "virtual:queues=0", "--out", out());
        refuses("colour", "demo", "--device", "virtual:colour=1", "--out", out());
        refuses("several devices share a range", "demo", "--device", "all", "--out", out());
        refuses("several devices share a range", "demo", "--device", "#0", "--device", "#1", "--out", out());
        refuses(
                "--device all names all devices that are equal; leave out the others",
                "demo",
                "--frames",
                "0..3",
                "--device",
                "#0",
                "--device",
                "all",
                "--out",
                out());
    }

    /** An allocation that is to fail is not a matter of the size. */
    @Test
    void aFailureThatWasAskedForIsAFailureOfTheDevice() throws Exception {
        ProgramRun run = ProgramRun.of("demo", "--model", model(), "--device", "virtual:oom=1", "--out", out());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err().lines())
                .satisfiesExactly(
                        where -> assertThat(where).matches("frameloom demo: see .*crash-[0-9-]+ for what failed"),
                        what -> assertThat(what).contains("the device failed: ").doesNotContain("size"));
    }

    @Test
    void aDeviceThatIsLostLeavesWhatIsKnown() throws Exception {
        ProgramRun run = ProgramRun.of(
                "demo", "--model", model(), "--device", "virtual:lose=9", "--size", "64x36", "--out", out());
        assertThat(run.code()).isEqualTo(1);
        Matcher folder =
                Pattern.compile("frameloom demo: see (.*) for what failed").matcher(run.err());
        assertThat(folder.find()).as(run.err()).isTrue();
        try (Stream<Path> files = Files.list(Path.of(folder.group(1)))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "report.txt",
                            "device-lost.txt",
                            "device-lost.json",
                            "threads.txt",
                            "graph.json",
                            "trace.json");
        }
        assertThat(Path.of(folder.group(1), "report.txt"))
                .content()
                .contains("memory: ", "tasks: ")
                .doesNotContain("not known");
        assertThat(Path.of(folder.group(1), "threads.txt"))
                .as("before the task graph is closed")
                .content()
                .contains("RHI");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "@1", "x@0", "x:mip=-1", "x:colour=red", "x:range=1..0", "x:as=jpg"})
    void refusesMalformedCaptures(String expression) throws Exception {
        refuses("--capture", "demo", "--capture", expression, "--device", "virtual", "--out", out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "on", "TAGGED", "everything"})
    void refusesUnknownModesOfAsyncCompute(String mode) throws Exception {
        refuses("off, tagged, measured and all", "demo", "--async", mode, "--device", "virtual", "--out", out());
    }

    @Test
    void refusesModelsThatAreMissingOrCorrupt() throws Exception {
        refuses("none.glb", "demo", "--model", root.resolve("none.glb").toString(), "--out", out());
        Path corrupt = root.resolve("given.glb");
        Files.write(corrupt, Arrays.copyOf(TestModel.bytes(), 3000));
        refuses("truncated", "demo", "--model", corrupt.toString(), "--device", "virtual", "--out", out());
        refuses(
                "has no animation 'walk'; --animation takes 'none'",
                "demo",
                "--model",
                model(),
                "--animation",
                "walk",
                "--out",
                out());
        refuses("'both' draws no meshlets; there are vertex and mesh", "demo", "--meshlets", "both", "--out", out());
        refuses("--meshlets shows the city", "demo", "--meshlets", "--model", model(), "--out", out());
        refuses("--animation needs --model", "demo", "--animation", "walk", "--out", out());
        refuses("is not a file", "demo", "--model", root.toString(), "--device", "virtual", "--out", out());
        refuses("--model", "demo", "--model", "", "--device", "virtual", "--out", out());
    }

    @Test
    void refusesOutputFoldersThatCannotBeWritten() throws Exception {
        Path file = Files.writeString(root.resolve("given"), "");
        refuses("is a file", "demo", "--device", "virtual", "--out", file.toString());
        refuses(
                "cannot be written",
                "demo",
                "--device",
                "virtual",
                "--out",
                file.resolve("below").toString());
    }
}
