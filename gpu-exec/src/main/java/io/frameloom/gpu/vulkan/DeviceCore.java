package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceCapabilities;
import org.lwjgl.vulkan.VkDevice;

/** What every object of a device needs to know of it. */
final class DeviceCore {
    private final VkDevice handle;
    private final VulkanAdapter adapter;
    private final int[] families;
    private final DebugNames names;
    private final ObjectRegistry objects = new ObjectRegistry();
    private final DeviceLoss loss = new DeviceLoss();

    DeviceCore(VkDevice handle, VulkanAdapter adapter, int[] families, DebugNames names) {
        this.handle = handle;
        this.adapter = adapter;
        this.families = families.clone();
        this.names = names;
    }

    VkDevice handle() {
        return handle;
    }

    /** Returns the physical device. */
    VulkanAdapter adapter() {
        return adapter;
    }

    DeviceCapabilities capabilities() {
        return adapter.capabilities();
    }

    /** Returns the queue families in use, which share all resources. Not to be changed. */
    int[] families() {
        return families;
    }

    DebugNames names() {
        return names;
    }

    /** Returns the open objects. */
    ObjectRegistry objects() {
        return objects;
    }

    /** Returns whether the device is lost. */
    DeviceLoss loss() {
        return loss;
    }
}
