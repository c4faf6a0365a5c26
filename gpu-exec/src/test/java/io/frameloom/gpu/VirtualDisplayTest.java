package io.frameloom.gpu;

import static io.frameloom.gpu.SurfaceRig.HEIGHT;
import static io.frameloom.gpu.SurfaceRig.LONG;
import static io.frameloom.gpu.SurfaceRig.WIDTH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.present.ColorSpace;
import io.frameloom.gpu.present.HdrMetadata;
import io.frameloom.gpu.present.PresentMode;
import io.frameloom.gpu.present.SurfaceFormat;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.virtual.VirtualSurface;
import io.frameloom.testing.TestEffort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When images of the virtual surface are displayed, on a clock that the test moves; and what they mean there. */
@Timeout(60)
class VirtualDisplayTest {
    private static final Duration PERIOD = Duration.ofMillis(10);
    private static final Duration HALF = PERIOD.dividedBy(2);
    private static final ClearColor RED = new ClearColor(1, 0, 0, 1);
    private static final SwapchainDescription FOUR = SurfaceRig.WISHED.withImages(4);

    private final List<VirtualSurface.Presented> displayed = Collections.synchronizedList(new ArrayList<>());

    /** Runs something with a swapchain on a display. */
    private void with(SwapchainDescription wished, long seed, Body body) {
        displayed.clear();
        try (SurfaceRig rig = SurfaceRig.virtual(new VirtualGpuOptions(2, seed))) {
            rig.virtualSurface().simulateDisplay(PERIOD);
            rig.virtualSurface().onPresented(displayed::add);
            try (Swapchain chain = rig.device.createSwapchain("chain", rig.surface, wished)) {
                body.run(rig, chain, rig.virtualSurface());
            }
        }
    }

    private interface Body {
        void run(SurfaceRig rig, Swapchain chain, VirtualSurface surface);
    }

    /** Presents a frame; returns false if there is no image now. */
    private static boolean frame(SurfaceRig rig, Swapchain chain) {
        Swapchain.Acquisition acquisition = chain.acquire(Duration.ZERO);
        if (acquisition.status() == SwapchainStatus.TIMEOUT) {
            return false;
        }
        SwapchainImage image = acquisition.requireImage();
        rig.render(image, RED);
        assertThat(chain.present(image)).isEqualTo(SwapchainStatus.OK);
        return true;
    }

    private static int frames(SurfaceRig rig, Swapchain chain) {
        int frames = 0;
        while (frame(rig, chain)) {
            frames++;
        }
        return frames;
    }

    private List<Long> numbers() {
        return displayed.stream().map(VirtualSurface.Presented::number).toList();
    }

    private List<Long> millis() {
        return displayed.stream().map(shown -> shown.nanos() / 1_000_000).toList();
    }

    @Test
    void fifoDisplaysOneImageAtEachBlankAndBlocksBetween() {
        with(FOUR, 1, (rig, chain, surface) -> {
            assertThat(frames(rig, chain)).isEqualTo(4);
            surface.advance(HALF);
            assertThat(displayed).isEmpty();
            assertThat(surface.queued()).isEqualTo(4);
            surface.advance(HALF);
            // The displayed one is not free before another one is.
            assertThat(frames(rig, chain)).isZero();
            surface.advance(PERIOD);
            assertThat(frames(rig, chain)).isEqualTo(1);
            surface.advance(PERIOD.multipliedBy(5));
            assertThat(numbers()).containsExactly(1L, 2L, 3L, 4L, 5L);
            assertThat(millis()).containsExactly(10L, 20L, 30L, 40L, 50L);
            assertThat(surface.queued()).isZero();
        });
    }

