package io.frameloom.samples.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.samples.Main;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class PictureCommandTest {
    private static final int SKY = 0xFF0D0F14;

    @TempDir
    private Path folder;

    private record Run(int code, String out, String err) {}

    private static Run run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Run(code, out.toString(), err.toString());
    }

    /** Draws the picture of a sample and checks what it says. */
    private BufferedImage drawn(String sample, Capability needed, Pattern words) throws IOException {
        assumeTrue(
                VulkanDevices.unavailableReason().isEmpty()
                        && VulkanDevices.list().stream()
                                .anyMatch(device -> device.capabilities().contains(needed)),
                "no device has " + needed);
        Path file = folder.resolve("new").resolve("picture.png");
        Run run = run("sample", sample, "--out", file.toString());
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        Matcher said = words.matcher(run.out());
        assertThat(said.find()).as(run.out()).isTrue();
        assertThat(run.out()).endsWith("; the picture is in " + file + "\n");
        return ImageIO.read(file.toFile());
    }

    @Test
    void lightComesFromAGBufferThatIsNotStored() throws IOException {
        BufferedImage picture = drawn(
                "tiles",
                Capability.DYNAMIC_RENDERING_LOCAL_READ,
                Pattern.compile(": 2 passes in one render pass, 1 of 4 attachments stored; "));
        assertThat(picture.getRGB(0, 0)).isEqualTo(SKY);
        int covered = 0;
        for (int i = 0; i < 512 * 512; i++) {
            covered += picture.getRGB(i % 512, i / 512) == SKY ? 0 : 1;
        }
        assertThat(covered).isBetween(120_000, 180_000);
        // The first sphere, in the middle, is reddish: so albedo, and not the normal, was lit.
        int first = picture.getRGB(271, 256);
        assertThat(first >> 16 & 0xFF).isGreaterThan(first & 0xFF);
    }

    @Test
    void whatTheMoonHidesIsLeftOut() throws IOException {
        BufferedImage picture = drawn(
                "hidden",
                Capability.CONDITIONAL_RENDERING,
                Pattern.compile(": (5[5-9]|6[0-9]) of 100 spheres seen, the others were left out; "));
        int moon = picture.getRGB(281, 128);
        assertThat(moon >> 16 & 0xFF).isEqualTo(moon >> 8 & 0xFF).isGreaterThan(100);
        assertThat(picture.getRGB(281, 384)).as("behind the moon").isEqualTo(SKY);
        assertThat(picture.getRGB(162, 384)).as("beside it").isNotEqualTo(SKY);
    }

    @Test
    void eachQuadHasATextureOfItsOwn() throws IOException {
        BufferedImage picture =
                drawn("bindless", Capability.DESCRIPTOR_INDEXING, Pattern.compile(": 1000 textures in one draw; "));
        assertThat(picture.getRGB(0, 0)).isEqualTo(SKY);
        Set<Integer> colors = new HashSet<>();
        int covered = 0;
        for (int y = 0; y < picture.getHeight(); y++) {
            for (int x = 0; x < picture.getWidth(); x++) {
                int color = picture.getRGB(x, y);
                covered += color == SKY ? 0 : 1;
                colors.add(color);
            }
        }
        // Two shades of each seed, of which neighbours on the circle of colours may agree.
        assertThat(colors).hasSizeGreaterThan(1_000);
        assertThat(covered).isBetween(60_000, 110_000);
        // The last seed, at the rim: red, as the first.
        double turn = 999 * Math.PI * (3 - Math.sqrt(5));
        double far = 256 * 0.95 * Math.sqrt(999.5 / 1000);
        int last = picture.getRGB((int) (256 + far * Math.cos(turn)), (int) (256 + far * Math.sin(turn)));
        assertThat(last >> 16 & 0xFF).isGreaterThan(3 * (last & 0xFF));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bindless", "hidden", "tiles"})
    void devicesThatDoNotDrawAreRefused(String sample) {
        Run virtual = run("sample", sample, "--device", "virtual");
        assertThat(virtual.code()).isEqualTo(2);
        assertThat(virtual.err()).contains("the virtual GPU draws no picture").hasLineCount(1);
        Run none = run("sample", sample, "--device", "no such device");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("no such device").hasLineCount(1);
    }
}
