package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.error.SurfaceLostException;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.VK13;

/** Names of result codes, and the check of calls that can only fail for lack of memory or by device loss. */
public final class VulkanResults {
    private VulkanResults() {}

    /**
     * Throws if a call failed; {@link GpuOutOfMemoryException} for lack of memory, {@link DeviceLostException} if it
     * found the device lost, which its timelines find out as well, {@link SurfaceLostException} for a surface that is
     * gone.
     *
     * @param what the failed operation, naming the object, to follow "cannot"
     */
    public static void check(int result, String what) {
        if (result == VK13.VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK13.VK_ERROR_OUT_OF_HOST_MEMORY) {
            throw new GpuOutOfMemoryException("cannot " + what + ": " + name(result));
        }
        if (result == VK13.VK_ERROR_DEVICE_LOST) {
            throw new DeviceLostException("cannot " + what + ": the device is lost; close it and open a new one");
        }
        if (result == KHRSurface.VK_ERROR_SURFACE_LOST_KHR) {
            throw new SurfaceLostException("cannot " + what
                    + ": the surface is lost; close it with its swapchain and make new ones, the device works on");
        }
        if (result < VK13.VK_SUCCESS) {
            throw new GpuException("cannot " + what + ": " + name(result));
        }
    }

    public static String name(int result) {
        return switch (result) {
            case VK13.VK_SUCCESS -> "VK_SUCCESS";
            case VK13.VK_NOT_READY -> "VK_NOT_READY";
            case VK13.VK_TIMEOUT -> "VK_TIMEOUT";
            case VK13.VK_INCOMPLETE -> "VK_INCOMPLETE";
            case VK13.VK_ERROR_OUT_OF_HOST_MEMORY -> "VK_ERROR_OUT_OF_HOST_MEMORY";
            case VK13.VK_ERROR_OUT_OF_DEVICE_MEMORY ->
                "VK_ERROR_OUT_OF_DEVICE_MEMORY; close resources or make them smaller";
            case VK13.VK_ERROR_INITIALIZATION_FAILED -> "VK_ERROR_INITIALIZATION_FAILED";
            case VK13.VK_ERROR_DEVICE_LOST -> "VK_ERROR_DEVICE_LOST";
            case VK13.VK_ERROR_MEMORY_MAP_FAILED -> "VK_ERROR_MEMORY_MAP_FAILED";
            case VK13.VK_ERROR_LAYER_NOT_PRESENT -> "VK_ERROR_LAYER_NOT_PRESENT";
            case VK13.VK_ERROR_EXTENSION_NOT_PRESENT -> "VK_ERROR_EXTENSION_NOT_PRESENT";
            case VK13.VK_ERROR_FEATURE_NOT_PRESENT -> "VK_ERROR_FEATURE_NOT_PRESENT";
            case VK13.VK_ERROR_INCOMPATIBLE_DRIVER -> "VK_ERROR_INCOMPATIBLE_DRIVER";
            case VK13.VK_ERROR_TOO_MANY_OBJECTS -> "VK_ERROR_TOO_MANY_OBJECTS";
            case VK13.VK_ERROR_FORMAT_NOT_SUPPORTED -> "VK_ERROR_FORMAT_NOT_SUPPORTED";
            case VK13.VK_ERROR_FRAGMENTATION -> "VK_ERROR_FRAGMENTATION";
            case VK13.VK_ERROR_UNKNOWN -> "VK_ERROR_UNKNOWN";
            case VK13.VK_ERROR_FRAGMENTED_POOL -> "VK_ERROR_FRAGMENTED_POOL";
            case VK13.VK_ERROR_OUT_OF_POOL_MEMORY -> "VK_ERROR_OUT_OF_POOL_MEMORY";
            case KHRSwapchain.VK_SUBOPTIMAL_KHR -> "VK_SUBOPTIMAL_KHR";
            case KHRSwapchain.VK_ERROR_OUT_OF_DATE_KHR -> "VK_ERROR_OUT_OF_DATE_KHR";
            case KHRSurface.VK_ERROR_SURFACE_LOST_KHR -> "VK_ERROR_SURFACE_LOST_KHR";
            case KHRSurface.VK_ERROR_NATIVE_WINDOW_IN_USE_KHR ->
                "VK_ERROR_NATIVE_WINDOW_IN_USE_KHR; close what else presents to the window";
            default -> "VkResult " + result;
        };
    }
}
