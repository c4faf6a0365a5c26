package io.frameloom.gpu.record;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;

/** The words of refusals for the lack of a capability. Stateless. */
final class CapabilityRules {
    private CapabilityRules() {}

    static String off(DeviceCapabilities device, Capability capability) {
        return capability + ", which is off in device '" + device.name()
                + "'; open the device with DeviceOptions.require or prefer";
    }
}
