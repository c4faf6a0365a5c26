package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.taskgraph.TaskGraph;
import org.lwjgl.vulkan.VK13;

/**
 * A program whose driver fails a call of a function as that of a GPU that is not there does; says what it then finds, for
 * one call after the other. Run by {@link NoDeviceTest} in a JVM of its own.
 */
final class NoDeviceProbe {
    private NoDeviceProbe() {}

    /** Takes names of functions, each with the number of the call of it, from 1. */
    public static void main(String[] arguments) {
        FaultyVulkan driver = FaultyVulkan.install();
        for (int i = 0; i < arguments.length; i += 2) {
            System.out.println("fails " + arguments[i] + " " + arguments[i + 1]);
            probe(
                    driver,
                    new FaultyVulkan.Fault(
                            arguments[i], Long.parseLong(arguments[i + 1]), VK13.VK_ERROR_INITIALIZATION_FAILED));
        }
    }

    private static void probe(FaultyVulkan driver, FaultyVulkan.Fault fault) {
        Runnable arm = () -> driver.arm(fault, false);
        arm.run();
        System.out.println("list=" + VulkanDevices.list());
        arm.run();
        System.out.println("reason=" + VulkanDevices.unavailableReason());
        try (TaskGraph tasks = TaskGraph.builder().name("probe").workers(1).build()) {
            DeviceOptions options = new DeviceOptions(tasks, "probe", false, null);
            arm.run();
            try {
                VulkanDevices.open("", options).close();
            } catch (NoSuchDeviceException e) {
                System.out.println("open=" + e.getMessage());
            }
            arm.run();
            try (GpuDevice device = GpuDevices.open(new DeviceSelector.Auto(), options)) {
                System.out.println("auto=" + device.capabilities().kind());
            }
        }
        System.out.println("left=" + driver.ledger().settle());
    }
}
