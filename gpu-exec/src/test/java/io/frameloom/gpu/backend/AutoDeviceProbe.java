package io.frameloom.gpu.backend;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.NoSuchDeviceException;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;

/** A program that opens the automatic choice and says what it got; run by {@link GpuDevicesTest} in a JVM of its own. */
final class AutoDeviceProbe {
    private AutoDeviceProbe() {}

    public static void main(String[] arguments) {
        try (TaskGraph tasks = TaskGraph.builder().name("probe").workers(1).build()) {
            DeviceOptions options = new DeviceOptions(tasks, "probe", false, null);
            try (GpuDevice device = GpuDevices.open(new DeviceSelector.Auto(), options)) {
                System.out.println("kind=" + device.capabilities().kind());
            }
            System.out.println("reason=" + VulkanDevices.unavailableReason());
            System.out.println("list=" + GpuDevices.list());
            try {
                GpuDevices.open(new DeviceSelector.Named("anything"), options).close();
            } catch (NoSuchDeviceException e) {
                System.out.println("named=" + e.getMessage());
            }
        }
    }
}
