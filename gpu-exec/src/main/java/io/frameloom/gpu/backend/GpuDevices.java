package io.frameloom.gpu.backend;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.device.GpuProperties;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.SystemPropertyException;
import java.util.List;

/** Opens devices of any backend. Any thread. */
public final class GpuDevices {
    private GpuDevices() {}

    /**
     * Opens the device that was asked for, or the one that the system property {@code frameloom.gpu.device} names as
     * {@link DeviceSelector#parse} reads it.
     *
     * <p>{@link DeviceSelector.Auto} takes the best usable Vulkan device. Without one, for lack of a loader, a driver
     * or a device that has everything, it takes the virtual GPU. {@link VulkanDevices#unavailableReason} gives the
     * reason, and so does a warning of the {@link System.Logger} {@code io.frameloom.gpu}. With {@link
     * DeviceSelector.Auto#orFail} it fails instead.
     *
     * @throws NoSuchDeviceException listing the devices present, if none has the name asked for; or giving the reason
     *     why there is no Vulkan device, if the virtual GPU may not take its place
     * @throws SystemPropertyException naming the system property that has a wrong value
     * @throws GpuException if the device exists but cannot be opened, or validation is asked for and the layer is not
     *     installed
     */
    public static GpuDevice open(DeviceSelector asked, DeviceOptions options) {
        DeviceSelector selector = GpuProperties.GROUP.parsed("device", asked, DeviceSelector::parse);
        if (selector instanceof DeviceSelector.Virtual virtual) {
            return openVirtual(virtual, options);
        }
        if (selector instanceof DeviceSelector.Named named) {
            return openNamed(named.name(), options);
        }
        String reason = VulkanDevices.unavailableReason();
        if (reason.isEmpty()) {
            return VulkanDevices.open("", options);
        }
        if (selector instanceof DeviceSelector.Auto auto && !auto.mayBeVirtual()) {
            throw new NoSuchDeviceException("no Vulkan device: " + reason
                    + "; without orFail the virtual GPU is taken, which renders no picture");
        }
        GpuDevice device = openVirtual(DeviceSelector.Virtual.DEFAULT, options);
        System.getLogger("io.frameloom.gpu")
                .log(
                        System.Logger.Level.WARNING,
                        "device of ''{0}'': taking the virtual GPU, which renders no picture, because {1}",
                        options.applicationName(),
                        reason);
        return device;
    }

    private static GpuDevice openVirtual(DeviceSelector.Virtual virtual, DeviceOptions options) {
        return VirtualDevice.open(virtual.options(), options);
    }

    private static GpuDevice openNamed(String name, DeviceOptions options) {
        try {
            return VulkanDevices.open(name, options);
        } catch (NoSuchDeviceException e) {
            NoSuchDeviceException known =
                    new NoSuchDeviceException(e.getMessage() + "; take a part of such a name, auto, or virtual");
            known.initCause(e);
            throw known;
        }
    }

    /** Lists the Vulkan devices, usable or not, best first; empty where there is no loader, no driver or no device. */
    public static List<VulkanDeviceInfo> list() {
        return VulkanDevices.list();
    }
}
