package io.frameloom.gpu;

import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;

/** The backends that a contract holds for. */
enum Backend {
    VIRTUAL,
    VULKAN;

    /** Opens a device, on Vulkan with validation; skips the test where there is no driver. */
    GpuDevice open(DeviceOptions options) {
        if (this == VIRTUAL) {
            return VirtualDevice.open(new VirtualGpuOptions(3, 1), options);
        }
        ValidatedDevice.assumeDriver();
        return VulkanDevices.open("", options.withValidation(true));
    }
}
