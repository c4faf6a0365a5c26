package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuException;
import io.frameloom.gpu.NoSuchDeviceException;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.Surface;
import io.frameloom.gpu.Swapchain;
import io.frameloom.gpu.SwapchainDescription;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.X11Window;
import io.frameloom.testing.XServer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTHeadlessSurface;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.KHRXlibSurface;
import org.lwjgl.vulkan.VkXlibSurfaceCreateInfoKHR;

/** Devices that can present, devices that cannot and say why, and surfaces that stay an engine's. */
@Timeout(60)
class VulkanSurfaceTest {
    private static final int WIDTH = 40;
    private static final int HEIGHT = 30;
    private static final List<String> XLIB = List.of(KHRXlibSurface.VK_KHR_XLIB_SURFACE_EXTENSION_NAME);

    private TaskGraph tasks;

    @BeforeEach
    void buildTaskGraph() {
        ValidatedDevice.assumeDriver();
        tasks = TaskGraph.builder().name("surfaces").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        if (tasks != null) {
            tasks.close();
        }
    }

    private DeviceOptions options() {
        return new DeviceOptions(tasks, "surfaces", true, null);
    }

    private static void done(VulkanDevice device) {
        device.close();
        assertThat(device.validationMessages()).isEmpty();
    }

    private static long xlibSurface(VulkanDevice device, X11Window window) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            TestEngine.done(KHRXlibSurface.vkCreateXlibSurfaceKHR(
                    device.handles().instance(),
                    VkXlibSurfaceCreateInfoKHR.calloc(stack)
                            .sType$Default()
                            .dpy(window.display())
                            .window(window.window()),
                    null,
                    out));
            return out.get(0);
        }
    }

    @Test
    void aDeviceOpenedWithoutSurfacesNamesWhatIsOff() {
        VulkanDevice device = VulkanDevices.open("", options());
        try {
            assertThatThrownBy(() -> device.createHeadlessSurface("nowhere", 1, 1))
                    .isInstanceOf(GpuException.class)
                    .hasMessageContaining("'nowhere'")
                    .hasMessageContaining(KHRSurface.VK_KHR_SURFACE_EXTENSION_NAME)
                    .hasMessageContaining(EXTHeadlessSurface.VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME)
                    .hasMessageContaining(KHRSwapchain.VK_KHR_SWAPCHAIN_EXTENSION_NAME)
                    .hasMessageContaining("DeviceOptions.withSurfaces");
            assertThatThrownBy(() -> device.adoptSurface("nowhere", 1))
                    .isInstanceOf(GpuException.class)
                    .hasMessageContaining(KHRSwapchain.VK_KHR_SWAPCHAIN_EXTENSION_NAME);
        } finally {
            done(device);
        }
    }

    @Test
    void anAdoptedDeviceWithoutSwapchainsNamesThem() {
        try (TestEngine engine = new TestEngine()) {
            VulkanDevice device = VulkanDevices.adopt(
                    engine.description
                            .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                            .build(),
                    options());
            assertThatThrownBy(() -> device.importSurface("the engine's", 1))
                    .isInstanceOf(GpuException.class)
                    .hasMessageContaining("'the engine's'")
                    .hasMessageContaining(KHRSwapchain.VK_KHR_SWAPCHAIN_EXTENSION_NAME)
                    .hasMessageContaining("its engine has to switch that on");
            done(device);
            assertThat(engine.messages()).isEmpty();
        }
    }

    @Test
    void aDriverWithoutSwapchainsIsNotChosen() {
        assertThatThrownBy(() -> VulkanDevices.open(
                        "",
                        options().withSurfaces(List.of()),
                        new DeviceSeams(new NativeQueueDriver(), Set.of(KHRSwapchain.VK_KHR_SWAPCHAIN_EXTENSION_NAME))))
                .isInstanceOf(NoSuchDeviceException.class)
                .hasMessageContaining(KHRSwapchain.VK_KHR_SWAPCHAIN_EXTENSION_NAME);
    }

    @Test
    void surfacesThatNoDriverHasAreNamed() {
        assertThatThrownBy(() -> VulkanDevices.open(
                        "", options().withSurfaces(List.of("VK_XYZ_moon_surface", "VK_XYZ_mars_surface"))))
                .isInstanceOf(GpuException.class)
                .hasMessageContaining("VK_XYZ_mars_surface, VK_XYZ_moon_surface");
    }

    @Test
    void noHandleIsNoSurface() {
        VulkanDevice device = VulkanDevices.open("", options().withSurfaces(XLIB));
        try {
            assertThatThrownBy(() -> device.adoptSurface("null", 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("VK_NULL_HANDLE");
        } finally {
            done(device);
        }
    }

    /** Validation would complain of a surface that is destroyed twice, or left behind. */
    @Test
    void anImportedSurfaceStaysTheEngines() {
        try (XServer server = XServer.start();
                X11Window window = new X11Window(server.display(), WIDTH, HEIGHT)) {
            VulkanDevice device = VulkanDevices.open("", options().withSurfaces(XLIB));
            long handle = xlibSurface(device, window);
            Surface surface = device.importSurface("the engine's", handle);
            assertThat(surface.support().width()).isEqualTo(WIDTH);
            assertThat(surface.support().height()).isEqualTo(HEIGHT);
            surface.close();
            assertThat(surface.isClosed()).isTrue();
            assertThatThrownBy(surface::support)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            KHRSurface.vkDestroySurfaceKHR(device.handles().instance(), handle, null);
            done(device);
        }
    }

    /** The device closes what was forgotten, the swapchain before its surface, and says so. */
    @Test
    void whatWasForgottenIsNamedAndClosed() {
        try (XServer server = XServer.start();
                X11Window window = new X11Window(server.display(), WIDTH, HEIGHT)) {
            VulkanDevice device = VulkanDevices.open("", options().withSurfaces(XLIB));
            Surface surface = device.adoptSurface("window", xlibSurface(device, window));
            Swapchain chain = device.createSwapchain("chain", surface, SwapchainDescription.of(WIDTH, HEIGHT));
            // Without an image acquired: validation layers of 1.3.239 cannot wait for a device then.
            assertThatThrownBy(device::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("swapchain 'chain', surface 'window'");
            assertThat(chain.isClosed()).isTrue();
            assertThat(surface.isClosed()).isTrue();
            assertThat(device.validationMessages()).isEmpty();
        }
    }
}
