package io.frameloom.gpu.vulkan.driver;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.error.NoSuchDeviceException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTCalibratedTimestamps;
import org.lwjgl.vulkan.EXTExtendedDynamicState;
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
 * @param calibratedTimestamps whether the clocks of device and host can be read together
 * @param memoryBudget whether the driver reports how much memory this process may use
 * @param owned whether it was created here and is destroyed with the device that uses it
 * @param queues queues in the order of the device
 * @param unnamedExtensions whether extensions may be on that have no {@link Capability}
 * @param sharing families whose queues are not used here, but use what is made here
 * @param crash what tells of a loss
 */
public record OpenedDevice(
        VkDevice handle,
        DeviceFeatures features,
        Set<Capability> capabilities,
        boolean calibratedTimestamps,
        boolean memoryBudget,
        boolean owned,
        boolean unnamedExtensions,
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
            RawExtensions raw,
            DeviceSeams seams,
            @Nullable LentDevice lent,
            UndoStack undo) {
        if (lent != null) {
            return lent(lent.device(), lent.features(), AdoptionCheck.queues(lent, adapter), lent.sharing());
        }
        QueuePlan wanted = adapter.queues(options.queues())
                .orElseThrow(() -> new NoSuchDeviceException(
                        adapter.info().name() + " lacks " + adapter.info().missing()));
        return create(adapter, wanted, seams, options, raw, undo);
    }

    /** Takes an engine's device, with the features that the engine has enabled. */
    static OpenedDevice lent(VkDevice handle, DeviceFeatures features, List<DeviceQueue> queues, Set<Integer> sharing) {
        return new OpenedDevice(
                handle,
                features,
                CapabilityNeeds.without(each -> !missing(each, handle, features).isEmpty()),
                handle.getCapabilities().VK_EXT_calibrated_timestamps,
                handle.getCapabilities().VK_EXT_memory_budget,
                false,
                true,
                queues,
                sharing,
                CrashSupport.NONE);
    }

    private static OpenedDevice create(
            VulkanAdapter adapter,
            QueuePlan plan,
            DeviceSeams seams,
            DeviceOptions options,
            RawExtensions raw,
            UndoStack undo) {
        Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
        capabilities.addAll(options.preferred());
        capabilities.retainAll(adapter.info().capabilities());
        capabilities.addAll(options.required());
        Set<Capability> on = CapabilityNeeds.withOthers(capabilities);
        Set<String> extensions = new TreeSet<>(CapabilityNeeds.deviceExtensions(on));
        extensions.addAll(raw.names());
        if (!options.surfaceExtensions().isEmpty()) {
            extensions.add(KHRSwapchain.VK_KHR_SWAPCHAIN_EXTENSION_NAME);
        }
        // The binding silently lacks the function where it could not list the devices.
        boolean calibrated = adapter.handle().getCapabilities().vkGetPhysicalDeviceCalibrateableTimeDomainsEXT
                        != MemoryUtil.NULL
                && enable(EXTCalibratedTimestamps.VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME, adapter, extensions);
        boolean budget = enable(EXTMemoryBudget.VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, adapter, extensions);
        enable(PORTABILITY_SUBSET, adapter, extensions);
        if (!adapter.core13()) {
            FeaturePart.ofExtensions().forEach(part -> enable(String.valueOf(part.extension()), adapter, extensions));
            enable(EXTExtendedDynamicState.VK_EXT_EXTENDED_DYNAMIC_STATE_EXTENSION_NAME, adapter, extensions);
        }
        CrashSupport crash = CrashSupport.enable(
                adapter.handle(),
                options.crashMarkers(),
                extension -> !raw.names().contains(extension) && enable(extension, adapter, extensions));
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
                    adapter.features().enabled(options.robustBufferAccess(), on, adapter.core13(), extensions);
            raw.structures().forEach(structure -> features.add(structure, adapter.core13()));
            crash.enable(features);
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
            undo.push(() -> VK13.vkDestroyDevice(handle, null));
            List<DeviceQueue> used = new ArrayList<>();
            for (QueuePlan.Entry entry : plan.queues()) {
                VkQueue queue = seams.driver().queue(handle, entry.family().index(), entry.index());
                used.add(new DeviceQueue(entry, queue, new ReentrantLock()));
            }
            // The names decide: LWJGL calls an extension off if a function of it is missing that nobody may need.
            Set<Capability> turnedOn = CapabilityNeeds.without(each -> !CapabilityNeeds.of(each)
                    .missing(extension -> extensions.contains(extension.name()), adapter.instance(), features)
                    .isEmpty());
            return new OpenedDevice(
                    handle,
                    features,
                    turnedOn,
                    calibrated,
                    budget,
                    true,
                    !raw.names().isEmpty(),
                    used,
                    Set.of(),
                    crash);
        }
    }

    private static boolean enable(String extension, VulkanAdapter adapter, Set<String> enabled) {
        boolean there = adapter.extensions().contains(extension);
        if (there) {
            enabled.add(extension);
        }
        return there;
    }

    /** Names what is not on in an engine's device that a capability needs. */
    static List<String> missing(Capability capability, VkDevice device, DeviceFeatures features) {
        return CapabilityNeeds.of(capability)
                .missing(
                        extension -> extension.enabled().test(device.getCapabilities()),
                        device.getCapabilitiesInstance(),
                        features);
    }

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
