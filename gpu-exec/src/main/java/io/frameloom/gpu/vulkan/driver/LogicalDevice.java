package io.frameloom.gpu.vulkan.driver;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import io.frameloom.gpu.DeviceOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTCalibratedTimestamps;
import org.lwjgl.vulkan.EXTMemoryBudget;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;

/**
 * A VkDevice with its enabled features: created here, or made by an engine and lent.
 *
 * @param handle device
 * @param features enabled features
 * @param calibratedTimestamps whether the clocks of device and host can be read together
 * @param memoryBudget whether the driver reports how much memory this process may use
 * @param owned whether it was created here and is destroyed with the device that uses it
 */
public record LogicalDevice(
        VkDevice handle, DeviceFeatures features, boolean calibratedTimestamps, boolean memoryBudget, boolean owned) {
    private static final String PORTABILITY_SUBSET = "VK_KHR_portability_subset";

    static LogicalDevice create(
            VulkanAdapter adapter, QueuePlan plan, Set<String> hiddenExtensions, DeviceOptions options) {
        List<String> extensions = new ArrayList<>();
        if (!options.surfaceExtensions().isEmpty()) {
            extensions.add(KHRSwapchain.VK_KHR_SWAPCHAIN_EXTENSION_NAME);
        }
        // The binding silently lacks the function where it could not list the devices.
        boolean calibrated =
                adapter.handle().getCapabilities().vkGetPhysicalDeviceCalibrateableTimeDomainsEXT != MemoryUtil.NULL
                        && enable(
                                EXTCalibratedTimestamps.VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME,
                                adapter,
                                hiddenExtensions,
                                extensions);
        boolean budget =
                enable(EXTMemoryBudget.VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, adapter, hiddenExtensions, extensions);
        enable(PORTABILITY_SUBSET, adapter, Set.of(), extensions);
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
            DeviceFeatures features = DeviceFeatures.supported(adapter.handle()).enabled(options.robustBufferAccess());
            VkDeviceCreateInfo info = VkDeviceCreateInfo.calloc(stack)
                    .sType$Default()
                    .pNext(features.all().address())
                    .pQueueCreateInfos(queues)
                    .ppEnabledExtensionNames(VulkanInstance.strings(stack, extensions));
            PointerBuffer out = stack.mallocPointer(1);
            check(
                    VK13.vkCreateDevice(adapter.handle(), info, null, out),
                    "open device '" + adapter.info().name() + "'");
            VkDevice handle = new VkDevice(out.get(0), adapter.handle(), info);
            return new LogicalDevice(handle, features, calibrated, budget, true);
        }
    }

    private static boolean enable(String extension, VulkanAdapter adapter, Set<String> hidden, List<String> enabled) {
        boolean there = adapter.extensions().contains(extension) && !hidden.contains(extension);
        if (there) {
            enabled.add(extension);
        }
        return there;
    }

    /** Takes an engine's device, with the features that the engine has enabled. */
    static LogicalDevice lent(VkDevice handle, DeviceFeatures features) {
        return new LogicalDevice(
                handle,
                features,
                handle.getCapabilities().VK_EXT_calibrated_timestamps,
                handle.getCapabilities().VK_EXT_memory_budget,
                false);
    }

    /** Returns the queues of a plan, each with a guard of its own. */
    List<DeviceQueue> queues(QueuePlan plan, QueueDriver driver) {
        List<DeviceQueue> queues = new ArrayList<>();
        for (QueuePlan.Entry entry : plan.queues()) {
            queues.add(new DeviceQueue(
                    entry, driver.queue(handle, entry.family().index(), entry.index()), new ReentrantLock()));
        }
        return queues;
    }

    /** Destroys a device that was created here. */
    void destroy() {
        VK13.vkDestroyDevice(handle, null);
    }
}
