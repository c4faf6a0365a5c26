package io.frameloom.gpu.vulkan.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.lwjgl.system.MemoryUtil.memGetAddress;
import static org.lwjgl.system.MemoryUtil.memGetInt;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.present.ColorSpace;
import io.frameloom.gpu.present.HdrMetadata;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.SurfaceFormat;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.vulkan.ForwardingDriver;
import io.frameloom.gpu.vulkan.SeamedDevices;
import io.frameloom.gpu.vulkan.TestEngine;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.X11Window;
import io.frameloom.testing.XServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTHdrMetadata;
import org.lwjgl.vulkan.EXTSwapchainMaintenance1;
import org.lwjgl.vulkan.KHRPresentId;
import org.lwjgl.vulkan.KHRPresentWait;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.KHRXlibSurface;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkHdrMetadataEXT;
import org.lwjgl.vulkan.VkPresentIdKHR;
import org.lwjgl.vulkan.VkPresentInfoKHR;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkXlibSurfaceCreateInfoKHR;

/**
 * Presentation with extensions of swapchains. Fences of presentations are those of the driver; a software driver has no
 * display to report, so the test plays one at the calls.
 */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VulkanPresentationTest {
    private static final int WIDTH = 40;
    private static final int HEIGHT = 30;
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final List<String> XLIB = List.of(KHRXlibSurface.VK_KHR_XLIB_SURFACE_EXTENSION_NAME);
    private static final SwapchainDescription FOUR =
            SwapchainDescription.of(WIDTH, HEIGHT).withImages(4);
    private static final Set<Capability> PLAYED = Set.of(Capability.PRESENT_WAIT, Capability.HDR_METADATA);
    private static final String MAINTENANCE = EXTSwapchainMaintenance1.VK_EXT_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME;

    /** What the driver may have of what is played. */
    private static final Set<String> REAL = Set.of(
            KHRPresentWait.VK_KHR_PRESENT_WAIT_EXTENSION_NAME, EXTHdrMetadata.VK_EXT_HDR_METADATA_EXTENSION_NAME);

    /** A driver with a display, which shows what it is told to. */
    private static final class Display extends ForwardingDriver {
        private final List<Long> ids = new ArrayList<>();
        private final List<Long> described = new ArrayList<>();
        private final List<Float> values = new ArrayList<>();
        private long displayed;
        private int answer = VK13.VK_TIMEOUT;
        private boolean outOfDate;
        private int idleWaits;
        private int fenceWaits;
        private boolean presenting;
        private Set<Capability> played = Set.of();

        @Override
        public Set<Capability> played() {
            return played;
        }

        @Override
        public int present(VkQueue queue, VkPresentInfoKHR presentation) {
            long next = presentation.pNext();
            if (next != 0 && memGetInt(next) == KHRPresentId.VK_STRUCTURE_TYPE_PRESENT_ID_KHR) {
                ids.add(VkPresentIdKHR.create(next).pPresentIds().get(0));
                // The real driver does not know it.
                presentation.pNext(memGetAddress(next + Long.BYTES));
            }
            int result = super.present(queue, presentation);
            return outOfDate ? KHRSwapchain.VK_ERROR_OUT_OF_DATE_KHR : result;
        }

        @Override
        public int waitForPresent(VkDevice device, long swapchain, long id, long timeoutNanos) {
            assertThat(id).as("ids that were presented: %s", ids).isIn(ids);
            return displayed >= id ? VK13.VK_SUCCESS : answer;
        }

        @Override
        public void describe(VkDevice device, long swapchain, VkHdrMetadataEXT metadata) {
            described.add(swapchain);
            values.clear();
            values.addAll(List.of(
                    metadata.maxLuminance(),
                    metadata.minLuminance(),
                    metadata.maxContentLightLevel(),
                    metadata.maxFrameAverageLightLevel(),
                    metadata.displayPrimaryRed().x(),
                    metadata.displayPrimaryBlue().y(),
                    metadata.whitePoint().y()));
        }

        @Override
        public int waitIdle(VkQueue queue) {
            idleWaits++;
            return super.waitIdle(queue);
        }

        @Override
        public int waitFence(VkDevice device, long fence, long timeoutNanos) {
            fenceWaits++;
            return presenting ? VK13.VK_TIMEOUT : super.waitFence(device, fence, timeoutNanos);
        }
    }

    /** A window with a device and slots for frames. */
    private final class Rig implements AutoCloseable {
        private final X11Window window = new X11Window(server.display(), WIDTH, HEIGHT);
        private final VulkanDevice device;
        private final Surface surface;
        private final FrameContext context;

        Rig(Set<String> hidden, Set<Capability> played, Capability... required) {
            display.played = played;
            device = SeamedDevices.open(
                    "",
                    new DeviceOptions(tasks, "presentation", true, null)
                            .withSurfaces(XLIB)
                            .require(required),
                    new DeviceSeams(display, hidden));
            surface = device.adoptSurface("window", xlibSurface(device, window));
            context = device.createFrameContext("frames");
        }

        Swapchain swapchain(SwapchainDescription wished) {
            return device.createSwapchain("chain", surface, wished);
        }

        /** Presents a frame; returns false if there is no image now. */
        boolean frame(Swapchain chain) {
            Swapchain.Acquisition acquisition = chain.acquire(Duration.ZERO);
            if (acquisition.status() == SwapchainStatus.TIMEOUT) {
                return false;
            }
            present(chain, acquisition.requireImage());
            return true;
        }

        void present(Swapchain chain, SwapchainImage image) {
            present(chain, image, SwapchainStatus.OK);
        }

        void present(Swapchain chain, SwapchainImage image, SwapchainStatus status) {
            GpuQueue queue = chain.presentQueue();
            context.reset();
            CommandList list = context.beginCommands(queue, "frame");
            BarrierBatch.Scope scope = new BarrierBatch.Scope(ALL, 0, ALL, MemoryAccess.NONE);
            list.barrier(new BarrierBatch(
                    List.of(new BarrierBatch.TextureBarrier(
                            image.texture(),
                            SubresourceRange.all(image.texture().description()),
                            scope,
                            TextureLayout.UNDEFINED,
                            TextureLayout.PRESENT,
                            null)),
                    List.of(),
                    List.of()));
            list.end();
            long done = queue.submit(new Submission("frame", List.of(list), List.of())
                            .presenting(List.of(new Submission.Acquire(image, ALL)), List.of(image)))
                    .value();
            assertThat(chain.present(image)).isEqualTo(status);
            assertThat(queue.timeline().await(done, ValidatedDevice.LONG)).isTrue();
        }

        @Override
        public void close() {
            context.close();
            surface.close();
            device.close();
            window.close();
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    private XServer server;
    private Display display;
    private TaskGraph tasks;

    @BeforeAll
    void startServer() {
        ValidatedDevice.assumeDriver();
        server = XServer.start();
    }

    @AfterAll
    void closeServer() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void buildTaskGraph() {
        display = new Display();
        tasks = TaskGraph.builder().name("presentation").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        if (tasks != null) {
            tasks.close();
        }
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

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void acquiringWaitsForTheDisplay(int limit) {
        try (Rig rig = new Rig(REAL, PLAYED);
                Swapchain chain = rig.swapchain(FOUR.withMaximumFrameLatency(limit))) {
            assertThat(chain.reportsDisplay()).isTrue();
            for (int frame = 1; frame <= 8; frame++) {
                boolean room = display.ids.size() - display.displayed < limit;
                assertThat(rig.frame(chain)).as("frame %d", frame).isEqualTo(room);
                if (!room) {
                    display.displayed++;
                    assertThat(rig.frame(chain)).isTrue();
                }
                assertThat(display.ids.size() - display.displayed).isLessThanOrEqualTo(limit);
            }
            assertThat(display.ids).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
            // What is acquired is on its way, too.
            display.displayed = 8;
            List<SwapchainImage> held = new ArrayList<>();
            for (int i = 0; i < limit; i++) {
                held.add(chain.acquire(ValidatedDevice.LONG).requireImage());
            }
            assertThat(chain.acquire(Duration.ZERO).status()).isEqualTo(SwapchainStatus.TIMEOUT);
            held.forEach(image -> rig.present(chain, image));
        }
    }

    /** Ids begin anew with other images, and what the display has not shown of the old ones is not waited for. */
    @Test
    void recreationBeginsAnew() {
        try (Rig rig = new Rig(REAL, PLAYED);
                Swapchain chain = rig.swapchain(FOUR.withMaximumFrameLatency(1))) {
            assertThat(rig.frame(chain)).isTrue();
            assertThat(rig.frame(chain)).isFalse();
            assertThat(chain.recreate(WIDTH, HEIGHT)).isEqualTo(SwapchainStatus.OK);
            assertThat(rig.frame(chain)).isTrue();
            assertThat(rig.frame(chain)).isFalse();
            assertThat(display.ids).containsExactly(1L, 1L);
        }
    }

    /** Also of presentations that fail: Vulkan has each id once. */
    @Test
    void idsGrowWhereTheSurfaceIsOutOfDate() {
        try (Rig rig = new Rig(REAL, PLAYED);
                Swapchain chain = rig.swapchain(FOUR)) {
            assertThat(rig.frame(chain)).isTrue();
            List<SwapchainImage> held = List.of(
                    chain.acquire(ValidatedDevice.LONG).requireImage(),
                    chain.acquire(ValidatedDevice.LONG).requireImage());
            display.outOfDate = true;
            held.forEach(image -> rig.present(chain, image, SwapchainStatus.OUT_OF_DATE));
            assertThat(display.ids).containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void aSurfaceThatIsLostMeanwhileIsAStatus() {
        try (Rig rig = new Rig(REAL, PLAYED);
                Swapchain chain = rig.swapchain(FOUR.withMaximumFrameLatency(1))) {
            assertThat(rig.frame(chain)).isTrue();
            display.answer = KHRSurface.VK_ERROR_SURFACE_LOST_KHR;
            assertThat(chain.acquire(ValidatedDevice.LONG).status()).isEqualTo(SwapchainStatus.SURFACE_LOST);
        }
    }

    @Test
    void aDeviceThatIsLostMeanwhileIsAnException() {
        try (Rig rig = new Rig(REAL, PLAYED);
                Swapchain chain = rig.swapchain(FOUR.withMaximumFrameLatency(1))) {
            assertThat(rig.frame(chain)).isTrue();
            display.answer = VK13.VK_ERROR_DEVICE_LOST;
            assertThatThrownBy(() -> chain.acquire(ValidatedDevice.LONG)).isInstanceOf(DeviceLostException.class);
        }
    }

    /** Without reports the number of images is the limit, as far as the surface allows. */
    @Test
    void withoutReportsTheImagesAreFew() {
        try (Rig rig = new Rig(Set.of(), Set.of())) {
            int least = rig.surface.support().minImages();
            try (Swapchain chain = rig.swapchain(FOUR.withImages(least + 3).withMaximumFrameLatency(least + 1))) {
                assumeTrue(!chain.reportsDisplay(), "the driver has VK_KHR_present_wait");
                assertThat(chain.imageCount()).isEqualTo(least + 2);
                for (int i = 0; i < 5; i++) {
                    rig.present(chain, chain.acquire(ValidatedDevice.LONG).requireImage());
                }
            }
            try (Swapchain chain = rig.swapchain(FOUR.withMaximumFrameLatency(1))) {
                assertThat(chain.imageCount()).isEqualTo(Math.max(least, 2));
            }
            assertThat(display.ids).isEmpty();
        }
    }

    @Test
    void theDisplayIsToldOfThePicturesAgainAfterARecreation() {
        try (Rig rig = new Rig(REAL, PLAYED);
                Swapchain chain = rig.swapchain(FOUR)) {
            HdrMetadata metadata = new HdrMetadata(HdrMetadata.Primaries.BT2020, 1000, 0.01f, 800, 400);
            assertThat(chain.setHdrMetadata(metadata)).isTrue();
            assertThat(display.values).containsExactly(1000f, 0.01f, 800f, 400f, 0.708f, 0.046f, 0.329f);
            assertThat(chain.recreate(WIDTH, HEIGHT)).isEqualTo(SwapchainStatus.OK);
            assertThat(display.described).hasSize(2).doesNotHaveDuplicates();
        }
    }

    @Test
    void aDeviceWithoutMetadataSaysSo() {
        try (Rig rig = new Rig(Set.of(EXTHdrMetadata.VK_EXT_HDR_METADATA_EXTENSION_NAME), Set.of());
                Swapchain chain = rig.swapchain(FOUR)) {
            assertThat(chain.setHdrMetadata(new HdrMetadata(HdrMetadata.Primaries.BT709, 100, 0, 0, 0)))
                    .isFalse();
            assertThat(display.described).isEmpty();
        }
    }

    /** Each colour space that the surface offers makes a swapchain that shows frames; sRGB is always among them. */
    @Test
    void everyOfferedColourSpaceShowsFrames() {
        try (Rig rig = new Rig(Set.of(), Set.of())) {
            List<SurfaceFormat> offered = rig.surface.support().formats();
            assertThat(offered).extracting(SurfaceFormat::colorSpace).contains(ColorSpace.SRGB);
            for (SurfaceFormat format : offered) {
                try (Swapchain chain = rig.swapchain(FOUR.withFormats(format))) {
                    assertThat(chain.format()).isEqualTo(format.format());
                    assertThat(chain.colorSpace()).isEqualTo(format.colorSpace());
                    assertThat(rig.frame(chain)).isTrue();
                }
            }
        }
    }

    /** A fence says when presentations are over, so recreating waits for no queue, and the old images go then. */
    @Test
    void replacedImagesGoWhenTheirPresentationsAreOver() {
        ValidatedDevice.assumeDriver(Capability.SWAPCHAIN_MAINTENANCE);
        try (Rig rig = new Rig(Set.of(), Set.of(), Capability.SWAPCHAIN_MAINTENANCE);
                Swapchain chain = rig.swapchain(FOUR)) {
            assertThat(rig.frame(chain)).isTrue();
            display.presenting = true;
            display.idleWaits = 0;
            assertThat(chain.recreate(WIDTH, HEIGHT)).isEqualTo(SwapchainStatus.OK);
            assertThat(display.idleWaits).isZero();
            int asked = display.fenceWaits;
            Swapchain.Acquisition first = chain.acquire(ValidatedDevice.LONG);
            assertThat(display.fenceWaits)
                    .as("the old images are still presented")
                    .isGreaterThan(asked);
            display.presenting = false;
            SwapchainImage second = chain.acquire(ValidatedDevice.LONG).requireImage();
            asked = display.fenceWaits;
            rig.present(chain, second);
            assertThat(display.fenceWaits).as("the old images are gone").isEqualTo(asked);
            rig.present(chain, first.requireImage());
        }
    }

    /** Nobody asks for what is never over more often than there is time: closing ends, and as without fences. */
    @Test
    void closingDoesNotWaitForeverForThePresentations() {
        ValidatedDevice.assumeDriver(Capability.SWAPCHAIN_MAINTENANCE);
        try (Rig rig = new Rig(Set.of(), Set.of(), Capability.SWAPCHAIN_MAINTENANCE)) {
            try (Swapchain chain = rig.swapchain(FOUR)) {
                assertThat(rig.frame(chain)).isTrue();
                display.presenting = true;
            }
            display.presenting = false;
        }
    }

    @Test
    void withoutFencesTheQueueIsWaitedFor() {
        try (Rig rig = new Rig(Set.of(MAINTENANCE), Set.of());
                Swapchain chain = rig.swapchain(FOUR)) {
            assertThat(fences(rig)).isFalse();
            assertThat(rig.frame(chain)).isTrue();
            display.idleWaits = 0;
            assertThat(chain.recreate(WIDTH, HEIGHT)).isEqualTo(SwapchainStatus.OK);
            assertThat(display.idleWaits).isPositive();
        }
    }

    private static boolean fences(Rig rig) {
        return rig.device.capabilities().has(Capability.SWAPCHAIN_MAINTENANCE);
    }
}
