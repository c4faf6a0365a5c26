package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.vulkan.device.DeviceOpening;
import io.frameloom.gpu.vulkan.device.DriverDevice;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.RawExtensions;

/** Opens devices whose driver a test stands in for. */
public final class SeamedDevices {
    private SeamedDevices() {}

    public static DriverDevice open(String name, DeviceOptions options, DeviceSeams seams) {
        return DeviceOpening.open(name, options, RawExtensions.NONE, seams);
    }

    static DriverDevice open(DeviceOptions options, VulkanExtensions extensions, DeviceSeams seams) {
        return DeviceOpening.open("", options, extensions.raw(), seams);
    }

    public static DriverDevice adopt(AdoptedDevice description, DeviceOptions options, DeviceSeams seams) {
        return DeviceOpening.adopt(description.lent(), options, seams);
    }
}
