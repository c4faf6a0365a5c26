package io.frameloom.samples.bindless;

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
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class BindlessCommandTest {
    private static final int GROUND = 0xFF0D0F14;

    @TempDir
    private Path folder;

    private record Run(int code, String out, String err) {}

    private static Run run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Run(code, out.toString(), err.toString());
    }

    @Test
    void eachQuadHasATextureOfItsOwn() throws IOException {
        assumeTrue(
                VulkanDevices.unavailableReason().isEmpty()
                        && VulkanDevices.list().stream()
                                .anyMatch(device -> device.capabilities().contains(Capability.DESCRIPTOR_INDEXING)),
                "no device has DESCRIPTOR_INDEXING");
        Path file = folder.resolve("new").resolve("picture.png");
        Run run = run("sample", "bindless", "--out", file.toString());
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out()).endsWith(": 1000 textures in one draw; the picture is in " + file + "\n");
        BufferedImage picture = ImageIO.read(file.toFile());
        assertThat(picture.getRGB(0, 0)).isEqualTo(GROUND);
        Set<Integer> colors = new HashSet<>();
        int covered = 0;
        for (int y = 0; y < picture.getHeight(); y++) {
            for (int x = 0; x < picture.getWidth(); x++) {
                int color = picture.getRGB(x, y);
                covered += color == GROUND ? 0 : 1;
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

    @Test
    void badInputIsSaidOnOneLine() {
        Run virtual = run("sample", "bindless", "--device", "virtual");
        assertThat(virtual.code()).isEqualTo(2);
        assertThat(virtual.err()).contains("the virtual GPU draws no picture").hasLineCount(1);
        Run none = run("sample", "bindless", "--device", "no such device");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("no such device").hasLineCount(1);
    }
}
