package io.frameloom.gpu.vulkan.driver;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.error.NoSuchDeviceException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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
import org.lwjgl.vulkan.VkQueue;

/**
 * A VkDevice with its enabled features and its used queues: opened here, or an engine's.
 *
 * @param handle device
 * @param features enabled features
 * @param calibratedTimestamps whether the clocks of device and host can be read together
 * @param memoryBudget whether the driver reports how much memory this process may use
 * @param owned whether it was created here and is destroyed with the device that uses it
 * @param queues queues in the order of the device
 * @param sharing families whose queues are not used here, but use what is made here
 * @param crash what tells of a loss
 */
public record OpenedDevice(
        VkDevice handle,
        DeviceFeatures features,
        boolean calibratedTimestamps,
        boolean memoryBudget,
        boolean owned,
        List<DeviceQueue> queues,
        Set<Integer> sharing,
        CrashSupport crash) {
    private static final String PORTABILITY_SUBSET = "VK_KHR_portability_subset";

    /**
     * Opens the device of an adapter, or takes an engine's own if {@code lent} is given.
     *
     * @param undo takes what destroys a device that is opened here
     */
    public static OpenedDevice of(
            VulkanAdapter adapter,
            DeviceOptions options,
            DeviceSeams seams,
            @Nullable LentDevice lent,
            UndoStack undo) {
        if (lent != null) {
            return lent(lent.device(), lent.features(), AdoptionCheck.queues(lent, adapter), lent.sharing());
        }
        QueuePlan wanted = adapter.queues(options.queues())
                .orElseThrow(() -> new NoSuchDeviceException(
                        adapter.info().name() + " lacks " + adapter.info().missing()));
        return create(adapter, wanted, seams, options, undo);
    }

    /** Takes an engine's device, with the features that the engine has enabled. */
    static OpenedDevice lent(VkDevice handle, DeviceFeatures features, List<DeviceQueue> queues, Set<Integer> sharing) {
        return new OpenedDevice(
                handle,
                features,
                handle.getCapabilities().VK_EXT_calibrated_timestamps,
                handle.getCapabilities().VK_EXT_memory_budget,
                false,
                queues,
                sharing,
                CrashSupport.NONE);
    }

    private static OpenedDevice create(
            VulkanAdapter adapter, QueuePlan plan, DeviceSeams seams, DeviceOptions options, UndoStack undo) {
        Set<String> hiddenExtensions = seams.hiddenExtensions();
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
        CrashSupport crash = CrashSupport.enable(
                adapter.handle(),
                options.crashMarkers(),
                extension -> enable(extension, adapter, hiddenExtensions, extensions));
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
            crash.enable(info, stack);
            PointerBuffer out = stack.mallocPointer(1);
            check(
                    VK13.vkCreateDevice(adapter.handle(), info, null, out),
                    "open device '" + adapter.info().name() + "'");
            VkDevice handle = new VkDevice(out.get(0), adapter.handle(), info);
            undo.push(() -> VK13.vkDestroyDevice(handle, null));
            List<DeviceQueue> used = new ArrayList<>();
            for (QueuePlan.Entry entry : plan.queues()) {
                VkQueue queue = seams.driver().queue(handle, entry.family().index(), entry.index());
                used.add(new DeviceQueue(entry, queue, new ReentrantLock()));
            }
            return new OpenedDevice(handle, features, calibrated, budget, true, used, Set.of(), crash);
        }
    }

    private static boolean enable(String extension, VulkanAdapter adapter, Set<String> hidden, List<String> enabled) {
        boolean there = adapter.extensions().contains(extension) && !hidden.contains(extension);
        if (there) {
            enabled.add(extension);
        }
        return there;
    }

    /** Returns the kinds, families and names of the queues. */
    public QueuePlan plan() {
        return new QueuePlan(queues.stream().map(DeviceQueue::plan).toList());
    }

    /** Returns the families that share what is made here, each once, ascending. */
    int[] families() {
        return IntStream.concat(
                        Arrays.stream(plan().families()), sharing.stream().mapToInt(Integer::intValue))
                .distinct()
                .sorted()
                .toArray();
    }
}
