package io.frameloom.streaming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.testing.TestEffort;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frames see levels that are in memory and no others, and the budget holds. */
class TextureStreamerTest {
    private static final int FRAMES = TestEffort.of(120, 1000);
    private static final int SIZE = TestEffort.of(128, 256);

    @TempDir
    Path folder;

    private static void fly(Flight flight) {
        for (int i = 0; i < FRAMES; i++) {
            // There and back, a texture every other frame.
            int way = i / 2 % (2 * Flight.COUNT);
            flight.frame(way < Flight.COUNT ? way : 2 * Flight.COUNT - 1 - way);
            if (i % 16 == 0) {
                flight.assertWithinBudget();
            }
        }
        flight.settle(20);
        flight.settle(50);
        flight.assertWithinBudget();
        assertThat(flight.textures)
                .allSatisfy(each -> assertThat(each.failure()).isNull());
        flight.assertClean();
    }

    @Test
    void flightOnTheVirtualGpuByTheTable() {
        try (Flight flight =
                new Flight(folder, SIZE, true, options -> VirtualDevice.open(new VirtualGpuOptions(3, 7), options))) {
            fly(flight);
        }
    }

    @Test
    void flightOnVulkanByViews() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        try (Flight flight = new Flight(folder, SIZE, false, options -> VulkanDevices.open("", options))) {
            fly(flight);
        }
    }
}
