package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.vulkan.driver.DeviceClock;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.NativeQueueDriver;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class VulkanTimestampTest {
    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    @RegisterExtension
    final ValidatedDevice uncalibrated =
            new ValidatedDevice(null, new DeviceSeams(new NativeQueueDriver(), Set.of("VK_EXT_calibrated_timestamps")));

    private static void checkAgainstTheHostClock(ValidatedDevice gpu, long toleranceNanos) {
        assumeTrue(gpu.device().capabilities().timestamps(), "the device has no timestamps");
        TimestampSet stamps = gpu.own(gpu.device().createTimestampSet("stamps", 5));
        Buffer buffer =
                gpu.own(gpu.device().createBuffer("filled", BufferDescription.device(1 << 20, BufferUsage.COPY_DST)));
        for (int round = 0; round < 3; round++) {
            stamps.reset();
            assertThat(stamps.readNanos()).containsOnly(Long.MIN_VALUE);
            long before = System.nanoTime();
            gpu.execute("stamped", list -> {
                list.writeTimestamp(stamps, 0);
                list.fillBuffer(buffer, 0, 1 << 20, 1);
                list.writeTimestamp(stamps, 1);
                list.writeTimestamp(stamps, 2);
                list.writeTimestamp(stamps, 4);
            });
            long after = System.nanoTime();
            long[] nanos = stamps.readNanos();
            assertThat(nanos[0] - before).isGreaterThan(-toleranceNanos);
            assertThat(nanos[1]).isGreaterThanOrEqualTo(nanos[0]);
            assertThat(nanos[2]).isGreaterThanOrEqualTo(nanos[1]);
            assertThat(nanos[3]).isEqualTo(Long.MIN_VALUE);
            assertThat(nanos[4]).isGreaterThanOrEqualTo(nanos[2]);
            assertThat(after - nanos[4]).isGreaterThan(-toleranceNanos);
        }
    }

    @Test
    void timestampsRiseWithinTheHostsTimeOfTheSubmission() {
        checkAgainstTheHostClock(gpu, 1_000_000);
    }

    @Test
    void withoutCalibrationTheyAreRelatedByASubmissionAtTheStart() {
        checkAgainstTheHostClock(uncalibrated, 1_000_000_000);
    }

    @Test
    void indicesOutsideOfTheSetAreRefused() {
        TimestampSet stamps = gpu.own(gpu.device().createTimestampSet("two", 2));
        gpu.execute(
                "refused",
                list -> assertThatThrownBy(() -> list.writeTimestamp(stamps, 2))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'two' has 2"));
        assertThatThrownBy(() -> gpu.device().createTimestampSet("none", 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void narrowCountersWrapAround() {
        DeviceClock.Anchor anchor = new DeviceClock.Anchor(0xffff_fff0L, 1_000);
        assertThat(anchor.toNanos(0xffff_fff8L, 32, 2)).isEqualTo(1_016);
        assertThat(anchor.toNanos(0x0000_0010L, 32, 2)).isEqualTo(1_064);
        assertThat(anchor.toNanos(0xffff_ffe0L, 32, 2)).isEqualTo(968);
    }
}
