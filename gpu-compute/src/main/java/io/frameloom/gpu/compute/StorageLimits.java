package io.frameloom.gpu.compute;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceLimits;

/**
 * The limits of a device for one dispatch.
 *
 * @param maxRange bytes of a storage binding
 * @param alignment of a binding's offset, a power of two
 * @param maxGroupsX workgroups in x
 * @param maxGroupsY workgroups in y
 */
record StorageLimits(long maxRange, int alignment, int maxGroupsX, int maxGroupsY) {
    /** The most that the largest push constants and word numbers of the shaders can hold. */
    private static final long MAX_ELEMENTS = 1L << 31;

    static StorageLimits of(DeviceCapabilities device) {
        DeviceLimits.Groups groups = device.limits().compute().maxGroups();
        return new StorageLimits(device.maxStorageRange(), device.storageAlignment(), groups.x(), groups.y());
    }

    /** Returns how many elements one dispatch can take: whole tiles, at least one. */
    long window(int elementBytes, int tile) {
        // A binding begins up to one alignment before the first element.
        long fitting = (maxRange - alignment) / elementBytes;
        long tiles = Math.min(Math.min(fitting, MAX_ELEMENTS - tile) / tile, (long) maxGroupsX * maxGroupsY);
        return Math.max(1, tiles) * tile;
    }

    long aligned(long bytes) {
        return (bytes + alignment - 1) & -alignment;
    }
}
