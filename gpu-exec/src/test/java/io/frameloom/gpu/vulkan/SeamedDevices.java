package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceOptions;

/** Opens devices whose driver a test stands in for. */
final class SeamedDevices {
    private SeamedDevices() {}

    static DriverDevice open(String name, DeviceOptions options, DeviceSeams seams) {
        return DeviceOpening.open(name, options, seams);
    }

    static DriverDevice adopt(AdoptedDevice description, DeviceOptions options, DeviceSeams seams) {
        return DeviceOpening.adopt(description.lent(), options, seams);
    }
}
