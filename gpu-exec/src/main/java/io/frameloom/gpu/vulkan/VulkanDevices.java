package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.vulkan.device.DeviceOpening;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.RawExtensions;
import java.util.List;
import java.util.Objects;

/** The Vulkan devices of this machine. Any thread. */
public final class VulkanDevices {
    private VulkanDevices() {}

    /**
     * Lists the devices, usable or not, best first; empty where there is no loader, no driver or no device of one
     * ({@link #unavailableReason} says which).
     */
    public static List<VulkanDeviceInfo> list() {
        return DeviceOpening.list();
    }

    /** Says in one line why no device can be opened; empty if one can. */
    public static String unavailableReason() {
        return DeviceOpening.unavailableReason();
    }

    /** Describes devices in one line: the index, name, PCI address and UUID by which {@link #open} finds each. */
    public static String describe(List<VulkanDeviceInfo> devices) {
        Objects.requireNonNull(devices, "devices must not be null");
        return DeviceOpening.describe(devices);
    }

    /**
     * Opens a device.
     *
     * @param name part of the name, ignoring case; or, to choose among devices of one name, {@code #} and the {@link
     *     VulkanDeviceInfo#index}, the UUID or the PCI address; empty for any. Of several matches the best usable one
     *     is opened, and the first of equal ones
     * @throws NoSuchDeviceException naming those present, if none matches or the match lacks something
     * @throws GpuException if the device cannot be created, or a native library of LWJGL is missing
     */
    public static VulkanDevice open(String name, DeviceOptions options) {
        Objects.requireNonNull(name, "name must not be null");
        Objects.requireNonNull(options, "options must not be null");
        return DeviceOpening.open(name, options, RawExtensions.NONE, DeviceSeams.none());
    }

    /**
     * Opens a device with extensions and features that {@link io.frameloom.gpu.Capability} has no name for. Of several
     * devices one that has all of them is opened.
     *
     * @param extensions extensions and features; what the device lacks of them is refused by name
     * @throws IllegalArgumentException naming a structure of features that a capability asked for brings as well
     */
    public static VulkanDevice open(String name, DeviceOptions options, VulkanExtensions extensions) {
        Objects.requireNonNull(name, "name must not be null");
        Objects.requireNonNull(options, "options must not be null");
        Objects.requireNonNull(extensions, "extensions must not be null");
        return DeviceOpening.open(name, options, extensions.raw(), DeviceSeams.none());
    }

    /**
     * Opens a device on an engine's own VkDevice, so that both share it. Closing it waits for what Frameloom has
     * submitted and destroys only what Frameloom has made. By then the engine must have finished with Frameloom's
     * resources, and it keeps its device until afterwards.
     *
     * @param description the engine's device
     * @param options options; names, numbers of queues and validation layers are the engine's. With
     *     {@link DeviceOptions#validation} the messages of its layers are collected as well, and
     *     {@link DeviceOptions#robustBufferAccess} must be on in its device if it is asked for
     * @throws AdoptionException naming everything that is missing or wrong; nothing was created then
     * @throws GpuException if something cannot be created; nothing is left of it
     */
    public static VulkanDevice adopt(AdoptedDevice description, DeviceOptions options) {
        Objects.requireNonNull(description, "description must not be null");
        Objects.requireNonNull(options, "options must not be null");
        return DeviceOpening.adopt(description.lent(), options, DeviceSeams.none());
    }
}
