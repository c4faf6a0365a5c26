package io.frameloom.gpu;

/**
 * What a device is and can do; queried, never assumed.
 *
 * @param name device name
 * @param kind kind
 * @param driver driver name and version
 * @param renders whether raster work produces pixels
 * @param timestamps whether timestamps are real
 * @param maxTextureExtent largest width and height of a texture
 * @param maxStorageRange largest range of a storage buffer binding
 * @param uniformAlignment alignment of uniform offsets
 * @param storageAlignment alignment of storage offsets
 * @param maxPushConstantBytes largest push constant block
 * @param maxAnisotropy largest anisotropy, 1 if not supported
 * @param limits everything else that is limited
 */
public record DeviceCapabilities(
        String name,
        DeviceKind kind,
        String driver,
        boolean renders,
        boolean timestamps,
        int maxTextureExtent,
        long maxStorageRange,
        int uniformAlignment,
        int storageAlignment,
        int maxPushConstantBytes,
        int maxAnisotropy,
        DeviceLimits limits) {

    /** Capabilities with the limits that every device has at least. */
    public DeviceCapabilities(
            String name,
            DeviceKind kind,
            String driver,
            boolean renders,
            boolean timestamps,
            int maxTextureExtent,
            long maxStorageRange,
            int uniformAlignment,
            int storageAlignment,
            int maxPushConstantBytes,
            int maxAnisotropy) {
        this(
                name,
                kind,
                driver,
                renders,
                timestamps,
                maxTextureExtent,
                maxStorageRange,
                uniformAlignment,
                storageAlignment,
                maxPushConstantBytes,
                maxAnisotropy,
                DeviceLimits.minimum());
    }
}
