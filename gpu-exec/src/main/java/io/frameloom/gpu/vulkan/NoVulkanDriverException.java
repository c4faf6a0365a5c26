package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.GpuException;

/** The loader is there, but no driver is. */
final class NoVulkanDriverException extends GpuException {
    static final String MESSAGE = "the Vulkan loader finds no driver; install the one of the GPU, or on Debian and "
            + "Ubuntu mesa-vulkan-drivers for the software driver";

    private static final long serialVersionUID = 1L;

    NoVulkanDriverException() {
        super(MESSAGE);
    }
}
