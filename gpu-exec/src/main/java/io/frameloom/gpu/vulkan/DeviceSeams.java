package io.frameloom.gpu.vulkan;

import java.util.Set;

/**
 * What tests replace in a device.
 *
 * @param driver calls by which a device is found to be lost
 * @param hiddenExtensions device extensions that are taken not to be there
 */
record DeviceSeams(QueueDriver driver, Set<String> hiddenExtensions) {
    /** The real thing. */
    static DeviceSeams none() {
        return new DeviceSeams(new NativeQueueDriver(), Set.of());
    }
}
