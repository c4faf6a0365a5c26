package io.frameloom.gpu.vulkan.driver;

import static org.lwjgl.vulkan.VK13.VK_API_VERSION_1_3;

import io.frameloom.gpu.device.NativeLibrary;
import org.lwjgl.vulkan.VK;

/**
 * Whether this machine has a Vulkan loader that LWJGL can load. The answer is found once: a failed load cannot be
 * repeated in one JVM.
 */
public final class VulkanLoader {
    private static final String PROBLEM = probe();

    private VulkanLoader() {}

    /** Returns what keeps Vulkan from being used, empty if nothing does. */
    public static String problem() {
        return PROBLEM;
    }

    private static String probe() {
        String missing = NativeLibrary.LWJGL.problem();
        if (!missing.isEmpty()) {
            return missing;
        }
        try {
            int version = VK.getInstanceVersionSupported();
            return version >= VK_API_VERSION_1_3
                    ? ""
                    : "the Vulkan loader supports version " + VulkanAdapter.version(version)
                            + ", 1.3 is needed; update it";
        } catch (LinkageError e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return "no Vulkan loader (libvulkan.so.1, vulkan-1.dll) can be loaded; install one with a driver, on "
                    + "Debian and Ubuntu the packages libvulkan1 and mesa-vulkan-drivers (" + cause.getMessage() + ")";
        }
    }
}
