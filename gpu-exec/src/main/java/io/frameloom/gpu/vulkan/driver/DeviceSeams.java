package io.frameloom.gpu.vulkan.driver;

import java.util.Set;

/**
 * The parts of a device that tests replace.
 *
 * @param driver calls by which a device is found to be lost
 * @param hiddenExtensions device extensions that count as missing
 * @param playedExtensions device extensions that the driver here plays, and that the real one is not asked for
 */
public record DeviceSeams(QueueDriver driver, Set<String> hiddenExtensions, Set<String> playedExtensions) {
    /** Seams that play no extension. */
    public DeviceSeams(QueueDriver driver, Set<String> hiddenExtensions) {
        this(driver, hiddenExtensions, Set.of());
    }

    /** The real thing. */
    public static DeviceSeams none() {
        return new DeviceSeams(new NativeQueueDriver(), Set.of());
    }
}
