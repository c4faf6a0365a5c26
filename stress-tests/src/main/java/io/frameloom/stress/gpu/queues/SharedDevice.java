package io.frameloom.stress.gpu.queues;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.vulkan.AdoptedDevice;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Features;

/** A device on the VkDevice of another one, which is its engine: both use all queues, each under the lock of its queue. */
public final class SharedDevice {
    private SharedDevice() {}

    /** Adopts the VkDevice of an open device with all its queues. */
    public static VulkanDevice adopt(VulkanDevice engine, DeviceOptions options) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var v12 = VkPhysicalDeviceVulkan12Features.calloc(stack).sType$Default();
            v12.timelineSemaphore(true).hostQueryReset(true).separateDepthStencilLayouts(true);
            var v13 = VkPhysicalDeviceVulkan13Features.calloc(stack).sType$Default();
            v13.synchronization2(true).dynamicRendering(true).maintenance4(true);
            var all = VkPhysicalDeviceFeatures2.calloc(stack).sType$Default();
            all.features().shaderStorageImageWriteWithoutFormat(true);
            all.pNext(v12).pNext(v13);
            AdoptedDevice.Builder description =
                    AdoptedDevice.of(engine.handles().device()).features(all);
            for (GpuQueue queue : engine.queues()) {
                description.queue(
                        queue.kind(),
                        engine.handles().queue(queue),
                        queue.family(),
                        engine.handles().guard(queue));
            }
            return VulkanDevices.adopt(description.build(), options);
        }
    }
}
