package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.error.GpuException;

/** The loader exists, but no driver, or none that finds a device; the message gives the reason in one line. */
public final class NoVulkanDriverException extends GpuException {
    private static final long serialVersionUID = 1L;

    private NoVulkanDriverException(String message) {
        super(message);
    }

    static NoVulkanDriverException none() {
        return new NoVulkanDriverException(
                "the Vulkan loader finds no driver; install the one of the GPU, or on Debian and "
                        + "Ubuntu mesa-vulkan-drivers for the software driver");
    }

    /** A driver is installed, as of a GPU that the machine does not have. */
    static NoVulkanDriverException withoutDevice(int result) {
        return new NoVulkanDriverException("the Vulkan drivers that are installed find no device ("
                + VulkanResults.name(result)
                + "); install the one of the GPU, let this user open its device files, or take "
                + "the software driver, on Debian and Ubuntu mesa-vulkan-drivers");
    }
}
