package io.frameloom.gpu;

import static io.frameloom.gpu.SurfaceRig.HEIGHT;
import static io.frameloom.gpu.SurfaceRig.LONG;
import static io.frameloom.gpu.SurfaceRig.WIDTH;
import static io.frameloom.gpu.SurfaceRig.WISHED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.SurfaceLostException;
import io.frameloom.gpu.present.PresentMode;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for swapchains of every backend. */
@Timeout(60)
class SwapchainContractTest {
    private static final ClearColor GREEN = new ClearColor(0, 1, 0, 1);
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();

    private static SwapchainStatus frame(SurfaceRig rig, Swapchain chain) {
        Swapchain.Acquisition acquisition = chain.acquire(LONG);
        if (!acquisition.status().succeeded()) {
            return acquisition.status();
        }
        SwapchainImage image = acquisition.requireImage();
        rig.render(image, GREEN);
        SwapchainStatus presented = chain.present(image);
        return presented == SwapchainStatus.OK ? acquisition.status() : presented;
    }

    @ParameterizedTest
    @EnumSource
    void framesGoRoundOverAllImages(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend);
                Swapchain chain = rig.swapchain()) {
            assertThat(chain.imageCount()).isGreaterThanOrEqualTo(3);
            assertThat(chain.width()).isEqualTo(WIDTH);
            assertThat(chain.height()).isEqualTo(HEIGHT);
            assertThat(chain.format()).isIn(Format.B8G8R8A8_SRGB, Format.R8G8B8A8_SRGB);
            assertThat(chain.presentMode()).isEqualTo(PresentMode.FIFO);
            assertThat(chain.presentQueue()).isEqualTo(rig.queue);
            Set<Texture> textures = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                SwapchainImage image = chain.acquire(LONG).requireImage();
                textures.add(image.texture());
                assertThat(image.index()).isBetween(0, chain.imageCount() - 1);
                assertThat(image.swapchain()).isSameAs(chain);
                assertThat(image.texture().isSwapchainImage()).isTrue();
                assertThat(image.texture().description().width()).isEqualTo(WIDTH);
                rig.render(image, GREEN);
                assertThat(chain.present(image)).isEqualTo(SwapchainStatus.OK);
            }
            // A driver may give the same image again and again as long as it is free.
            assertThat(textures)
                    .hasSizeBetween(backend == Backend.VIRTUAL ? chain.imageCount() : 1, chain.imageCount());
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneSubmissionMayWaitAndALaterOneSignal(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend);
                Swapchain chain = rig.swapchain()) {
            for (int i = 0; i < 6; i++) {
                SwapchainImage image = chain.acquire(LONG).requireImage();
                TimelinePoint early = rig.queue.submit(new Submission("wait", List.of(), List.of())
                        .presenting(List.of(new Submission.Acquire(image, ALL)), List.of()));
                TimelinePoint rendered = rig.submit(
                        image, GREEN, new Submission("render", List.of(), List.of(new Submission.Wait(early, ALL))));
                rig.queue.submit(new Submission("signal", List.of(), List.of(new Submission.Wait(rendered, ALL)))
                        .presenting(List.of(), List.of(image)));
                assertThat(chain.present(image)).isEqualTo(SwapchainStatus.OK);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anotherExtentComesWithRecreation(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend);
                Swapchain chain = rig.swapchain()) {
            assertThat(frame(rig, chain)).isEqualTo(SwapchainStatus.OK);
            for (int round = 1; round <= 4; round++) {
                int width = WIDTH + 16 * round;
                rig.resize(width, HEIGHT);
                SwapchainStatus status = SwapchainStatus.OK;
                for (int i = 0; i < 200 && status == SwapchainStatus.OK; i++) {
                    status = frame(rig, chain);
                }
                assertThat(status).isIn(SwapchainStatus.OUT_OF_DATE, SwapchainStatus.SUBOPTIMAL);
                assertThat(chain.recreate(1, 1)).isEqualTo(SwapchainStatus.OK);
                assertThat(chain.width()).isEqualTo(width);
                assertThat(chain.height()).isEqualTo(HEIGHT);
                assertThat(frame(rig, chain)).isEqualTo(SwapchainStatus.OK);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void acquisitionTimesOutWhileAllImagesAreHeld(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend);
                Swapchain chain = rig.swapchain()) {
            List<SwapchainImage> held = allImages(chain);
            assertThat(held).hasSize(chain.imageCount());
            Swapchain.Acquisition none = chain.acquire(Duration.ofMillis(5));
            assertThat(none.status()).isEqualTo(SwapchainStatus.TIMEOUT);
            assertThatThrownBy(none::requireImage)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("TIMEOUT");
            for (SwapchainImage image : held) {
                rig.render(image, GREEN);
                assertThat(chain.present(image)).isEqualTo(SwapchainStatus.OK);
            }
            assertThat(frame(rig, chain)).isEqualTo(SwapchainStatus.OK);
        }
    }

    private static List<SwapchainImage> allImages(Swapchain chain) {
        List<SwapchainImage> held = new ArrayList<>();
        for (int i = 0; i < chain.imageCount(); i++) {
            held.add(chain.acquire(LONG).requireImage());
        }
        return held;
    }

    @ParameterizedTest
    @EnumSource
    void aWaitForAnImageEndsWhenAnotherThreadPresentsOne(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend);
                Swapchain chain = rig.swapchain()) {
            List<SwapchainImage> held = allImages(chain);
            CompletableFuture<Swapchain.Acquisition> next = CompletableFuture.supplyAsync(() -> chain.acquire(LONG));
            for (SwapchainImage image : held) {
                rig.render(image, GREEN);
                assertThat(chain.present(image)).isEqualTo(SwapchainStatus.OK);
            }
            assertThat(next.join().status()).isEqualTo(SwapchainStatus.OK);
        }
    }

    @ParameterizedTest
    @EnumSource
    void closingAndRecreatingTakeBackImagesInAnyState(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend)) {
            Swapchain chain = rig.swapchain();
            for (int round = 0; round < 3; round++) {
                List<SwapchainImage> held = allImages(chain);
                rig.queue.submit(new Submission("wait alone", List.of(), List.of())
                        .presenting(List.of(new Submission.Acquire(held.get(1), ALL)), List.of()));
                rig.render(held.get(2), GREEN);
                if (round == 2) {
                    break;
                }
                assertThat(chain.recreate(1, 1)).isEqualTo(SwapchainStatus.OK);
                assertThatThrownBy(() -> chain.present(held.get(2)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("taken back");
                assertThatThrownBy(() -> rig.render(held.get(0), GREEN))
                        .isInstanceOfAny(IllegalStateException.class, IllegalArgumentException.class);
            }
            chain.close();
            chain.close();
            assertThat(chain.isClosed()).isTrue();
            assertThatThrownBy(() -> chain.acquire(Duration.ZERO))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'chain'")
                    .hasMessageContaining("closed");
            try (Swapchain another = rig.swapchain()) {
                assertThat(frame(rig, another)).isEqualTo(SwapchainStatus.OK);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyStepIsTakenOnceAndInOrder(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend);
                Swapchain chain = rig.swapchain()) {
            SwapchainImage image = chain.acquire(LONG).requireImage();
            Submission.Acquire acquire = new Submission.Acquire(image, ALL);
            refused(() -> chain.present(image), "acquired");
            refused(
                    () -> rig.queue.submit(
                            new Submission("too early", List.of(), List.of()).presenting(List.of(), List.of(image))),
                    "'too early'");
            rig.render(image, GREEN);
            refused(
                    () -> rig.queue.submit(
                            new Submission("again", List.of(), List.of()).presenting(List.of(acquire), List.of())),
                    "'again'");
            assertThat(chain.present(image)).isEqualTo(SwapchainStatus.OK);
            refused(() -> chain.present(image), "was presented");
            refused(
                    () -> rig.queue.submit(
                            new Submission("late", List.of(), List.of()).presenting(List.of(), List.of(image))),
                    "'late'");
            refused(() -> image.texture().close(), "swapchain");
        }
    }

    /** A submission that is refused for one image leaves the others as they were. */
    @ParameterizedTest
    @EnumSource
    void aRefusedSubmissionTakesNoStep(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend);
                Swapchain chain = rig.swapchain()) {
            SwapchainImage first = chain.acquire(LONG).requireImage();
            SwapchainImage second = chain.acquire(LONG).requireImage();
            refused(
                    () -> rig.queue.submit(new Submission("half", List.of(), List.of())
                            .presenting(List.of(new Submission.Acquire(first, ALL)), List.of(first, second))),
                    "image " + second.index());
            for (SwapchainImage image : List.of(first, second)) {
                rig.render(image, GREEN);
                assertThat(chain.present(image)).isEqualTo(SwapchainStatus.OK);
            }
        }
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable action, String words) {
        assertThatThrownBy(action).isInstanceOf(IllegalStateException.class).hasMessageContaining(words);
    }

    @ParameterizedTest
    @EnumSource
    void aSurfaceHasOneSwapchainAndOutlivesIt(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend);
                Swapchain chain = rig.swapchain()) {
            refused(rig::swapchain, "'chain'");
            refused(() -> rig.surface.close(), "'chain'");
            assertThat(chain.surface()).isSameAs(rig.surface);
        }
    }

    @ParameterizedTest
    @EnumSource
    void wishesGiveWayAndNeedsDoNot(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend)) {
            SwapchainDescription odd = WISHED.withFormats(Format.R32_SFLOAT, Format.B8G8R8A8_UNORM)
                    .withPresentModes(PresentMode.MAILBOX, PresentMode.FIFO)
                    .withImages(1);
            try (Swapchain chain = rig.device.createSwapchain("odd", rig.surface, odd)) {
                assertThat(chain.format()).isEqualTo(Format.B8G8R8A8_UNORM);
                assertThat(rig.surface.support().presentModes()).contains(chain.presentMode());
                assertThat(chain.imageCount())
                        .isGreaterThanOrEqualTo(rig.surface.support().minImages());
                assertThat(frame(rig, chain)).isEqualTo(SwapchainStatus.OK);
            }
            assertThatThrownBy(() -> rig.device.createSwapchain(
                            "deep", rig.surface, WISHED.withUsages(TextureUsage.DEPTH_ATTACHMENT)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'deep'")
                    .hasMessageContaining("DEPTH_ATTACHMENT");
            try (Swapchain chain = rig.swapchain()) {
                assertThat(frame(rig, chain)).isEqualTo(SwapchainStatus.OK);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void surfacesAndImagesOfOtherDevicesAreRefused(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend);
                SurfaceRig other = SurfaceRig.open(backend);
                Swapchain chain = rig.swapchain();
                Swapchain foreign = other.swapchain()) {
            assertThatThrownBy(() -> rig.device.createSwapchain("stolen", other.surface, WISHED))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another device");
            SwapchainImage image = foreign.acquire(LONG).requireImage();
            assertThatThrownBy(() -> chain.present(image)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> rig.queue.submit(new Submission("stolen", List.of(), List.of())
                            .presenting(List.of(new Submission.Acquire(image, ALL)), List.of())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another device");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLostSurfaceIsAStatusAndTheDeviceWorksOn(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend);
                Swapchain chain = rig.swapchain()) {
            assertThat(frame(rig, chain)).isEqualTo(SwapchainStatus.OK);
            rig.lose();
            SwapchainStatus status = SwapchainStatus.OK;
            for (int i = 0; i < 200 && status.succeeded(); i++) {
                status = frame(rig, chain);
            }
            // A driver may find out only when it is asked for a new swapchain.
            if (status != SwapchainStatus.SURFACE_LOST) {
                assertThat(status).isEqualTo(SwapchainStatus.OUT_OF_DATE);
                assertThat(chain.recreate(WIDTH, HEIGHT)).isEqualTo(SwapchainStatus.SURFACE_LOST);
            }
            assertThat(chain.acquire(LONG).status()).isEqualTo(SwapchainStatus.SURFACE_LOST);
            assertThatThrownBy(rig.surface::support)
                    .isInstanceOf(SurfaceLostException.class)
                    .hasMessageContaining("'window'");
            TimelinePoint alive = rig.queue.submit(new Submission("alive", List.of(), List.of()));
            assertThat(rig.queue.timeline().await(alive.value(), LONG)).isTrue();
        }
    }

    /** Everything that is asked of a closed swapchain is refused in the same words, and what it was is still told. */
    @ParameterizedTest
    @EnumSource
    void aClosedSwapchainRefusesEverything(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend)) {
            Swapchain chain = rig.swapchain();
            SwapchainImage image = chain.acquire(LONG).requireImage();
            rig.render(image, GREEN);
            chain.close();
            refused(() -> chain.acquire(Duration.ZERO), "swapchain 'chain' is acquired from after it was closed");
            refused(() -> chain.present(image), "swapchain 'chain' is presented to after it was closed");
            refused(() -> chain.recreate(1, 1), "swapchain 'chain' is recreated as after it was closed");
            assertThat(chain.imageCount()).isZero();
            assertThat(chain.width()).isEqualTo(WIDTH);
        }
    }

    /** Closing ends the waits of other threads instead of leaving them to their timeouts. */
    @ParameterizedTest
    @EnumSource
    void aWaitForAnImageEndsWhenAnotherThreadCloses(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend)) {
            Swapchain chain = rig.swapchain();
            allImages(chain);
            CompletableFuture<Swapchain.Acquisition> next = CompletableFuture.supplyAsync(() -> chain.acquire(LONG));
            chain.close();
            assertThatThrownBy(next::join)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    /** A device that is closed around a swapchain says so, and whoever waits for an image goes on. */
    @ParameterizedTest
    @EnumSource
    void aWaitForAnImageEndsWhenTheDeviceIsClosed(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend)) {
            Swapchain chain = rig.swapchain();
            allImages(chain);
            CompletableFuture<Swapchain.Acquisition> next = CompletableFuture.supplyAsync(() -> chain.acquire(LONG));
            assertThatThrownBy(rig.device::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("chain");
            assertThatThrownBy(next::join)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    /** An interrupted thread waits all the same, and is interrupted when it comes back. */
    @ParameterizedTest
    @EnumSource
    void anInterruptEndsNoWait(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend);
                Swapchain chain = rig.swapchain()) {
            List<SwapchainImage> held = allImages(chain);
            CompletableFuture<Swapchain.Acquisition> next = CompletableFuture.supplyAsync(() -> {
                Thread.currentThread().interrupt();
                Swapchain.Acquisition acquisition = chain.acquire(LONG);
                assertThat(Thread.interrupted()).isTrue();
                return acquisition;
            });
            for (SwapchainImage image : held) {
                rig.render(image, GREEN);
                assertThat(chain.present(image)).isEqualTo(SwapchainStatus.OK);
            }
            assertThat(next.join().status()).isEqualTo(SwapchainStatus.OK);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTimeoutBelowZeroDoesNotWait(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend);
                Swapchain chain = rig.swapchain()) {
            allImages(chain);
            assertThat(chain.acquire(Duration.ofSeconds(-1)).status()).isEqualTo(SwapchainStatus.TIMEOUT);
        }
    }

    /** A status that is no success stays until the swapchain is recreated. */
    @ParameterizedTest
    @EnumSource
    void outOfDateStaysUntilRecreation(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend);
                Swapchain chain = rig.swapchain()) {
            rig.resize(WIDTH + 16, HEIGHT);
            SwapchainStatus status = SwapchainStatus.OK;
            for (int i = 0; i < 200 && status.succeeded(); i++) {
                status = frame(rig, chain);
            }
            // A driver may scale instead.
            if (status == SwapchainStatus.OUT_OF_DATE) {
                rig.resize(WIDTH, HEIGHT);
                assertThat(frame(rig, chain)).isEqualTo(SwapchainStatus.OUT_OF_DATE);
            }
            assertThat(chain.recreate(1, 1)).isEqualTo(SwapchainStatus.OK);
            assertThat(frame(rig, chain)).isEqualTo(SwapchainStatus.OK);
        }
    }

    /** As for every texture, whoever made it. */
    @ParameterizedTest
    @EnumSource
    void imagesAreReadWhereTheyAreAttachedIfTheDeviceCan(Backend backend) {
        try (SurfaceRig rig = SurfaceRig.open(backend)) {
            SwapchainDescription read = WISHED.withUsages(TextureUsage.COLOR_ATTACHMENT, TextureUsage.INPUT_ATTACHMENT);
            assertThatThrownBy(() -> rig.device.createSwapchain("chain", rig.surface, read))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("swapchain 'chain' for INPUT_ATTACHMENT takes"
                            + " DYNAMIC_RENDERING_LOCAL_READ, which is off in device");
            rig.swapchain().close();
        }
    }
}
