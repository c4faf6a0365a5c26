package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.samples.gltf.TestModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Wrong system properties end every command with one line and exit code 2; misspelt ones are told. */
final class PropertiesTest {
    private static final String GRAPH = "{\"schema\": \"rdg-case/1\", \"id\": \"empty\", \"queues\": [{\"id\": \"G\","
            + " \"family\": 0, \"caps\": [\"graphics\", \"compute\", \"copy\"]}], \"resources\": [], \"passes\": []}";

    @TempDir
    private Path root;

    /** A small model has the passes of the city, which takes seconds to generate. */
    @BeforeEach
    void writeModel() throws Exception {
        Files.write(root.resolve("model.glb"), TestModel.bytes());
    }

    private static ProgramRun with(String property, String value, String... args) {
        System.setProperty(property, value);
        try {
            return ProgramRun.of(args);
        } finally {
            System.clearProperty(property);
        }
    }

    static Stream<Arguments> wrong() {
        List<String> demo =
                List.of("demo", "--model", "model.glb", "--device", "virtual", "--frames", "1", "--out", "out");
        return Stream.of(
                Arguments.of("frameloom.rdg.cullPasses", "yess", demo),
                Arguments.of("frameloom.rdg.framesInFlight", "9", demo),
                Arguments.of("frameloom.rdg.passMin", "99", List.of("plan", "graph.json")),
                Arguments.of("frameloom.rdg.capture", "x@", List.of("plan", "graph.json")),
                Arguments.of("frameloom.taskgraph.workers", "x", demo),
                Arguments.of("frameloom.taskgraph.spinNanos", "-1", List.of("match", "graph.json")),
                Arguments.of("frameloom.taskgraph.spareWorkers", "x", List.of("devices")),
                Arguments.of("frameloom.gpu.memoryLimit", "much", demo),
                Arguments.of("frameloom.gpu.device", "virtual:queues=0", demo),
                Arguments.of("frameloom.gpu.queues", "0", List.of("match", "graph.json")),
                Arguments.of("frameloom.gpu.validation", "on", List.of("sample", "adopt", "--out", "picture.png")),
                Arguments.of(
                        "frameloom.gpu.queues", "none", List.of("cache", "measure", "programs", "--pipelines", "1")),
                Arguments.of("frameloom.cache.queueBytes", "none", List.of("cache", "measure", "programs")),
                Arguments.of("frameloom.cache.diskBytes", "0", List.of("cache", "import", "programs", "graph.json")));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void aWrongValueIsOneLineAndStatusTwo(String property, String value, List<String> command) throws Exception {
        Files.writeString(root.resolve("graph.json"), GRAPH);
        List<String> files = List.of("graph.json", "model.glb", "picture.png", "programs", "out");
        String[] args = command.stream()
                .map(word -> files.contains(word) ? root.resolve(word).toString() : word)
                .toArray(String[]::new);
        ProgramRun run = with(property, value, args);
        assertThat(run.err().lines()).as(run.err()).hasSize(1);
        assertThat(run.err()).startsWith("frameloom " + command.get(0)).contains("system property " + property);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
    }

    private String[] demo() {
        return new String[] {
            "demo",
            "--model",
            root.resolve("model.glb").toString(),
            "--device",
            "virtual",
            "--frames",
            "1",
            "--size",
            "64x64",
            "--out",
            root.resolve("out").toString()
        };
    }

    @Test
    void aCaptureOfATextureOfTheFramesIsWrittenOfThem() throws Exception {
        Path folder = root.resolve("captures");
        System.setProperty("frameloom.rdg.captureFolder", folder.toString());
        try {
            ProgramRun run = with("frameloom.rdg.capture", "radiance", demo());
            assertThat(run.err()).isEmpty();
            assertThat(run.code()).isZero();
            assertThat(run.out()).contains("summary.json, captures of each frame in " + folder);
        } finally {
            System.clearProperty("frameloom.rdg.captureFolder");
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).singleElement().asString().endsWith("radiance@1.png");
        }
    }

    @Test
    void aCaptureThatNoGraphHasIsToldAtTheEnd() {
        ProgramRun run = with("frameloom.rdg.capture", "radianc", demo());
        assertThat(run.code()).isZero();
        assertThat(run.out()).doesNotContain("captures of each frame");
        assertThat(run.err())
                .contains("frameloom.rdg.capture: no graph had the texture of 'radianc', the nearest are 'radiance'")
                .doesNotContain("--capture:");
    }

    @Test
    void whatCannotBeCapturedIsBlamedOnTheProperty() {
        ProgramRun run = with("frameloom.rdg.capture", "radiance@9", demo());
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().lines()).singleElement().asString().contains("property frameloom.rdg.capture: cannot");
    }

    @Test
    void immediateModeSaysWhatThePlanIs() throws Exception {
        ProgramRun run = with("frameloom.rdg.immediate", "true", demo());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("immediate mode: each pass was a frame of its own")
                .doesNotContain("1 pass,");
        assertThat(Files.readString(root.resolve("out/summary.json")))
                .as("all passes are one frame")
                .contains("\"lastFrame\" : 0");
    }

    @Test
    void modesThatExcludeEachOtherAreOneLineAndStatusTwo() {
        System.setProperty("frameloom.rdg.clobber", "nan");
        try {
            ProgramRun run = with("frameloom.rdg.immediate", "true", demo());
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err().lines()).hasSize(1);
            assertThat(run.err()).contains("frameloom.rdg.clobber=nan", "frameloom.rdg.immediate=true");
        } finally {
            System.clearProperty("frameloom.rdg.clobber");
        }
    }

    @Test
    void aFolderThatCannotBeWrittenIsOneLineAndStatusTwo() throws Exception {
        Path file = Files.writeString(root.resolve("file"), "");
        System.setProperty("frameloom.rdg.dump", "states");
        try {
            ProgramRun run = with("frameloom.rdg.dumpFolder", file.toString(), demo());
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err().lines()).hasSize(1);
            assertThat(run.err()).contains("cannot be written to " + file);
        } finally {
            System.clearProperty("frameloom.rdg.dump");
        }
    }

    @Test
    void aPropertyBehindTheCommandIsToldItsPlace() {
        ProgramRun run = ProgramRun.of("demo", "-Dframeloom.rdg.debug=true");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).contains("stand before the command: frameloom -Dframeloom.rdg.debug=true demo");
    }

    @Test
    void aMisspeltPropertyIsToldWithTheNearest() {
        ProgramRun run = with("frameloom.rdg.cull", "false", "--version");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err())
                .startsWith("frameloom: nothing reads the system property 'frameloom.rdg.cull';"
                        + " the nearest are 'frameloom.rdg.cullPasses'");
    }
}
