package io.frameloom.gpu;

import java.util.Objects;
import java.util.Set;

/**
 * What a device is and can do; queried, never assumed.
 *
 * @param name device name
 * @param driver driver name and version
 * @param renders whether raster work produces pixels
 * @param timestamps whether timestamps are real. Those of an adopted device without VK_EXT_calibrated_timestamps are if
 *     its first queue began the submitted work within a quarter of a second
 * @param maxTextureExtent largest width and height of a texture
 * @param maxStorageRange largest range of a storage buffer binding
 * @param uniformAlignment alignment of uniform offsets, a power of two
 * @param storageAlignment alignment of storage offsets, a power of two
 * @param maxPushConstantBytes largest push constant block
 * @param maxAnisotropy largest anisotropy, 1 if not supported
 * @param robustBufferAccess whether shaders that access buffers out of range reach nothing else; on Vulkan if {@link
 *     DeviceOptions#withRobustBufferAccess}, or the engine that owns an adopted device, has asked for it
 * @param limits everything else that is limited
 * @param on the capabilities that are turned on: those asked for by {@link DeviceOptions#require} and {@link
 *     DeviceOptions#prefer} that the device has, and those that they turn on. Of an adopted device, those whose
 *     extensions and features its engine has enabled
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
        boolean robustBufferAccess,
        DeviceLimits limits,
        Set<Capability> on) {
    public DeviceCapabilities {
        on = Set.copyOf(on);
    }

    /** Returns whether a capability is turned on. */
    public boolean has(Capability capability) {
        Objects.requireNonNull(capability, "capability must not be null");
        return on.contains(capability);
    }

    /** Returns the same capabilities without real timestamps. */
    public DeviceCapabilities withoutTimestamps() {
        return new DeviceCapabilities(
                name,
                kind,
                driver,
                renders,
                false,
                maxTextureExtent,
                maxStorageRange,
                uniformAlignment,
                storageAlignment,
                maxPushConstantBytes,
                maxAnisotropy,
                robustBufferAccess,
                limits,
                on);
    }
}