    /** No lock is held: what a listener waits for may ask the display. */
    @Test
    void aListenerMayWaitForOtherThreadsThatAskTheDisplay() {
        with(FOUR, 1, (rig, chain, surface) -> {
            surface.onPresented(presented -> {
                FutureTask<Integer> asked = new FutureTask<>(surface::queued);
                new Thread(asked, "asks").start();
                try {
                    assertThat(asked.get(20, TimeUnit.SECONDS)).isZero();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                displayed.add(presented);
            });
            assertThat(frame(rig, chain)).isTrue();
            surface.advance(PERIOD);
            assertThat(numbers()).containsExactly(1L);
        });
    }

    @Test
    void mailboxDisplaysTheNewestAndBlocksNever() {
        with(FOUR.withPresentModes(PresentMode.MAILBOX), 1, (rig, chain, surface) -> {
            for (int blank = 0; blank < 3; blank++) {
                for (int i = 0; i < 5; i++) {
                    assertThat(frame(rig, chain)).isTrue();
                    // What is rendered takes the place of what waits.
                    surface.advance(Duration.ZERO);
                    assertThat(surface.queued()).isEqualTo(1);
                }
                surface.advance(PERIOD);
            }
            assertThat(numbers()).containsExactly(5L, 10L, 15L);
            assertThat(millis()).containsExactly(10L, 20L, 30L);
        });
    }

    @Test
    void immediateDisplaysEachImageWhenItIsReady() {
        with(FOUR.withPresentModes(PresentMode.IMMEDIATE), 1, (rig, chain, surface) -> {
            for (int i = 0; i < 3; i++) {
                assertThat(frame(rig, chain)).isTrue();
                surface.advance(Duration.ofMillis(3));
            }
            assertThat(numbers()).containsExactly(1L, 2L, 3L);
            assertThat(millis()).containsExactly(0L, 3L, 6L);
        });
    }

    /** Whatever is done when, and whatever order the virtual GPU takes: the limit holds, and no image is lost. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void noMoreFramesQueueThanTheLimit(int limit) {
        int[] refused = new int[1];
        for (long seed = 1; seed <= TestEffort.of(20, 300); seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            with(FOUR.withMaximumFrameLatency(limit), seed, (rig, chain, surface) -> {
                assertThat(chain.reportsDisplay()).isTrue();
                List<SwapchainImage> held = new ArrayList<>();
                int presented = 0;
                for (int step = 0; step < 60; step++) {
                    int way = random.nextInt(3);
                    if (way == 0) {
                        Swapchain.Acquisition acquisition = chain.acquire(Duration.ZERO);
                        boolean room = held.size() + surface.queued() < limit;
                        // Nothing is displayed between: acquiring gives what the limit leaves.
                        assertThat(acquisition.status() == SwapchainStatus.OK).isEqualTo(room);
                        if (room) {
                            held.add(acquisition.requireImage());
                        } else {
                            refused[0]++;
                        }
                    } else if (way == 1 && !held.isEmpty()) {
                        SwapchainImage image = held.remove(0);
                        rig.render(image, RED);
                        assertThat(chain.present(image)).isEqualTo(SwapchainStatus.OK);
                        presented++;
                    } else {
                        surface.advance(HALF);
                    }
                    assertThat(surface.queued() + held.size()).isLessThanOrEqualTo(limit);
                }
                surface.advance(PERIOD.multipliedBy(4));
                assertThat(displayed).hasSize(presented);
                assertThat(numbers()).isSorted();
            });
        }
        assertThat(refused[0]).isPositive();
    }

    /** The age of a picture at its display, in periods: with FIFO and a fast loop it is the limit. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, SwapchainDescription.UNLIMITED})
    void picturesAreAsOldAsTheLimitAllows(int limit) {
        with(FOUR.withMaximumFrameLatency(limit), 1, (rig, chain, surface) -> {
            List<Integer> begun = new ArrayList<>();
            for (int blank = 0; blank < 12; blank++) {
                for (int frame = frames(rig, chain); frame > 0; frame--) {
                    begun.add(blank);
                }
                surface.advance(PERIOD);
            }
            for (int i = 0; i < displayed.size(); i++) {
                long age = displayed.get(i).nanos() / PERIOD.toNanos() - begun.get(i);
                // Without a limit one of four images is displayed and three wait.
                assertThat(age).isLessThanOrEqualTo(Math.min(limit, 4));
            }
            int last = displayed.size() - 1;
            assertThat(displayed.get(last).nanos() / PERIOD.toNanos() - begun.get(last))
                    .isEqualTo(Math.min(limit, 3));
        });
    }

    /** A thread that waits goes on when the display does, and at no other time. */
    @ParameterizedTest
    @ValueSource(ints = {1, SwapchainDescription.UNLIMITED})
    void aWaitForTheDisplayEndsWithABlank(int limit) {
        with(SurfaceRig.WISHED.withMaximumFrameLatency(limit), 1, (rig, chain, surface) -> {
            frames(rig, chain);
            FutureTask<SwapchainStatus> waiting =
                    new FutureTask<>(() -> chain.acquire(LONG).status());
            Thread thread = new Thread(waiting, "waits for the display");
            thread.start();
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            surface.advance(PERIOD);
            surface.advance(PERIOD);
            assertThat(done(waiting)).isEqualTo(SwapchainStatus.OK);
        });
    }

    private static <T> T done(FutureTask<T> task) {
        try {
            return task.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void recreationForgetsWhatWaits() {
        with(FOUR.withMaximumFrameLatency(2), 1, (rig, chain, surface) -> {
            assertThat(frames(rig, chain)).isEqualTo(2);
            assertThat(chain.recreate(WIDTH, HEIGHT)).isEqualTo(SwapchainStatus.OK);
            assertThat(surface.queued()).isZero();
            assertThat(frames(rig, chain)).isEqualTo(2);
            surface.advance(PERIOD.multipliedBy(3));
            assertThat(numbers()).containsExactly(3L, 4L);
        });
    }

    @Test
    void withoutADisplayNothingWaits() {
        try (SurfaceRig rig = SurfaceRig.virtual(new VirtualGpuOptions(2, 1));
                Swapchain chain = rig.device.createSwapchain("chain", rig.surface, FOUR.withMaximumFrameLatency(1))) {
            for (int i = 0; i < 6; i++) {
                assertThat(frame(rig, chain)).isTrue();
            }
            assertThat(rig.virtualSurface().queued()).isZero();
            // The frame that is not presented yet is on its way, too.
            chain.acquire(Duration.ZERO).requireImage();
            assertThat(chain.acquire(Duration.ZERO).status()).isEqualTo(SwapchainStatus.TIMEOUT);
        }
    }

    @Test
    void whatTheDisplayCannotDoIsRefused() {
        try (SurfaceRig rig = SurfaceRig.virtual(new VirtualGpuOptions(1, 1))) {
            VirtualSurface surface = rig.virtualSurface();
            refused(IllegalStateException.class, () -> surface.advance(PERIOD), "'window'", "simulate one first");
            refused(IllegalArgumentException.class, () -> surface.simulateDisplay(Duration.ZERO), "PT0S");
            surface.simulateDisplay(PERIOD);
            refused(IllegalArgumentException.class, () -> surface.advance(Duration.ofMillis(-1)), "PT-0.001S");
            try (Swapchain chain = rig.swapchain()) {
                refused(IllegalStateException.class, () -> surface.simulateDisplay(PERIOD), "'" + chain.name() + "'");
            }
            refused(IllegalArgumentException.class, () -> FOUR.withMaximumFrameLatency(0), "got a limit of 0");
        }
    }

    private static void refused(Class<? extends Throwable> type, Runnable action, String... words) {
        assertThatThrownBy(action::run).isInstanceOf(type).hasMessageContainingAll(words);
    }

    private static void swapchain(SurfaceFormat[] wished, Consumer<Swapchain> body) {
        try (SurfaceRig rig = SurfaceRig.virtual(new VirtualGpuOptions(1, 1));
                Swapchain chain =
                        rig.device.createSwapchain("chain", rig.surface, SurfaceRig.WISHED.withFormats(wished))) {
            body.accept(chain);
            assertThat(frame(rig, chain)).isTrue();
            VirtualSurface.Presented shown =
                    Objects.requireNonNull(rig.virtualSurface().newest());
            assertThat(shown.format()).isEqualTo(chain.format());
            assertThat(shown.colorSpace()).isEqualTo(chain.colorSpace());
        }
    }

    @Test
    void theFirstColourSpaceThatTheSurfaceHasIsTaken() {
        SurfaceFormat wide = new SurfaceFormat(Format.R8G8B8A8_UNORM, ColorSpace.DISPLAY_P3);
        swapchain(new SurfaceFormat[] {wide, SurfaceFormat.HDR10, SurfaceFormat.SC_RGB}, chain -> {
            assertThat(chain.format()).isEqualTo(Format.A2B10G10R10_UNORM);
            assertThat(chain.colorSpace()).isEqualTo(ColorSpace.HDR10_ST2084);
        });
        swapchain(new SurfaceFormat[] {SurfaceFormat.SC_RGB, SurfaceFormat.HDR10}, chain -> {
            assertThat(chain.format()).isEqualTo(Format.R16G16B16A16_SFLOAT);
            assertThat(chain.colorSpace()).isEqualTo(ColorSpace.EXTENDED_SRGB_LINEAR);
        });
        // Who can do with sRGB gets the surface's favourite there.
        swapchain(new SurfaceFormat[] {wide, SurfaceFormat.srgb(Format.R32_SFLOAT)}, chain -> {
            assertThat(chain.format()).isEqualTo(Format.B8G8R8A8_SRGB);
            assertThat(chain.colorSpace()).isEqualTo(ColorSpace.SRGB);
        });
    }

    /** What was rendered for another space would look wrong in sRGB. */
    @Test
    void aColourSpaceThatTheSurfaceDoesNotHaveIsRefusedWithWhatItHas() {
        SurfaceFormat wide = new SurfaceFormat(Format.R8G8B8A8_UNORM, ColorSpace.DISPLAY_P3);
        refused(
                GpuException.class,
                () -> swapchain(new SurfaceFormat[] {wide}, chain -> {}),
                "swapchain 'chain'",
                "does not have [R8G8B8A8_UNORM in DISPLAY_P3]",
                "A2B10G10R10_UNORM in HDR10_ST2084",
                "R16G16B16A16_SFLOAT in EXTENDED_SRGB_LINEAR");
    }

    @Test
    void theDisplayIsToldOfThePictures() {
        with(FOUR.withFormats(SurfaceFormat.HDR10), 1, (rig, chain, surface) -> {
            HdrMetadata metadata = new HdrMetadata(HdrMetadata.Primaries.BT2020, 1000, 0.001f, 800, 400);
            assertThat(chain.setHdrMetadata(metadata)).isTrue();
            assertThat(surface.hdrMetadata()).isEqualTo(metadata);
        });
    }

    @ParameterizedTest
    @ValueSource(floats = {0, -1, Float.NaN, Float.POSITIVE_INFINITY})
    void luminancesHaveARange(float most) {
        refused(
                IllegalArgumentException.class,
                () -> new HdrMetadata(HdrMetadata.Primaries.BT709, most, 0, 0, 0),
                "0.0 to " + most);
        if (most != 0) {
            refused(
                    IllegalArgumentException.class,
                    () -> new HdrMetadata(HdrMetadata.Primaries.BT709, 100, 0, most, 0),
                    "light levels",
                    String.valueOf(most));
        }
    }
}
