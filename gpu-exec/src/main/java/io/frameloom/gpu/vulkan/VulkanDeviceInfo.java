package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceKind;
import java.util.Set;

/**
 * A Vulkan device that is present on this machine.
 *
 * @param name name, which several devices may have
 * @param apiVersion Vulkan version, such as {@code 1.3.230}
 * @param usable whether it has everything that Frameloom needs
 * @param missing what it lacks, empty if usable
 * @param index place in the order in which the driver's loader lists the devices, from 0 on; -1 for a device that an
 *     engine has chosen
 * @param uuid the device's UUID as 32 hexadecimal digits, the same after a restart; empty if it has none, before Vulkan
 *     1.1
 * @param pciAddress domain, bus, device and function, such as {@code 0000:01:00.0}; empty if the driver does not say
 * @param capabilities what it has beyond what Frameloom needs, to be turned on by {@link
 *     io.frameloom.gpu.DeviceOptions#require}
 */
public record VulkanDeviceInfo(
        String name,
        DeviceKind kind,
        String apiVersion,
        boolean usable,
        String missing,
        int index,
        String uuid,
        String pciAddress,
        Set<Capability> capabilities) {
    public VulkanDeviceInfo {
        capabilities = Set.copyOf(capabilities);
    }
}
