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
        int maxAnisotropy) {}
