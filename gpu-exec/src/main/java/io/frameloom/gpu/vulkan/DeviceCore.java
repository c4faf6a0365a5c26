package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceCapabilities;
import org.lwjgl.vulkan.VkDevice;

/**
 * What every object of a device needs to know of it.
 *
 * @param handle device
 * @param adapter physical device
 * @param families queue families in use; resources are shared between all of them
 * @param names debug names
 * @param objects open objects
 * @param loss whether the device is lost
 */
record DeviceCore(
        VkDevice handle,
        VulkanAdapter adapter,
        int[] families,
        DebugNames names,
        ObjectRegistry objects,
        DeviceLoss loss) {

    DeviceCapabilities capabilities() {
        return adapter.capabilities();
    }
}
