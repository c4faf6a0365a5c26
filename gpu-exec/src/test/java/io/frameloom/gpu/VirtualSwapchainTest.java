package io.frameloom.gpu;

import static io.frameloom.gpu.SurfaceRig.HEIGHT;
import static io.frameloom.gpu.SurfaceRig.LONG;
import static io.frameloom.gpu.SurfaceRig.WIDTH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.error.SurfaceLostException;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.virtual.SurfaceFault;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.virtual.VirtualSurface;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What only the virtual swapchain can show: its pictures, and what happens to a surface on demand. */
@Timeout(60)
class VirtualSwapchainTest {
    private static final SwapchainDescription LINEAR = SurfaceRig.WISHED.withFormats(Format.R8G8B8A8_UNORM);

    private static ClearColor red(int step) {
        return new ClearColor(step / 255f, 0, 0, 1);
    }

    private static VirtualGpuOptions fault(SwapchainStatus status, long presentation) {
        return new VirtualGpuOptions(2, 1).withSurfaceFault(new SurfaceFault(status, presentation));
    }

    /** Whatever order the virtual GPU picks, every picture reaches the surface whole and in turn. */
    @Test
    void everyPictureArrivesWholeUnderAnyOrder() {
        for (long seed = 1; seed <= 30; seed++) {
            try (SurfaceRig rig = SurfaceRig.virtual(new VirtualGpuOptions(2, seed));
                    Swapchain chain = rig.device.createSwapchain("chain", rig.surface, LINEAR)) {
                List<VirtualSurface.Presented> all = Collections.synchronizedList(new ArrayList<>());
                rig.virtualSurface().onPresented(all::add);
                for (int i = 1; i <= 9; i++) {
                    SwapchainImage image = chain.acquire(LONG).requireImage();
                    rig.render(image, red(i));
                    assertThat(chain.present(image)).isEqualTo(SwapchainStatus.OK);
                }
                assertThat(rig.virtualSurface().newest()).isSameAs(all.get(8));
                for (int i = 1; i <= 9; i++) {
                    VirtualSurface.Presented shown = all.get(i - 1);
                    assertThat(shown.number()).as("seed %d", seed).isEqualTo(i);
                    assertThat(shown.width()).isEqualTo(WIDTH);
                    assertThat(shown.height()).isEqualTo(HEIGHT);
                    assertThat(shown.format()).isEqualTo(Format.R8G8B8A8_UNORM);
                    assertAll(shown.texels(), i);
                }
            }
        }
    }

