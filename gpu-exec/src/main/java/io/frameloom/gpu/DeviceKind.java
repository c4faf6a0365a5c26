package io.frameloom.gpu;

/** What executes the work of a device. */
public enum DeviceKind {
    /** A GPU with its own memory. */
    DISCRETE,
    /** A GPU that shares memory with the CPU. */
    INTEGRATED,
    /** A GPU as a virtual machine sees it. */
    VIRTUALIZED,
    /** A software driver. */
    CPU,
    /** The virtual GPU: no driver; raster work is simulated by cost. */
    SIMULATED
}
