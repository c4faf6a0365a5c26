package io.frameloom.gpu.vulkan.driver;

import java.util.Set;

/**
 * The parts of a device that tests replace.
 *
 * @param driver calls by which a device is found to be lost
 * @param hiddenExtensions device extensions that count as missing
 * @param crash calls that tell of a lost device
 */
public record DeviceSeams(QueueDriver driver, Set<String> hiddenExtensions, CrashCalls crash) {
    /** With the calls of the driver that tell of a lost device. */
    public DeviceSeams(QueueDriver driver, Set<String> hiddenExtensions) {
        this(driver, hiddenExtensions, new NativeCrashCalls());
    }

    /** The real thing. */
    public static DeviceSeams none() {
        return new DeviceSeams(new NativeQueueDriver(), Set.of());
    }
}
