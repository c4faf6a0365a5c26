package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.samples.gltf.TestModel;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sparks of the demo, which native passes move and draw, in pictures. */
@Timeout(120)
final class ParticlesTest {
    private static final int CHANNELS = 3;
    private static final int NOTICEABLE = 24;

    @TempDir
    private Path root;

    private ProgramRun run(String folder, String frames, String... more) throws Exception {
        Path model = Files.write(root.resolve("model.glb"), TestModel.bytes());
        List<String> all = new ArrayList<>(List.of("demo", "--model", model.toString(), "--size", "160x90"));
        all.addAll(List.of("--out", root.resolve(folder).toString(), "--frames", frames));
        all.addAll(List.of("--block", "1", "--warm-up", "1"));
        all.addAll(List.of(more));
        return ProgramRun.of(all.toArray(String[]::new));
    }

    /** Returns the picture of frame 1. */
    private Path picture(String folder, String frames, String... more) throws Exception {
        ProgramRun run = run(folder, frames, more);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        return root.resolve(folder).resolve("frame-000001.png");
    }

    private static int[] channels(BufferedImage picture) {
        int[] texels = picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth());
        int[] channels = new int[CHANNELS * texels.length];
        for (int i = 0; i < channels.length; i++) {
            channels[i] = (texels[i / CHANNELS] >> (Byte.SIZE * (i % CHANNELS))) & 0xff;
        }
        return channels;
    }

    private static int[] channels(Path picture) throws Exception {
        return channels(ImageIO.read(picture.toFile()));
    }

    @Test
    void sparksLightThePictureAndFollowFromTheNumberOfTheFrame() throws Exception {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        Path whole = picture("whole", "0..1", "--particles", "--validate");
        Path part = picture("part", "1..1", "--particles");
        assertThat(part).hasSameBinaryContentAs(whole);
        // A folder of frames knows whether they have sparks.
        ProgramRun other = run("part", "1..1");
        assertThat(other.code()).isEqualTo(2);
        assertThat(other.err()).contains("particles");

        int[] dark = channels(picture("without", "1..1"));
        int[] lit = channels(part);
        int brighter = 0;
        for (int i = 0; i < dark.length; i++) {
            brighter += lit[i] > dark[i] + NOTICEABLE ? 1 : 0;
        }
        assertThat(brighter / (double) dark.length)
                .as("share that sparks light")
                .isBetween(0.005, 0.2);
        assertAlike(part, lit);
    }

    /** To the kept picture, which was looked at. */
    private static void assertAlike(Path file, int[] drawn) throws Exception {
        Path kept = Path.of("target", "particles.png");
        Files.createDirectories(kept.toAbsolutePath().getParent());
        Files.write(kept, Files.readAllBytes(file));
        int[] shown = channels(ImageIO.read(Objects.requireNonNull(ParticlesTest.class.getResource("particles.png"))));
        assertThat(drawn).hasSameSizeAs(shown);
        long sum = 0;
        int far = 0;
        for (int i = 0; i < drawn.length; i++) {
            int off = Math.abs(drawn[i] - shown[i]);
            sum += off;
            far += off > NOTICEABLE ? 1 : 0;
        }
        String way =
                "look at samples/" + kept + " and, if the picture is right, put it into the resources of this test";
        assertThat(sum / (double) drawn.length)
                .as("levels off on average; " + way)
                .isLessThan(1);
        assertThat(far / (double) drawn.length).as("share far off; " + way).isLessThan(0.01);
    }

    @Test
    void refusesDevicesWithoutVulkanAndWindows() throws Exception {
        Path out = root.resolve("none");
        Path model = Files.write(root.resolve("model.glb"), TestModel.bytes());
        ProgramRun run = ProgramRun.of(
                "demo",
                "--particles",
                "--model",
                model.toString(),
                "--device",
                "virtual",
                "--size",
                "16x16",
                "--out",
                out.toString());
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().lines())
                .containsExactly(
                        "frameloom demo: --particles records commands of Vulkan, which Frameloom virtual GPU has"
                                + " not; leave it out, or name another --device");
        ProgramRun window = ProgramRun.of("demo", "--particles", "--window");
        assertThat(window.code()).isEqualTo(2);
        assertThat(window.err()).contains("--particles is for frames in files; leave out either it or --window");
    }
}
