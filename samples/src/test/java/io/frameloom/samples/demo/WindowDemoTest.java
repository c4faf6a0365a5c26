package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.samples.ShownProgram;
import io.frameloom.samples.gltf.TestModel;
import io.frameloom.testing.XServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo in windows: on the virtual GPU, and under Xvfb with keys and screenshots. */
@Timeout(300)
final class WindowDemoTest {
    private static final Path PICTURES = Path.of("target", "window");

    @TempDir
    private Path dir;

    private String model() throws Exception {
        return Files.write(dir.resolve("model.glb"), TestModel.bytes()).toString();
    }

    private List<String> play(String script, String... more) throws Exception {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        String size = WindowScript.WIDTH + "x" + WindowScript.HEIGHT;
        List<String> arguments = Stream.concat(
                        Stream.of(
                                script, PICTURES.toString(), "demo", "--model", model(), "--size", size, "--validate"),
                        Stream.of(more))
                .toList();
        try (XServer server = XServer.start()) {
            return ShownProgram.run(server, WindowScript.class, arguments).successfully();
        }
    }

    @Test
    void keysSwitchPauseStepFlyFillTheScreenAndClose() throws Exception {
        assertThat(play("all", "--window", "--windows", "2"))
                .singleElement()
                .asString()
                .contains(" in 2 windows, ")
                .endsWith(", 420x200, then 640x480, then 420x200; 420x200");
    }

    /** The windows of GLFW run the same loop in each run. */
    @Test
    @Tag("thorough")
    void sdlOpensWindowsAsWell() throws Exception {
        assertThat(play("pause", "--window", "sdl"))
                .singleElement()
                .asString()
                .contains(" in a window of SDL, ")
                .endsWith(", 420x200");
    }

    @Test
    void theVirtualGpuShowsTheGivenFrames() throws Exception {
        ProgramRun run = ProgramRun.of(
                "demo",
                "--window",
                "--windows",
                "2",
                "--device",
                "virtual:surface=out-of-date:3",
                "--frames",
                "5",
                "--fps",
                "1000",
                "--size",
                "64x48",
                "--validate",
                "--model",
                model());
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .startsWith("Frameloom virtual GPU: 5 frames in 2 windows, ")
                .endsWith(" a second, 64x48; 64x48\n");
        ProgramRun lost = ProgramRun.of(
                "demo",
                "--window",
                "--device",
                "virtual:surface=lost:2",
                "--frames",
                "5",
                "--size",
                "64x48",
                "--model",
                model());
        assertThat(lost.code()).isEqualTo(2);
        assertThat(lost.err()).isEqualTo("frameloom demo: the surface of the window is lost; start the demo again\n");
    }

    @Test
    void aLostDeviceIsTheFailureThatIsTold() throws Exception {
        ProgramRun run = ProgramRun.of(
                "demo",
                "--window",
                "--windows",
                "2",
                "--device",
                "virtual:lose=20",
                "--frames",
                "9",
                "--size",
                "64x48",
                "--model",
                model());
        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).contains("the device failed: ").hasLineCount(1);
    }

    @Test
    void badInputIsSaidOnOneLine() {
        refused("--window: nothing", "'motif' is no window system; there are glfw and sdl", "--window", "motif");
        refused("--windows", "--windows needs --window", "--windows", "2");
        refused("--windows 9", "--windows must be 1 to 8, not 9", "--window", "--windows", "9");
        refused("--fps", "--fps needs --window", "--fps", "60");
        refused("--fps 0", "--fps must be 1 to 1000, not 0", "--window", "--fps", "0");
        refused("--meshlets", "--meshlets is for frames in files", "--window", "--meshlets");
        refused("--out", "--out is for frames in files; leave out either it or --window", "--window", "--out", "x");
        refused(
                "a range",
                "--frames A..B writes pictures; leave out either it or --window",
                "--window",
                "--frames",
                "0..119");
        refused("virtual", "shows nothing that could be closed; give --frames", "--window", "--device", "virtual");
    }

    private static void refused(String what, String why, String... arguments) {
        ProgramRun run = ProgramRun.of(
                Stream.concat(Stream.of("demo"), Stream.of(arguments)).toArray(String[]::new));
        assertThat(run.code()).as(what).isEqualTo(2);
        assertThat(run.err()).as(what).contains(why).hasLineCount(1);
    }
}
