package io.frameloom.gpu.vulkan.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.vulkan.ForwardingDriver;
import io.frameloom.gpu.vulkan.SeamedDevices;
import io.frameloom.gpu.vulkan.StagedDriver;
import io.frameloom.gpu.vulkan.TestEngine;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.NativeQueueDriver;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.X11Window;
import io.frameloom.testing.XServer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTHeadlessSurface;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.KHRXlibSurface;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkQueue;
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

    /** Some drivers wait for an image of a lost device as for any other. */
    @Test
    void aWaitForAnImageEndsWithTheDevice() throws Exception {
        StagedDriver driver = new StagedDriver();
        try (XServer server = XServer.start();
                X11Window window = new X11Window(server.display(), WIDTH, HEIGHT)) {
            VulkanDevice device =
                    SeamedDevices.open("", options().withSurfaces(XLIB), new DeviceSeams(driver, Set.of()));
            try (Surface surface = device.adoptSurface("window", xlibSurface(device, window));
                    Swapchain chain =
                            device.createSwapchain("chain", surface, SwapchainDescription.of(WIDTH, HEIGHT))) {
                for (int i = 0; i < chain.imageCount(); i++) {
                    chain.acquire(ValidatedDevice.LONG).requireImage();
                }
                FutureTask<Swapchain.Acquisition> waiting = new FutureTask<>(() -> chain.acquire(ValidatedDevice.LONG));
                new Thread(waiting, "waits for an image").start();
                driver.failSubmissions();
                GpuQueue queue = device.queues().get(0);
                assertThatThrownBy(() -> queue.submit(new Submission("loses the device", List.of(), List.of())))
                        .isInstanceOf(DeviceLostException.class);
                assertThatThrownBy(waiting::get).hasCauseInstanceOf(DeviceLostException.class);
            }
            device.close();
        }
    }

    /** Plays a driver that runs out of memory when one thread asks it, and sees whether two threads wait for a queue at once. */
    private static final class OneAtATime extends ForwardingDriver {
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicBoolean asked = new AtomicBoolean();
        private final CountDownLatch gaveUp = new CountDownLatch(1);
        private volatile @Nullable Thread asker;
        private volatile @Nullable Thread closer;
        private volatile boolean closing;
        private volatile boolean overlapped;

        @Override
        public int counterValue(VkDevice device, long semaphore, long address) {
            if (Thread.currentThread() == asker && asked.compareAndSet(false, true)) {
                return VK13.VK_ERROR_OUT_OF_HOST_MEMORY;
            }
            return super.counterValue(device, semaphore, address);
        }

        @Override
        public int waitIdle(VkQueue queue) {
            overlapped |= inside.incrementAndGet() > 1;
            try {
                Thread other = closer;
                if (Thread.currentThread() == asker && other != null) {
                    gaveUp.countDown();
                    while (!overlapped && !(closing && other.getState() == Thread.State.WAITING) && other.isAlive()) {
                        Thread.onSpinWait();
                    }
                }
                return super.waitIdle(queue);
            } finally {
                inside.decrementAndGet();
            }
        }
    }

    /** A queue is one thread's at a time, for whoever gives its device up as well. */
    @Test
    void whoGivesTheDeviceUpWaitsForNoQueueThatAnotherUses() throws Exception {
        OneAtATime driver = new OneAtATime();
        try (XServer server = XServer.start();
                X11Window window = new X11Window(server.display(), WIDTH, HEIGHT)) {
            VulkanDevice device =
                    SeamedDevices.open("", options().withSurfaces(XLIB), new DeviceSeams(driver, Set.of()));
            Surface surface = device.adoptSurface("window", xlibSurface(device, window));
            Swapchain chain = device.createSwapchain("chain", surface, SwapchainDescription.of(WIDTH, HEIGHT));
            GpuQueue queue = device.queues().get(0);
            queue.submit(new Submission("nothing", List.of(), List.of()));
            FutureTask<Long> asks = new FutureTask<>(() -> queue.timeline().completed());
            FutureTask<Boolean> closes = new FutureTask<>(() -> {
                driver.gaveUp.await();
                driver.closing = true;
                chain.close();
                return true;
            });
            driver.asker = new Thread(asks, "gives the device up");
            Thread closer = new Thread(closes, "closes the swapchain");
            driver.closer = closer;
            driver.asker.start();
            closer.start();
            assertThat(closes.get()).isTrue();
            driver.asker.join();
            assertThat(driver.asked).isTrue();
            assertThat(driver.overlapped).isFalse();
            surface.close();
            device.close();
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
        assertThatThrownBy(() -> SeamedDevices.open(
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
