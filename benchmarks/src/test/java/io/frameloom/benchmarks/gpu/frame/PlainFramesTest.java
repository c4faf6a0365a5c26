package io.frameloom.benchmarks.gpu.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.benchmarks.gpu.plain.PlainDevice;
import io.frameloom.benchmarks.gpu.plain.PlainValidation;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lwjgl.vulkan.VK13;

/** What is compared with must be right itself: plain frames under the validation layer. */
final class PlainFramesTest {
    private static final int FRAMES = 6;

    @BeforeEach
    void assumeVulkan() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
    }

    private static VulkanDeviceInfo best() {
        return VulkanDevices.list().stream()
                .filter(VulkanDeviceInfo::usable)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void framesAreSynchronised() {
        try (PlainValidation validation = new PlainValidation()) {
            try (PlainFrames frames = new PlainFrames(new FrameShape(24, 3), best().uuid(), validation)) {
                FrameSteps.Samples samples = new FrameSteps.Samples(FRAMES);
                for (int i = 0; i < FRAMES; i++) {
                    frames.frame(samples);
                }
                assertThat(samples.medians().totalMicros()).isPositive();
                frames.finish();
            }
            assertThat(validation.messages()).isEmpty();
        }
    }

    @Test
    void whatIsWrongIsHeardOf() {
        try (PlainValidation validation = new PlainValidation()) {
            try (PlainDevice plain = new PlainDevice(best().uuid(), validation)) {
                PlainDevice.Commands commands = plain.commands();
                VK13.vkEndCommandBuffer(commands.list());
            }
            assertThat(validation.messages()).isNotEmpty();
        }
    }

    @Test
    void aDeviceIsFoundByItsUuidAndNotByAName() {
        VulkanDeviceInfo best = best();
        try (PlainDevice plain = new PlainDevice(best.uuid())) {
            assertThat(PlainDevice.uuid(plain.device().getPhysicalDevice())).isEqualTo(best.uuid());
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> new PlainDevice(best.name()))
                .withMessageContaining(best.name());
    }
}
