package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.virtual.VirtualSurface;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.testing.X11Window;
import io.frameloom.testing.XServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.KHRXlibSurface;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkXlibSurfaceCreateInfoKHR;

/** Frames that end on a surface, on the virtual GPU and, in a window, on a Vulkan driver with validation. */
class PresentedFramesTest {
    private static final RdgOptions SPLIT = RdgOptions.defaults().withPassLimits(1, 2);
    private static final RdgOptions IMMEDIATE =
            SPLIT.withDiagnostics(RdgDiagnostics.none().withImmediate(true));

    private static void onVirtual(int queues, long seed, RdgOptions compile, Consumer<PresentedFrames> scenario) {
        try (DeviceRig rig = new DeviceRig(
                2,
                FrameExecutorOptions.defaults(),
                compile,
                false,
                options -> VirtualDevices.open(new VirtualGpuOptions(queues, seed), options))) {
            Surface surface = rig.device.createHeadlessSurface("window", PresentedFrames.WIDTH, PresentedFrames.HEIGHT);
            try (surface;
                    PresentedFrames frames = new PresentedFrames(rig, surface)) {
                scenario.accept(frames);
            }
            rig.assertClean();
        }
    }

    private static void onVulkan(Consumer<PresentedFrames> scenario) {
        onVulkan(SPLIT, scenario);
    }

    private static void onVulkan(RdgOptions compile, Consumer<PresentedFrames> scenario) {
        String reason = VulkanDevices.unavailableReason();
        Assumptions.assumeTrue(reason.isEmpty(), reason);
        try (XServer server = XServer.start();
                X11Window window = new X11Window(server.display(), PresentedFrames.WIDTH, PresentedFrames.HEIGHT);
                DeviceRig rig = new DeviceRig(
                        2,
                        FrameExecutorOptions.defaults(),
                        compile,
                        true,
                        options -> VulkanDevices.open(
                                "",
                                options.withSurfaces(List.of(KHRXlibSurface.VK_KHR_XLIB_SURFACE_EXTENSION_NAME))))) {
            VulkanDevice device = (VulkanDevice) rig.device;
            try (Surface surface = device.adoptSurface("window", xlibSurface(device, window));
                    PresentedFrames frames = new PresentedFrames(rig, surface)) {
                scenario.accept(frames);
            }
            rig.assertClean();
        }
    }

    private static long xlibSurface(VulkanDevice device, X11Window window) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            int result = KHRXlibSurface.vkCreateXlibSurfaceKHR(
                    device.handles().instance(),
                    VkXlibSurfaceCreateInfoKHR.calloc(stack)
                            .sType$Default()
                            .dpy(window.display())
                            .window(window.window()),
                    null,
                    out);
            assertThat(result).isEqualTo(VK13.VK_SUCCESS);
            return out.get(0);
        }
    }

    @Test
    void everyPictureArrivesWhole() {
        for (int queues = 1; queues <= 3; queues++) {
            for (long seed = 1; seed <= 6; seed++) {
                List<VirtualSurface.Presented> shown = Collections.synchronizedList(new ArrayList<>());
                onVirtual(queues, seed, SPLIT.withAsync(AsyncCompute.ALL), frames -> {
                    VirtualSurface surface = (VirtualSurface) frames.chain().surface();
                    surface.onPresented(shown::add);
                    frames.runAhead(9);
                    surface.newest();
                });
                assertThat(shown).hasSize(9).allSatisfy(picture -> {
                    assertThat(picture.format()).isEqualTo(Format.R8G8B8A8_UNORM);
                    for (int i = 0; i < picture.texels().remaining(); i += 4) {
                        assertThat(picture.texels().getInt(i)).isEqualTo(0x00ff00ff);
                    }
                });
            }
        }
    }

    @Test
    void aFrameLoopRunsOnTheVirtualGpu() {
        onVirtual(2, 1, SPLIT, frames -> frames.run(20));
    }

    @Test
    void aFrameLoopRunsInAWindow() {
        onVulkan(frames -> frames.run(60));
    }

    @Test
    void framesAheadOfTheWindow() {
        onVulkan(frames -> frames.runAhead(60));
    }

    @Test
    void failedFramesGiveTheirImagesBack() {
        onVirtual(2, 1, SPLIT, PresentedFrames::failedFramesGiveTheirImagesBack);
        onVulkan(PresentedFrames::failedFramesGiveTheirImagesBack);
    }

    @Test
    void framesThatFailHalfWayGiveTheirImagesBack() {
        onVirtual(2, 1, SPLIT, PresentedFrames::framesThatFailHalfWayGiveTheirImagesBack);
    }

    @Test
    void imagesAreAskedFor() {
        onVirtual(1, 1, SPLIT, PresentedFrames::imagesAreAskedFor);
        onVulkan(PresentedFrames::imagesAreAskedFor);
    }

    @Test
    void thePlanExplainsAcquisitionAndPresentation() {
        onVirtual(2, 1, SPLIT, PresentedFrames::explainsAcquisitionAndPresentation);
    }

    @Test
    void anImageWithoutPasses() {
        onVirtual(2, 1, SPLIT, PresentedFrames::anImageWithoutPassesIsPresented);
        onVulkan(PresentedFrames::anImageWithoutPassesIsPresented);
    }

    @Test
    void immediateModeDrawsToTheImageWhenTheFrameIsExecuted() {
        for (int queues = 1; queues <= 3; queues++) {
            List<VirtualSurface.Presented> shown = Collections.synchronizedList(new ArrayList<>());
            onVirtual(queues, queues, IMMEDIATE, frames -> {
                VirtualSurface surface = (VirtualSurface) frames.chain().surface();
                surface.onPresented(shown::add);
                frames.runImmediately(7);
                surface.newest();
            });
            assertThat(shown)
                    .hasSize(7)
                    .allSatisfy(
                            picture -> assertThat(picture.texels().getInt(0)).isEqualTo(0x00ff00ff));
        }
    }

    @Test
    void immediateFramesMayLeaveTheImageOrFail() {
        onVirtual(2, 1, IMMEDIATE, PresentedFrames::immediateFramesMayLeaveTheImageOrFail);
        onVulkan(IMMEDIATE, PresentedFrames::immediateFramesMayLeaveTheImageOrFail);
    }
}
