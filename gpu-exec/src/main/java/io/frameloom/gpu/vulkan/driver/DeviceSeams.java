package io.frameloom.gpu.vulkan.driver;

import java.util.Set;

/**
 * The parts of a device that tests replace.
 *
 * @param driver calls by which a device is found to be lost
 * @param hiddenExtensions device extensions that count as missing
 */
public record DeviceSeams(QueueDriver driver, Set<String> hiddenExtensions) {
    /** The real thing. */
    public static DeviceSeams none() {
        return new DeviceSeams(new NativeQueueDriver(), Set.of());
    }
}
