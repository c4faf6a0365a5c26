package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceKind;

/**
 * A Vulkan device that is present on this machine.
 *
 * @param name name
 * @param kind kind
 * @param apiVersion Vulkan version, such as {@code 1.3.230}
 * @param usable whether it has everything that Frameloom needs
 * @param missing what it lacks, empty if usable
 */
public record VulkanDeviceInfo(String name, DeviceKind kind, String apiVersion, boolean usable, String missing) {}
