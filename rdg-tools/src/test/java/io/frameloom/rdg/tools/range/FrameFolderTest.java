package io.frameloom.rdg.tools.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FrameFolderTest {
    private static final Map<String, String> SETTINGS = Map.of("size", "64x36");

    @TempDir
    private Path root;

    private Path folder;

    @BeforeEach
    void nameFolder() {
        folder = root.resolve("a").resolve("frames");
    }

    private FrameFolder open(int first, int last) throws FrameFolderException {
        return FrameFolder.open(folder, new FrameRange(first, last, 4, 2), "txt", SETTINGS);
    }

    private static FrameFolder.Content content(int frame) {
        return out -> {
            // As writers do that are closed.
            try (OutputStream own = out) {
                own.write(("picture " + frame).getBytes(StandardCharsets.UTF_8));
            }
        };
    }

    private static void write(FrameFolder target, int... frames) throws FrameFolderException {
        for (int frame : frames) {
            target.write(frame, content(frame));
        }
    }

    private List<Path> files(String glob) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, glob)) {
            found.forEach(files::add);
        }
        return files;
    }

    /** Names without the digits that each process has of its own. */
    private TreeSet<String> names() throws IOException {
        return files("*").stream()
                .map(file -> file.getFileName().toString().replaceAll("-[0-9a-f]{16}(?=\\.json$)", "-"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void aFrameIsThereWhenAManifestHasItsDigest() throws Exception {
        FrameFolder first = open(2, 6);
        assertThat(first.missing()).containsExactly(2, 3, 4, 5, 6);
        write(first, 2, 3, 5);
        assertThat(first.missing()).containsExactly(4, 6);
        assertThat(names())
                .containsExactly(
                        "frame-000002.txt",
                        "frame-000003.txt",
                        "frame-000005.txt",
                        "frames-000002-000003-.json",
                        "frames-000004-000006-.json");
        JsonNode manifest = new ObjectMapper()
                .readTree(files("frames-000004-000006-*.json").get(0).toFile());
        assertThat(manifest.get("first").asInt()).isEqualTo(4);
        assertThat(manifest.get("last").asInt()).isEqualTo(6);
        assertThat(manifest.get("block").asInt()).isEqualTo(4);
        assertThat(manifest.get("warmUp").asInt()).isEqualTo(2);
        assertThat(manifest.get("settings").get("size").asText()).isEqualTo("64x36");
        assertThat(manifest.get("frames")).singleElement().satisfies(frame -> {
            assertThat(frame.get("frame").asInt()).isEqualTo(5);
            assertThat(frame.get("file").asText()).isEqualTo("frame-000005.txt");
            assertThat(frame.get("sha256").asText())
                    .isEqualTo("4d597ddcdf9af392fba7f27880b4732ecc81ff15bb1b090887061c932b73f21b");
        });
        assertThat(open(0, 7).missing()).containsExactly(0, 1, 4, 6, 7);
        Files.writeString(folder.resolve("frame-000003.txt"), "half of pict");
        Files.delete(folder.resolve("frame-000002.txt"));
        Files.writeString(folder.resolve("frame-000004.txt"), "picture 4");
        assertThat(open(2, 6).missing()).as("changed, gone, and of nobody").containsExactly(2, 3, 4, 6);
        assertThat(open(2, 6).steps().stream().filter(FrameRange.Step::written).map(FrameRange.Step::frame))
                .containsExactly(2, 3, 4, 6);
    }

    /** Two nodes at one range, one of them given up: whatever they do last, what both have written is there. */
    @Test
    void processesAtOneRangeLoseNothing() throws Exception {
        FrameFolder slow = open(0, 3);
        write(slow, 0);
        FrameFolder second = open(0, 3);
        assertThat(second.missing()).containsExactly(1, 2, 3);
        write(second, 1);
        write(slow, 1, 2);
        write(second, 2, 3);
        assertThat(open(0, 3).missing()).isEmpty();
        FrameFolder other = open(2, 5);
        assertThat(other.missing()).containsExactly(4, 5);
        write(other, 4, 5);
        write(slow, 3);
        assertThat(open(0, 5).missing()).isEmpty();
    }

    /** One knows nothing of what the other wrote since it began, and is killed. */
    @Test
    void aProcessThatWasOpenedEarlierReplacesNoManifest() throws Exception {
        FrameFolder early = open(0, 3);
        FrameFolder late = open(0, 3);
        write(late, 0, 1, 2);
        write(early, 3);
        assertThat(open(0, 3).missing()).isEmpty();
        assertThat(files("frames-*.json")).as("one per process and block").hasSize(2);
    }

    /** A process that begins while a manifest is written takes its writer for dead, and removes what it sees. */
    @Test
    void aManifestIsWrittenAgainWhenItIsTakenForLeftOver() throws Exception {
        FrameFolder given = open(0, 9999);
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Boolean> removed = CompletableFuture.supplyAsync(() -> {
            try {
                boolean found = false;
                while (!found && !ended.get()) {
                    for (Path file : files(".frames-*")) {
                        found |= Files.deleteIfExists(file);
                    }
                }
                return found;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        int frame = 0;
        try {
            while (frame <= 9999 && !removed.isDone()) {
                write(given, frame);
                frame++;
            }
        } finally {
            ended.set(true);
        }
        assertThat(removed.get()).isTrue();
        assertThat(open(0, frame - 1).missing()).isEmpty();
    }

    @Test
    void aFileThatContentDoesNotFindIsAFailure() throws Exception {
        FrameFolder given = open(0, 3);
        Files.writeString(folder.resolve("frame-000001.txt"), "half of pict");
        assertThatThrownBy(() -> given.write(1, out -> {
                    throw new NoSuchFileException("texture.png");
                }))
                .isInstanceOf(FrameFolderException.class)
                .hasMessageContaining("texture.png");
        assertThat(given.missing()).containsExactly(0, 1, 2, 3);
    }

    @Test
    void removesWhatAKilledProcessLeft() throws Exception {
        FrameFolder killed = open(0, 3);
        assertThatThrownBy(() -> killed.write(1, out -> {
                    out.write(1);
                    throw new IOException("disk full");
                }))
                .isInstanceOf(FrameFolderException.class)
                .hasMessageContaining("disk full")
                .hasMessageContaining("name another folder");
        assertThat(names()).isEmpty();
        Files.writeString(folder.resolve(".frame-000001.txt.0123456789abcdef"), "pict");
        Files.writeString(folder.resolve(".frames-000000-000003.json.0123456789abcdef"), "{");
        Files.writeString(folder.resolve(".frame-000002.txt.0123456789abcdef"), "of one that lives");
        write(open(0, 1), 1);
        assertThat(names())
                .containsExactly(
                        ".frame-000002.txt.0123456789abcdef",
                        ".frames-000000-000003.json.0123456789abcdef",
                        "frame-000001.txt",
                        "frames-000000-000001-.json");
        write(open(0, 3), 2);
        assertThat(names().first()).isEqualTo("frame-000001.txt");
    }

    @Test
    void twoProcessesMayWriteOneFrameAtOnce() throws Exception {
        FrameFolder given = open(0, 3);
        given.write(0, out -> {
            try {
                write(open(0, 3), 0);
            } catch (FrameFolderException e) {
                throw new IOException(e);
            }
            content(0).writeTo(out);
        });
        assertThat(given.missing()).containsExactly(1, 2, 3);
        assertThat(open(0, 0).missing()).isEmpty();
    }

    @Test
    void refusesFramesOfAnotherRun() throws Exception {
        write(open(0, 3), 0);
        FrameRange range = new FrameRange(0, 3, 4, 2);
        assertThatThrownBy(() -> FrameFolder.open(folder, range, "txt", Map.of("size", "128x72")))
                .isInstanceOf(FrameFolderException.class)
                .hasMessage(files("frames-*.json").get(0)
                        + " is of another run: its size is '64x36', here it is '128x72'; name another folder, or render"
                        + " with what it has");
        assertThatThrownBy(() -> FrameFolder.open(folder, range, "txt", Map.of("size", "64x36", "driver", "new")))
                .hasMessageContaining("its driver is absent, here it is 'new'");
        assertThatThrownBy(() -> FrameFolder.open(folder, range, "txt", Map.of()))
                .hasMessageContaining("its size is '64x36', here it is absent");
        assertThatThrownBy(() -> FrameFolder.open(folder, range, "png", SETTINGS))
                .hasMessageContaining("'frame-000000.txt', here it is 'frame-000000.png'");
        assertThatThrownBy(() -> FrameFolder.open(folder, new FrameRange(0, 3, 2, 2), "txt", SETTINGS))
                .hasMessageContaining("its block is '4', here it is '2'");
        assertThatThrownBy(() -> FrameFolder.open(folder, new FrameRange(0, 3, 4, 3), "txt", SETTINGS))
                .hasMessageContaining("its warmUp is '2', here it is '3'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{}",
                "{\"format\": 2}",
                "{\"format\": 1, \"first\": 0, \"last\": 3, \"block\": 4}",
                "{\"format\": 1, \"first\": 3, \"last\": 0, \"block\": 4, \"warmUp\": 2}",
                "{\"format\": \"1\"}",
                "{\"frames\": {}}",
                "{\"frames\": [3]}",
                "{\"frames\": [{\"frame\": 0, \"file\": \"frame-000000.txt\"}]}",
                "{\"frames\": [{\"frame\": 0, \"file\": \"frame-000000.txt\", \"sha256\": \"\"}]}",
                "{\"settings\": {\"size\": []}}"
            })
    void refusesWhatIsNoManifest(String text) throws Exception {
        Files.createDirectories(folder);
        Path file = Files.writeString(folder.resolve("frames-000000-000003.json"), text);
        assertThatThrownBy(() -> open(0, 3))
                .isInstanceOf(FrameFolderException.class)
                .hasMessageStartingWith(file + " is no manifest of frames: ")
                .hasMessageEndingWith("; delete it, or name another folder")
                .hasMessageNotContaining("\n");
    }

    @Test
    void refusesAFileInTheWay() throws Exception {
        Files.createDirectories(folder.getParent());
        Files.writeString(folder, "");
        assertThatThrownBy(() -> open(0, 3))
                .isInstanceOf(FrameFolderException.class)
                .hasMessageContaining("a file is in its way");
        Files.delete(folder);
        FrameFolder given = open(0, 3);
        Files.createDirectories(folder.resolve("frame-000001.txt").resolve("full"));
        assertThatThrownBy(() -> write(given, 1))
                .isInstanceOf(FrameFolderException.class)
                .hasMessageContaining("frame-000001.txt");
        assertThat(given.missing()).containsExactly(0, 1, 2, 3);
        assertThatThrownBy(() -> write(given, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThat(names()).containsExactlyElementsOf(List.of("frame-000001.txt"));
    }
}
