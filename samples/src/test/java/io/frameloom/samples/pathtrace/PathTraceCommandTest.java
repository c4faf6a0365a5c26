package io.frameloom.samples.pathtrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.samples.Main;
import io.frameloom.samples.gltf.TestModel;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class PathTraceCommandTest {
    @TempDir
    private Path folder;

    private record Run(int code, String out, String err) {}

    private static Run run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Run(code, out.toString(), err.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--size|10|'Invalid value for option ''--size'': ''10'' is no size; write WIDTHxHEIGHT, such as 1280x720'",
                "--size|0x9|'--size must have 1 to 67108864 pixels, such as 8192x8192, not 0x9'",
                "--size|90000x90000|'--size must have 1 to 67108864 pixels, such as 8192x8192, not 90000x90000'",
                "--samples|0|'--samples must be 1 to 65536, not 0'",
                "--bounces|65|'--bounces must be 0 to 64, not 65'",
                "--out|' '|'--out needs a path, it is empty'",
                "--out|a.JPG|'--out a.JPG: the picture is a PNG; name a file that ends in .png'",
                "--out|src|'cannot write src: it is a folder; name a file in it'",
                "--model|no.glb|'model no.glb does not exist'",
                "--device|virtual|'the virtual GPU draws no picture; name a Vulkan device (frameloom devices lists them)'"
            })
    void whatCannotBeIsRefusedInOneLine(String option, String value, String line) {
        Run run = run("sample", "pathtrace", option, value);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).startsWith("frameloom sample pathtrace: " + line).hasLineCount(1);
    }

    /** Before anything is traced, or the device would be refused. */
    @Test
    void aFileThatCannotBeWrittenIsRefusedAtOnce() throws IOException {
        Path file = folder.resolve("n".repeat(300) + ".png");
        Run run = run("sample", "pathtrace", "--device", "virtual", "--out", file.toString());
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("frameloom sample pathtrace: cannot write " + file + ": ")
                .hasLineCount(1);
        Path former = Files.writeString(folder.resolve("former.png"), "as it was");
        assertThat(run("sample", "pathtrace", "--device", "virtual", "--out", former.toString())
                        .err())
                .contains("the virtual GPU draws no picture");
        assertThat(former).hasContent("as it was");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(former);
        }
    }

    @Test
    void aPictureThatIsLargerThanJavasMemoryIsRefused() {
        assertThat(PathTraceCommand.lackOfHeap(8192 * 8192, 2L << 30))
                .isEqualTo(" needs 1792.00 MiB of memory and more for the scene, and Java has 2048.00 MiB; choose a"
                        + " smaller size, or set JAVA_TOOL_OPTIONS=-Xmx... to more");
        assertThat(PathTraceCommand.lackOfHeap(8192 * 8192, 3L << 30)).isNull();
    }

    private static void assumeRays() {
        assumeTrue(
                VulkanDevices.unavailableReason().isEmpty()
                        && VulkanDevices.list().stream()
                                .anyMatch(device -> device.capabilities().contains(Capability.ACCELERATION_STRUCTURES)),
                "no device has " + Capability.ACCELERATION_STRUCTURES);
    }

    /** The device is given twice, and so opened twice where there is no other of its name. */
    @Test
    void twoDevicesWriteTheFileOfOne() throws IOException {
        assumeRays();
        Path model = Files.write(folder.resolve("model.glb"), TestModel.bytes());
        List<Path> files = new ArrayList<>();
        for (String device : List.of("", "--device=auto")) {
            Path file = folder.resolve("picture" + files.size() + ".png");
            List<String> arguments = new ArrayList<>(
                    List.of("sample", "pathtrace", "--model=" + model, "--size=31x18", "--samples=2", "--out=" + file));
            if (!device.isEmpty()) {
                arguments.addAll(List.of(device, device));
            }
            Run run = run(arguments.toArray(String[]::new));
            assertThat(run.code()).as(run.err()).isZero();
            if (!device.isEmpty()) {
                assertThat(run.out().lines()).hasSize(3);
                assertThat(run.out())
                        .containsPattern(
                                "(?s)^#[0-9]+ .*: [0-9,]+ rays in [0-9.]+ s, 1 part\n#[0-9]+ .*, 1 part\n2 of ");
            }
            files.add(file);
        }
        assertThat(files.get(1)).hasSameBinaryContentAs(files.get(0));
    }

    /** The model stands in daylight on a grey floor, and its shadow is darker than the floor beside it. */
    @Test
    void aModelIsTracedInPlaceOfTheCity() throws IOException {
        assumeRays();
        Path model = Files.write(folder.resolve("model.glb"), TestModel.bytes());
        Path file = folder.resolve("new").resolve("picture.png");
        Run run = run(
                "sample",
                "pathtrace",
                "--model",
                model.toString(),
                "--size",
                "96x54",
                "--samples",
                "4",
                "--bounces",
                "1",
                "--out",
                file.toString());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err())
                .contains("frameloom sample pathtrace: model " + model + " has surfaces with holes: they are shown")
                .contains("is shown in the light of sun and sky, without other lights");
        assertThat(run.out())
                .containsPattern(
                        ", RAY_TRACING_PIPELINES: 20,736 rays of the camera, [0-9,]+ after bounces and [0-9,]+ of shadows in [0-9.]+ s,"
                                + " [0-9.]+ million a second; the picture is in ")
                .hasLineCount(1);
        BufferedImage picture = ImageIO.read(file.toFile());
        assertThat(picture.getWidth()).isEqualTo(96);
        assertThat(picture.getHeight()).isEqualTo(54);
        int sky = picture.getRGB(48, 0);
        assertThat(sky & 255).as("blue of the sky").isGreaterThan(sky >> 16 & 255);
        double floor = green(picture, 8, 28);
        assertThat(floor).as("the floor in the sun").isBetween(160.0, 210.0);
        assertThat(green(picture, 25, 28)).as("shadow of the box").isBetween(60.0, 0.75 * floor);
    }

    /** Returns the mean of three by three pixels. */
    private static double green(BufferedImage picture, int left, int top) {
        double sum = 0;
        for (int i = 0; i < 9; i++) {
            sum += picture.getRGB(left + i % 3, top + i / 3) >> 8 & 255;
        }
        return sum / 9;
    }
}
