package io.frameloom.gpu.resource;

/** Where a buffer lives, and whether the host or the device writes it. */
public enum MemoryUsage {
    /** Memory of the device; not mapped. */
    DEVICE,
    /** Written by the host through {@link Buffer#mapped()}, read by the device. */
    UPLOAD,
    /** Written by the device, read by the host through {@link Buffer#mapped()}. */
    READBACK
}
