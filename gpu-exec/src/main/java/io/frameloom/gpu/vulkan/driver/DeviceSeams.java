package io.frameloom.gpu.vulkan.driver;

import java.util.Set;
import org.lwjgl.vulkan.VK13;

/**
 * The parts of a device that tests replace.
 *
 * @param driver calls by which a device is found to be lost
 * @param hiddenExtensions device extensions that count as missing
 * @param apiVersion the newest version of Vulkan that the device shall have
 * @param crash calls that report on a lost device
 */
public record DeviceSeams(QueueDriver driver, Set<String> hiddenExtensions, int apiVersion, CrashCalls crash) {
    /** With the calls of the driver that report on a lost device. */
    public DeviceSeams(QueueDriver driver, Set<String> hiddenExtensions, int apiVersion) {
        this(driver, hiddenExtensions, apiVersion, new NativeCrashCalls());
    }

    /** A device of Vulkan 1.3, if it has that. */
    public DeviceSeams(QueueDriver driver, Set<String> hiddenExtensions) {
        this(driver, hiddenExtensions, VK13.VK_API_VERSION_1_3);
    }

    /** The real thing. */
    public static DeviceSeams none() {
        return new DeviceSeams(new NativeQueueDriver(), Set.of());
    }
}
