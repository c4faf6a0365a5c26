package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.VulkanResults.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTCalibratedTimestamps;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;

/**
 * Creation of the VkDevice of an adapter with the queues of its plan.
 *
 * @param handle device
 * @param calibratedTimestamps whether the clocks of device and host can be read together
 */
record LogicalDevice(VkDevice handle, boolean calibratedTimestamps) {
    private static final String PORTABILITY_SUBSET = "VK_KHR_portability_subset";

    static LogicalDevice create(VulkanAdapter adapter, QueuePlan plan, Set<String> hiddenExtensions) {
        List<String> extensions = new ArrayList<>();
        boolean calibrated = adapter.extensions()
                        .contains(EXTCalibratedTimestamps.VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME)
                && !hiddenExtensions.contains(EXTCalibratedTimestamps.VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME)
                // The binding does not have the function where it could not list the devices, which it tells nobody.
                && adapter.handle().getCapabilities().vkGetPhysicalDeviceCalibrateableTimeDomainsEXT != MemoryUtil.NULL;
        if (calibrated) {
            extensions.add(EXTCalibratedTimestamps.VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
        }
        if (adapter.extensions().contains(PORTABILITY_SUBSET)) {
            extensions.add(PORTABILITY_SUBSET);
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            int[] families = plan.families();
            VkDeviceQueueCreateInfo.Buffer queues = VkDeviceQueueCreateInfo.calloc(families.length, stack);
            for (int i = 0; i < families.length; i++) {
                int family = families[i];
                int count = (int) plan.queues().stream()
                        .filter(queue -> queue.family().index() == family)
                        .count();
                var priorities = stack.mallocFloat(count);
                for (int k = 0; k < count; k++) {
                    priorities.put(k, 1f);
                }
                queues.get(i).sType$Default().queueFamilyIndex(family).pQueuePriorities(priorities);
            }
            DeviceFeatures features =
                    DeviceFeatures.supported(adapter.handle(), stack).enabled(stack);
            VkDeviceCreateInfo info = VkDeviceCreateInfo.calloc(stack)
                    .sType$Default()
                    .pNext(features.all().address())
                    .pQueueCreateInfos(queues)
                    .ppEnabledExtensionNames(VulkanInstance.strings(stack, extensions));
            PointerBuffer out = stack.mallocPointer(1);
            check(
                    VK13.vkCreateDevice(adapter.handle(), info, null, out),
                    "open device '" + adapter.info().name() + "'");
            return new LogicalDevice(new VkDevice(out.get(0), adapter.handle(), info), calibrated);
        }
    }
}
