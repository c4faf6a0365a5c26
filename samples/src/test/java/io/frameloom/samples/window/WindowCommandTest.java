package io.frameloom.samples.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.samples.Main;
import io.frameloom.samples.ShownProgram;
import io.frameloom.testing.XServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WindowCommandTest {
    private record Run(int code, String out, String err) {}

    private static Run run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Run(code, out.toString(), err.toString());
    }

    @Test
    void theVirtualGpuShowsFramesOfBothExtents() {
        assertThat(run("sample", "window", "--device", "virtual", "--validate", "--frames", "20"))
                .isEqualTo(new Run(
                        0,
                        "Frameloom virtual GPU: 20 frames on a surface without a display, 480x270, then 640x360\n",
                        ""));
    }

    @Test
    void anOutOfDateSwapchainIsRecreatedAndALostSurfaceIsSaid() {
        assertThat(run("sample", "window", "--device", "virtual:surface=out-of-date:3", "--frames", "8")
                        .out())
                .contains(": 8 frames on");
        Run lost = run("sample", "window", "--device", "virtual:surface=lost:3");
        assertThat(lost.code()).isEqualTo(2);
        assertThat(lost.err())
                .contains("the surface of the window is lost; start the sample again")
                .hasLineCount(1);
        Run full = run("sample", "window", "--device", "virtual:oom=1");
        assertThat(full.code()).isEqualTo(1);
        assertThat(full.err()).contains("the device failed: ").hasLineCount(1);
    }

    @Test
    void coloursAndLatencyAreChosen() {
        Run hdr = run(
                "sample",
                "window",
                "--device",
                "virtual",
                "--frames",
                "3",
                "--latency",
                "1",
                "--colors",
                "DISPLAY_P3,HDR10_ST2084");
        assertThat(hdr.out()).endsWith("A2B10G10R10_UNORM in HDR10_ST2084, 3 images, what is displayed is reported\n");
        Run none = run("sample", "window", "--device", "virtual", "--colors", "DISPLAY_P3");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err())
                .contains("the surface does not have [B8G8R8A8_SRGB in DISPLAY_P3], only [")
                .hasLineCount(1);
        Run less = run("sample", "window", "--latency", "-1");
        assertThat(less.code()).isEqualTo(2);
        assertThat(less.err()).contains("--latency is at least 1").hasLineCount(1);
    }

    @Test
    void badInputIsSaidOnOneLine() {
        Run none = run("sample", "window", "--frames", "0");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("--frames is at least 1, got 0").hasLineCount(1);
        Run unknown = run("sample", "window", "--device", "virtual:surface=gone:1");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("lost:N").hasLineCount(1);
    }

    @Test
    void aWindowIsResized() throws IOException, InterruptedException {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        try (XServer server = XServer.start()) {
            List<String> command = List.of("sample", "window", "--validate", "--frames", "20");
            assertThat(ShownProgram.run(server, List.of(command)).get(0).successfully())
                    .singleElement()
                    .asString()
                    .endsWith(": 20 frames on a window, 480x270, then 640x360");
        }
    }
}
