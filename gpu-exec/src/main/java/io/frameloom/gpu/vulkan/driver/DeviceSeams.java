package io.frameloom.gpu.vulkan.driver;

import java.util.Set;

/**
 * What tests replace in a device.
 *
 * @param driver calls by which a device is found to be lost
 * @param hiddenExtensions device extensions that are taken not to be there
 */
public record DeviceSeams(QueueDriver driver, Set<String> hiddenExtensions) {
    /** The real thing. */
    public static DeviceSeams none() {
        return new DeviceSeams(new NativeQueueDriver(), Set.of());
    }
}