    private static void assertAll(ByteBuffer texels, int red) {
        assertThat(texels.remaining()).isEqualTo(WIDTH * HEIGHT * 4);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            assertThat(texels.get(4 * i)).isEqualTo((byte) red);
        }
    }

    /** Returns the statuses of so many frames, each answered by its acquisition or by its presentation. */
    private static List<SwapchainStatus> statuses(SurfaceRig rig, Swapchain chain, int frames) {
        List<SwapchainStatus> all = new ArrayList<>();
        for (int i = 0; i < frames; i++) {
            Swapchain.Acquisition acquisition = chain.acquire(LONG);
            if (acquisition.status().succeeded()) {
                SwapchainImage image = acquisition.requireImage();
                rig.render(image, red(i));
                all.add(chain.present(image));
            } else {
                all.add(acquisition.status());
            }
        }
        return all;
    }

    @Test
    void aSurfaceIsLostAtThePresentationThatTheOptionsName() {
        try (SurfaceRig rig = SurfaceRig.virtual(fault(SwapchainStatus.SURFACE_LOST, 3));
                Swapchain chain = rig.swapchain()) {
            assertThat(statuses(rig, chain, 4))
                    .containsExactly(
                            SwapchainStatus.OK,
                            SwapchainStatus.OK,
                            SwapchainStatus.SURFACE_LOST,
                            SwapchainStatus.SURFACE_LOST);
            assertThat(chain.recreate(WIDTH, HEIGHT)).isEqualTo(SwapchainStatus.SURFACE_LOST);
            assertThat(chain.imageCount()).isZero();
            assertThatThrownBy(rig.surface::support).isInstanceOf(SurfaceLostException.class);
        }
    }

    @Test
    void anotherSurfaceTakesThePlaceOfALostOne() {
        try (SurfaceRig rig = SurfaceRig.virtual(fault(SwapchainStatus.SURFACE_LOST, 1))) {
            try (Swapchain chain = rig.swapchain()) {
                assertThat(statuses(rig, chain, 1)).containsExactly(SwapchainStatus.SURFACE_LOST);
            }
            assertThatThrownBy(rig::swapchain).isInstanceOf(SurfaceLostException.class);
            try (Surface next = rig.device.createHeadlessSurface("next", WIDTH, HEIGHT);
                    Swapchain chain = rig.device.createSwapchain("next", next, SurfaceRig.WISHED)) {
                assertThat(statuses(rig, chain, 3)).containsOnly(SwapchainStatus.OK);
            }
        }
    }

    @Test
    void outOfDateLastsUntilRecreation() {
        try (SurfaceRig rig = SurfaceRig.virtual(fault(SwapchainStatus.OUT_OF_DATE, 2));
                Swapchain chain = rig.swapchain()) {
            assertThat(statuses(rig, chain, 3))
                    .containsExactly(SwapchainStatus.OK, SwapchainStatus.OUT_OF_DATE, SwapchainStatus.OUT_OF_DATE);
            assertThat(chain.recreate(WIDTH, HEIGHT)).isEqualTo(SwapchainStatus.OK);
            assertThat(statuses(rig, chain, 3)).containsOnly(SwapchainStatus.OK);
        }
    }

    @Test
    void suboptimalChangesNothing() {
        try (SurfaceRig rig = SurfaceRig.virtual(fault(SwapchainStatus.SUBOPTIMAL, 2));
                Swapchain chain = rig.swapchain()) {
            assertThat(statuses(rig, chain, 3))
                    .containsExactly(SwapchainStatus.OK, SwapchainStatus.SUBOPTIMAL, SwapchainStatus.OK);
            assertThat(Objects.requireNonNull(rig.virtualSurface().newest()).number())
                    .isEqualTo(3);
        }
    }

    @Test
    void aMinimisedWindowHasNoImages() {
        try (SurfaceRig rig = SurfaceRig.virtual(new VirtualGpuOptions(1, 1))) {
            rig.resize(0, 0);
            try (Swapchain chain = rig.swapchain()) {
                assertThat(chain.imageCount()).isZero();
                assertThat(chain.acquire(LONG).status()).isEqualTo(SwapchainStatus.MINIMIZED);
                assertThat(chain.recreate(WIDTH, HEIGHT)).isEqualTo(SwapchainStatus.MINIMIZED);
                rig.resize(WIDTH, HEIGHT);
                assertThat(chain.recreate(WIDTH, HEIGHT)).isEqualTo(SwapchainStatus.OK);
                assertThat(statuses(rig, chain, 2)).containsOnly(SwapchainStatus.OK);
            }
        }
    }

    /** A lost device fails every call and hinders no close. */
    @Test
    void aLostDeviceIsAnExceptionAndEverythingCloses() {
        for (int loseAt = 1; loseAt <= 4; loseAt++) {
            try (SurfaceRig rig = SurfaceRig.virtual(new VirtualGpuOptions(2, 1).withLossAt(loseAt));
                    Swapchain chain = rig.swapchain()) {
                assertThatThrownBy(() -> {
                            statuses(rig, chain, 5);
                            rig.device.waitIdle();
                        })
                        .isInstanceOf(DeviceLostException.class);
                assertThatThrownBy(() -> chain.acquire(LONG)).isInstanceOf(DeviceLostException.class);
                assertThatThrownBy(() -> chain.recreate(1, 1)).isInstanceOf(DeviceLostException.class);
            }
        }
    }

    /** Whatever ends a wait for an image ends it at once, not with its timeout. */
    @Test
    void aWaitForAnImageEndsWithTheDevice() throws Exception {
        try (SurfaceRig rig = SurfaceRig.virtual(new VirtualGpuOptions(2, 1).withLossAt(1));
                Swapchain chain = rig.swapchain()) {
            FutureTask<SwapchainStatus> waiting = waitForAnImage(chain);
            rig.queue.submit(new Submission("loses the device", List.of(), List.of()));
            assertThatThrownBy(waiting::get).hasCauseInstanceOf(DeviceLostException.class);
        }
    }

    @Test
    void aWaitForAnImageEndsWithTheSurface() throws Exception {
        try (SurfaceRig rig = SurfaceRig.virtual(new VirtualGpuOptions(2, 1));
                Swapchain chain = rig.swapchain()) {
            FutureTask<SwapchainStatus> waiting = waitForAnImage(chain);
            rig.resize(WIDTH + 1, HEIGHT);
            assertThat(waiting.get()).isEqualTo(SwapchainStatus.OUT_OF_DATE);
            chain.recreate(WIDTH, HEIGHT);
            waiting = waitForAnImage(chain);
            rig.lose();
            assertThat(waiting.get()).isEqualTo(SwapchainStatus.SURFACE_LOST);
        }
    }

    /** Takes all images and returns what a thread gets that waits for one more; it waits. */
    private static FutureTask<SwapchainStatus> waitForAnImage(Swapchain chain) {
        for (int i = 0; i < chain.imageCount(); i++) {
            assertThat(chain.acquire(LONG).status()).isEqualTo(SwapchainStatus.OK);
        }
        FutureTask<SwapchainStatus> waiting =
                new FutureTask<>(() -> chain.acquire(Duration.ofDays(1)).status());
        Thread thread = new Thread(waiting, "waits for an image");
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return waiting;
    }

    /** Creation that finds no memory leaves nothing behind, and the surface free. */
    @Test
    void aSwapchainThatFindsNoMemoryLeavesNothing() {
        for (int allocation = 1; allocation <= 3; allocation++) {
            try (SurfaceRig rig = SurfaceRig.virtual(new VirtualGpuOptions(1, 1).withOutOfMemoryAt(allocation))) {
                assertThatThrownBy(rig::swapchain).isInstanceOf(GpuOutOfMemoryException.class);
                try (Swapchain chain = rig.swapchain()) {
                    assertThat(statuses(rig, chain, 1)).containsExactly(SwapchainStatus.OK);
                }
            }
        }
    }

    /** After a recreation without memory there are no images, and another one may succeed. */
    @Test
    void aRecreationThatFindsNoMemoryMayBeTriedAgain() {
        try (SurfaceRig rig = SurfaceRig.virtual(new VirtualGpuOptions(1, 1).withOutOfMemoryAt(5));
                Swapchain chain = rig.swapchain()) {
            assertThatThrownBy(() -> chain.recreate(1, 1)).isInstanceOf(GpuOutOfMemoryException.class);
            assertThat(chain.imageCount()).isZero();
            assertThat(chain.acquire(LONG).status()).isEqualTo(SwapchainStatus.OUT_OF_DATE);
            assertThat(chain.recreate(1, 1)).isEqualTo(SwapchainStatus.OK);
            assertThat(statuses(rig, chain, 2)).containsOnly(SwapchainStatus.OK);
        }
    }
}
