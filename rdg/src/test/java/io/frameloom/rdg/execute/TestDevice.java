package io.frameloom.rdg.execute;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;

/** The devices that a scenario runs on; on each of them the hazard checker watches. */
enum TestDevice {
    /** The virtual GPU with one queue. */
    VIRTUAL,
    /** The virtual GPU with three queues. */
    VIRTUAL_QUEUES,
    /** A Vulkan driver with validation and synchronization validation; skipped where there is none. */
    VULKAN;

    private static final long SEED = 5;

    void run(Consumer<DeviceRig> scenario) {
        run(FrameExecutorOptions.defaults(), scenario);
    }

    void run(FrameExecutorOptions options, Consumer<DeviceRig> scenario) {
        run(options, RdgDiagnostics.none(), scenario);
    }

    void run(RdgDiagnostics diagnostics, Consumer<DeviceRig> scenario) {
        run(FrameExecutorOptions.defaults(), diagnostics, scenario);
    }

    private void run(FrameExecutorOptions options, RdgDiagnostics diagnostics, Consumer<DeviceRig> scenario) {
        if (this == VULKAN) {
            String reason = VulkanDevices.unavailableReason();
            Assumptions.assumeTrue(reason.isEmpty(), reason);
        }
        try (DeviceRig rig = rig(options, diagnostics)) {
            scenario.accept(rig);
            rig.assertClean();
        }
    }

    /** Returns the device for a scenario that is not right. */
    DeviceRig rig() {
        return rig(FrameExecutorOptions.defaults(), RdgDiagnostics.none());
    }

    private DeviceRig rig(FrameExecutorOptions options, RdgDiagnostics diagnostics) {
        RdgOptions compile =
                RdgOptions.defaults().withPassLimits(1, 2).withDebug(true).withDiagnostics(diagnostics);
        return new DeviceRig(2, options, compile, this == VULKAN, this::open);
    }

    /** Returns a device that has a capability on; the test is skipped by name where none has it. */
    DeviceRig rig(RdgOptions compile, Capability needed) {
        if (this == VULKAN) {
            assumeAny(needed);
        }
        return new DeviceRig(
                2, FrameExecutorOptions.defaults(), compile, this == VULKAN, options -> open(options.require(needed)));
    }

    /** Skips the test where no device of a Vulkan driver has a capability. */
    static void assumeAny(Capability needed) {
        String reason = VulkanDevices.unavailableReason();
        Assumptions.assumeTrue(reason.isEmpty(), reason);
        Assumptions.assumeTrue(
                VulkanDevices.list().stream()
                        .anyMatch(device -> device.capabilities().contains(needed)),
                "no device has " + needed);
    }

    GpuDevice open(DeviceOptions options) {
        return switch (this) {
            case VIRTUAL -> VirtualDevices.open(new VirtualGpuOptions(1, SEED), options);
            case VIRTUAL_QUEUES -> VirtualDevices.open(new VirtualGpuOptions(3, SEED), options);
            case VULKAN -> VulkanDevices.open("", options);
        };
    }
}
