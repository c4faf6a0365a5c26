package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counts of looks agree with what looking back must at least do. */
@Timeout(60)
final class LookBackProfileTest {
    private static final ScanOptions LOOK_BACK = ScanOptions.of(ScanVariant.LOOK_BACK);
    private static final LookBackProbe.Waiting PATIENT =
            (timeline, value) -> timeline.await(value, Duration.ofSeconds(50));
    private static final VirtualGpuOptions LATE =
            new VirtualGpuOptions(1, 3).withOrder(VirtualGpuOptions.Order.REVERSE);

    /** One for all devices: they compile the same shaders, which takes most of the time. */
    private static final TaskGraph COMPILING =
            TaskGraph.builder().name("compiling").workers(1).build();

    private static final ProgramCache PROGRAMS = ProgramCache.open(ProgramCacheOptions.inMemory(), COMPILING);

    @AfterAll
    static void forgetPrograms() {
        PROGRAMS.close();
        COMPILING.close();
    }

    private final TaskGraph tasks =
            TaskGraph.builder().name("profile").workers(1).build();

    @AfterEach
    void close() {
        tasks.close();
    }

    private GpuDevice virtual(VirtualGpuOptions options) {
        return VirtualDevice.open(options, new DeviceOptions(tasks, "profile", false, null, PROGRAMS));
    }

    @Test
    @Tag("thorough")
    void everyTileButTheFirstLooksAtTheOneBefore() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        try (GpuDevice device = VulkanDevices.open("", DeviceOptions.of(tasks, "profile"))) {
            for (ElementType type : new ElementType[] {ElementType.U32, ElementType.U64}) {
                for (boolean segmented : TestEffort.share(List.of(false, true), type.words() - 1, 2)) {
                    ScanShape shape = ScanShape.lookBack(
                            ScanOperator.sum(type),
                            segmented,
                            ScanOptions.of(ScanVariant.LOOK_BACK),
                            device.capabilities().limits().compute());
                    int tiles = 40;
                    long length = (tiles - 1L) * shape.tile() + 1;
                    LookBackProfile profile = LookBackProfile.of(device, type, segmented, length, 3);
                    assertThat(profile.tiles()).isEqualTo(tiles);
                    // What a tile does not pass by looking it has reduced itself.
                    assertThat(profile.passed() + profile.reduced()).isBetween(tiles - 1L, tiles * (tiles - 1L) / 2);
                    assertThat(profile.turns() + profile.reduced()).isGreaterThanOrEqualTo(tiles - 1L);
                    assertThat(profile.vain()).isBetween(0L, profile.turns());
                    assertThat(profile.mostTurns()).isBetween(profile.turns() / tiles, profile.turns());
                    assertThat(profile.passed()).isLessThanOrEqualTo(profile.turns() * shape.lanes());
                }
            }
        }
    }

    @Test
    void threadsAreNotCounted() {
        try (GpuDevice device = virtual(LATE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LookBackProfile.of(
                            device, ElementType.U32, false, LOOK_BACK.withoutSubgroups(), 1000, 1, PATIENT))
                    .withMessageContainingAll("irtual", "not counted");
        }
    }

    @Test
    void whatCannotBeCountedIsRefused() {
        try (GpuDevice device = virtual(LATE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LookBackProfile.of(device, ElementType.F32, false, 1000, 1))
                    .withMessageContainingAll("F32", "rounded");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LookBackProfile.of(device, ElementType.U32, false, 0, 1))
                    .withMessageContainingAll("at least 1", "got 0 in 1");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LookBackProfile.of(device, ElementType.U32, false, 10, 0))
                    .withMessageContainingAll("at least 1", "got 10 in 0");
        }
    }

    /** Profiles on a device that cannot be closed before everything on it. */
    private void profile(VirtualGpuOptions options, int elements, LookBackProbe.Waiting waiting) {
        try (GpuDevice device = virtual(options)) {
            CountDownLatch closed = new CountDownLatch(1);
            try {
                LookBackProfile.of(telling(device, closed), ElementType.U32, true, LOOK_BACK, elements, 2, waiting);
            } catch (IllegalStateException late) {
                assertThat(closed.await(30, TimeUnit.SECONDS)).as("closed").isTrue();
                throw late;
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a device that tells when what it has recorded is closed. */
    private static GpuDevice telling(GpuDevice device, CountDownLatch closed) {
        return proxy(GpuDevice.class, device, (method, result) -> {
            if (!method.equals("createFrameContext")) {
                return result;
            }
            return proxy(FrameContext.class, (FrameContext) result, (called, returned) -> {
                if (called.equals("close")) {
                    closed.countDown();
                }
                return returned;
            });
        });
    }

    private static <T> T proxy(Class<T> type, T real, BiFunction<String, Object, Object> then) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return then.apply(method.getName(), method.invoke(real, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Test
    void aDeviceThatIsNotDoneKeepsNothingOpen() {
        assertThatIllegalStateException()
                .isThrownBy(() -> profile(LATE, 10_000, (timeline, value) -> false))
                .withMessageContainingAll("did not finish", "10000 elements", "2 minutes")
                .satisfies(late -> assertThat(late.getSuppressed()).isEmpty());
    }

    @Test
    void aLossAndALackOfMemoryKeepNothingOpen() {
        assertThatThrownBy(() -> profile(LATE.withLossAt(1), 1_000, PATIENT))
                .isInstanceOf(DeviceLostException.class)
                .satisfies(loss -> assertThat(loss.getSuppressed()).isEmpty());
        for (int allocation = 1; allocation <= 5; allocation++) {
            int refused = allocation;
            assertThatThrownBy(() -> profile(LATE.withOutOfMemoryAt(refused), 1_000, PATIENT))
                    .as("allocation %d", refused)
                    .isInstanceOf(GpuOutOfMemoryException.class)
                    .satisfies(failure -> assertThat(failure.getSuppressed()).isEmpty());
        }
        profile(LATE.withOutOfMemoryAt(6), 1_000, PATIENT);
    }
}
