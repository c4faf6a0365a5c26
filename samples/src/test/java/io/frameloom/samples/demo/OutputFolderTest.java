package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results appear together or not at all. */
@Timeout(60)
final class OutputFolderTest {
    @TempDir
    private Path root;

    private List<String> contents() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(path -> !path.equals(root))
                    .map(path -> root.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void publishesIntoANewFolderWithItsParents() throws Exception {
        try (OutputFolder folder = OutputFolder.prepare(root.resolve("a/b/c"))) {
            folder.writeText("x.json", out -> out.write("{}"));
            folder.publish(List.of());
        }
        assertThat(contents()).containsExactly("a", "a/b", "a/b/c", "a/b/c/x.json");
    }

    @Test
    void leavesNothingBehindWithoutPublishing() throws Exception {
        try (OutputFolder folder = OutputFolder.prepare(root.resolve("a/b/c"))) {
            folder.writeText("x.json", out -> out.write("{}"));
        }
        assertThat(contents()).isEmpty();
    }

    @Test
    void keepsAnExistingFolderAsItIsWithoutPublishing() throws Exception {
        Files.createDirectory(root.resolve("out"));
        Files.writeString(root.resolve("out/x.json"), "old");
        try (OutputFolder folder = OutputFolder.prepare(root.resolve("out"))) {
            folder.writeText("x.json", out -> out.write("new"));
        }
        assertThat(contents()).containsExactly("out", "out/x.json");
        assertThat(root.resolve("out/x.json")).hasContent("old");
    }

    @Test
    void replacesResultsAndRemovesObsoleteOnesOnly() throws Exception {
        Files.createDirectory(root.resolve("out"));
        Files.writeString(root.resolve("out/x.json"), "old");
        Files.writeString(root.resolve("out/frame.png"), "old");
        Files.writeString(root.resolve("out/mine.txt"), "mine");
        try (OutputFolder folder = OutputFolder.prepare(root.resolve("out"))) {
            folder.writeText("x.json", out -> out.write("new"));
            folder.publish(List.of("frame.png"));
        }
        assertThat(contents()).containsExactly("out", "out/mine.txt", "out/x.json");
        assertThat(root.resolve("out/x.json")).hasContent("new");
    }

    @ParameterizedTest
    @ValueSource(strings = {"y.json", "frame.png"})
    void movesNothingIfAFolderIsInTheWay(String name) throws Exception {
        Files.createDirectories(root.resolve("out").resolve(name).resolve("mine"));
        Files.writeString(root.resolve("out/x.json"), "old");
        try (OutputFolder folder = OutputFolder.prepare(root.resolve("out"))) {
            folder.writeText("x.json", out -> out.write("new"));
            folder.writeText("y.json", out -> out.write("new"));
            assertThatThrownBy(() -> folder.publish(List.of("frame.png")))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("out/" + name)
                    .hasMessageContaining("is a folder");
        }
        assertThat(contents()).containsExactlyInAnyOrder("out", "out/" + name, "out/" + name + "/mine", "out/x.json");
        assertThat(root.resolve("out/x.json")).hasContent("old");
    }

    @Test
    void aFullDiskIsBadInputInOneLine() throws Exception {
        try (OutputFolder folder = OutputFolder.prepare(root.resolve("out"))) {
            assertThatThrownBy(() -> folder.write("frame.png", out -> {
                        throw new IOException("No space left on device");
                    }))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("out cannot be written: frame.png: No space left on device")
                    .hasMessageContaining("--out");
        }
        assertThat(contents()).isEmpty();
    }

    /** Where nobody can make a folder, whoever he is. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aFolderThatTakesNothingIsNamedAndNotTheProbe() {
        assertThatThrownBy(() -> OutputFolder.prepare(Path.of("/proc/x")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("output folder /proc/x cannot be written: nothing can be created in /proc")
                .hasMessageNotContaining(".frameloom-");
        assertThatThrownBy(() -> OutputFolder.prepare(Path.of("/proc")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("output folder /proc cannot be written: nothing can be created in /proc")
                .hasMessageNotContaining(".frameloom-");
    }

    @Test
    void aFileThatIsNotTakenIsNamedWhereItWouldBe() throws Exception {
        try (OutputFolder folder = OutputFolder.prepare(root.resolve("out"))) {
            assertThatThrownBy(() -> folder.write("no/frame.png", out -> out.write(1)))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("there is no " + root.resolve("out/no/frame.png"))
                    .hasMessageNotContaining(".frameloom-");
        }
    }

    @Test
    void refusesAFileAndAFolderBelowAFile() throws Exception {
        Files.writeString(root.resolve("file"), "");
        assertThatThrownBy(() -> OutputFolder.prepare(root.resolve("file")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("is a file");
        assertThatThrownBy(() -> OutputFolder.prepare(root.resolve("file/below/it")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("cannot be written");
        assertThat(contents()).containsExactly("file");
    }
}
