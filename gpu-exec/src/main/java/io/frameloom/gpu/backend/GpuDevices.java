package io.frameloom.gpu.backend;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import java.util.List;

/** Opens devices across the backends. Any thread. */
public final class GpuDevices {
    private static final String ANY_NAME = "";

    private GpuDevices() {}

    /**
     * Opens the device that the selector asks for. {@link DeviceSelector.Auto} takes the best usable Vulkan device, and
     * the virtual GPU where there is none; a device that is usable but cannot be opened is an error all the same.
     *
     * @throws io.frameloom.gpu.NoSuchDeviceException naming the devices present, if a name fits none of them
     * @throws io.frameloom.gpu.GpuException if the device cannot be created
     */
    public static GpuDevice open(DeviceSelector selector, DeviceOptions options) {
        if (selector instanceof DeviceSelector.Virtual virtual) {
            return openVirtual(virtual, options);
        }
        if (selector instanceof DeviceSelector.Named named) {
            return VulkanDevices.open(named.name(), options);
        }
        return VulkanDevices.unavailableReason().isEmpty()
                ? VulkanDevices.open(ANY_NAME, options)
                : openVirtual(DeviceSelector.Virtual.DEFAULT, options);
    }

    /** Lists the Vulkan devices, usable or not, best first; empty where there is no loader or no driver. */
    public static List<VulkanDeviceInfo> list() {
        return VulkanDevices.list();
    }

    private static GpuDevice openVirtual(DeviceSelector.Virtual virtual, DeviceOptions options) {
        return VirtualDevice.open(new VirtualGpuOptions(virtual.queues(), virtual.seed()), options);
    }
}
