package io.frameloom.samples.adopt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.samples.Main;
import io.frameloom.samples.ShownProgram;
import io.frameloom.testing.ChildProcess;
import io.frameloom.testing.XServer;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AdoptCommandTest {
    @TempDir
    private Path folder;

    private record Run(int code, String out, String err) {}

    private static Run run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Run(code, out.toString(), err.toString());
    }

    private static void assumeDriver() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
    }

    /** What cannot be opened or written is said on one line. */
    @Test
    void framesGoToTheEnginesWindowAndThePictureIsItsBarsUnderFrameloomsRings()
            throws IOException, InterruptedException {
        assumeDriver();
        Path file = folder.resolve("new").resolve("picture.png");
        try (XServer server = XServer.start()) {
            List<ChildProcess.Ended> ends = ShownProgram.run(
                    server,
                    List.of(
                            List.of("sample", "adopt", "--validate", "--frames", "16", "--out", file.toString()),
                            List.of("sample", "adopt", "--device", "no such device"),
                            List.of("sample", "adopt", "--frames", "1", "--out", folder.toString())));
            assertThat(ends).extracting(ChildProcess.Ended::status).containsExactly(0, 2, 2);
            assertThat(ends.get(0).lines())
                    .singleElement()
                    .asString()
                    .endsWith(": 16 frames on a window, 480x270, then 640x360; the last picture is in " + file);
            assertThat(ends.get(1).lines()).singleElement().asString().contains("'no such device'", "present");
            assertThat(ends.get(2).lines()).singleElement().asString().contains("cannot write " + folder);
        }

        BufferedImage picture = ImageIO.read(file.toFile());
        assertThat(picture.getWidth()).isEqualTo(480);
        // The bars left and right of the centre, where the rings have their first crest.
        assertThat(near(picture.getRGB(239, 135), 0x99CC4C)).isTrue();
        assertThat(near(picture.getRGB(240, 135), 0x33B299)).isTrue();
        // The trough between two rings, where two fifths are left, and the corner outside of all.
        assertThat(near(picture.getRGB(240 + 14, 135), 0x14473D)).isTrue();
        assertThat(near(picture.getRGB(0, 0), 0)).isTrue();
    }

    private static boolean near(int color, int expected) {
        int farthest = 0;
        for (int shift = 0; shift < 24; shift += 8) {
            farthest = Math.max(farthest, Math.abs((color >> shift & 0xFF) - (expected >> shift & 0xFF)));
        }
        return farthest <= 4;
    }

    @Test
    void badInputIsSaidOnOneLine() {
        assertThat(run("sample"))
                .isEqualTo(
                        new Run(
                                2,
                                "",
                                "frameloom sample: no sample given; there are: adopt, bindless, clip, hidden, pathtrace, tiles, window (see frameloom sample --help)\n"));
        Run virtual = run("sample", "adopt", "--device", "virtual:seed=1");
        assertThat(virtual.code()).isEqualTo(2);
        assertThat(virtual.err()).contains("the virtual GPU cannot be adopted").hasLineCount(1);
        Run none = run("sample", "adopt", "--frames", "0");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("--frames is at least 1, got 0").hasLineCount(1);
    }

    @Test
    void helpSaysWhatItShows() {
        Run help = run("sample", "adopt", "--help");
        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("--out=FILE", "--frames=N", "--validate", "swapchain");
    }
}
