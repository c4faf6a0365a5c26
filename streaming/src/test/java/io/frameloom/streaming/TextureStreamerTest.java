package io.frameloom.streaming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frames see levels that are in memory and no others, and the budget holds. */
class TextureStreamerTest {
    private static final int FRAMES = TestEffort.of(12, 1000);
    private static final int MOST = 64;
    /** Fewer where each texture takes a dispatch. */
    private static final int FEWER = TestEffort.of(16, MOST);

    private static final int SIZE = TestEffort.of(128, 256);
    /** Two levels and a tail where pages have 64 KiB. */
    private static final int SPARSE_SIZE = 256;
    /** As many as have room for what is in sight at one place, whatever levels take. */
    private static final int SPARSE_COUNT = 16;

    private static final Set<Capability> TABLE = Set.of(Capability.DESCRIPTOR_INDEXING);

    @TempDir
    static Path folder;

    @BeforeAll
    static void writeFiles() throws IOException {
        Flight.write(folder, MOST, SIZE);
        Flight.write(Files.createDirectory(sparseFolder()), SPARSE_COUNT, SPARSE_SIZE);
    }

    private static Path sparseFolder() {
        return folder.resolve("sparse");
    }

    private static void assumeAny(Capability needed) {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        assumeTrue(
                VulkanDevices.list().stream()
                        .anyMatch(each -> each.capabilities().contains(needed)),
                "no device has " + needed);
    }

    private static void fly(Flight flight) {
        for (int i = 0; i < FRAMES; i++) {
            // There and back, a texture every other frame.
            int way = i / 2 % (2 * flight.count);
            flight.frame(way < flight.count ? way : 2 * flight.count - 1 - way);
            if (i % 4 == 0) {
                flight.assertWithinBudget();
            }
        }
        flight.settle(flight.count * 3 / 4);
        assertThat(flight.assertWithinBudget()).isPositive();
        assertThat(flight.textures)
                .allSatisfy(each -> assertThat(each.failure()).isNull());
        flight.assertClean();
    }

    @Test
    void flightOnTheVirtualGpuByTheTable() {
        try (Flight flight = new Flight(
                folder, MOST, SIZE, TABLE, options -> VirtualDevice.open(new VirtualGpuOptions(3, 7), options))) {
            fly(flight);
        }
    }

    @Test
    void flightOnVulkanByViews() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        try (Flight flight = new Flight(folder, FEWER, SIZE, Set.of(), options -> VulkanDevices.open("", options))) {
            fly(flight);
        }
    }

    @Test
    void sparseFlightOnTheVirtualGpuByTheTable() {
        Set<Capability> needed = Set.of(Capability.DESCRIPTOR_INDEXING, Capability.SPARSE_RESIDENCY);
        try (Flight flight = new Flight(
                sparseFolder(),
                SPARSE_COUNT,
                SPARSE_SIZE,
                needed,
                options -> VirtualDevice.open(new VirtualGpuOptions(3, 7), options))) {
            flight.settle(flight.count / 4);
            fly(flight);
        }
    }

    @Test
    void sparseFlightOnVulkanByViews() {
        assumeAny(Capability.SPARSE_RESIDENCY);
        Set<Capability> needed = Set.of(Capability.SPARSE_RESIDENCY);
        try (Flight flight = new Flight(
                sparseFolder(), SPARSE_COUNT, SPARSE_SIZE, needed, options -> VulkanDevices.open("", options))) {
            flight.settle(flight.count / 4);
            fly(flight);
        }
    }

    @Test
    @Tag("thorough")
    void flightOnVulkanByTheTable() {
        assumeAny(Capability.DESCRIPTOR_INDEXING);
        try (Flight flight = new Flight(folder, MOST, SIZE, TABLE, options -> VulkanDevices.open("", options))) {
            fly(flight);
        }
    }
}
