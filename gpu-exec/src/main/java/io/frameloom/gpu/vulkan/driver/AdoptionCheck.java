package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.vulkan.AdoptionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;

/** Finds everything that keeps an engine's device from being adopted, before anything is created on it. */
public final class AdoptionCheck {
    private final LentDevice adopted;
    private final List<QueueFamily> families;
    private final List<String> problems = new ArrayList<>();

    private AdoptionCheck(LentDevice adopted) {
        this.adopted = adopted;
        this.families = VulkanAdapter.families(adopted.device().getPhysicalDevice());
    }

    /**
     * Checks a description.
     *
     * @param options whether messages of the validation layer are to be collected, and shaders to be kept within
     *     buffers
     * @return the physical device
     * @throws AdoptionException naming all problems
     */
    public static VulkanAdapter check(LentDevice adopted, DeviceOptions options) {
        return new AdoptionCheck(adopted).run(options);
    }

    private VulkanAdapter run(DeviceOptions options) {
        VkDevice device = adopted.device();
        versions(device);
        if (options.validation() && !device.getCapabilitiesInstance().VK_EXT_debug_utils) {
            problems.add("validation messages are asked for, but the instance extension VK_EXT_debug_utils is not on");
        }
        features(options);
        queues();
        sharing();
        if (!problems.isEmpty()) {
            throw new AdoptionException(problems);
        }
        return VulkanAdapter.of(device.getPhysicalDevice(), -1, Set.of());
    }

    private void features(DeviceOptions options) {
        if (adopted.described() == null) {
            problems.add("the features that are on are unknown; describe them by createdWith(VkDeviceCreateInfo) or"
                    + " features(VkPhysicalDeviceFeatures2)");
            return;
        }
        VkDevice device = adopted.device();
        if (atLeast12(device)) {
            Predicate<String> enabled = extension -> switch (extension) {
                case "VK_KHR_synchronization2" -> device.getCapabilities().VK_KHR_synchronization2;
                case "VK_KHR_dynamic_rendering" -> device.getCapabilities().VK_KHR_dynamic_rendering;
                case "VK_KHR_maintenance4" -> device.getCapabilities().VK_KHR_maintenance4;
                case "VK_EXT_extended_dynamic_state" -> device.getCapabilities().VK_EXT_extended_dynamic_state;
                default -> throw new IllegalArgumentException(extension);
            };
            for (String feature : adopted.features().missing(device.getCapabilities().Vulkan13, enabled)) {
                problems.add((feature.startsWith("VK_") ? "extension " : "feature ") + feature + " is not on");
            }
        }
        for (Capability each : new TreeSet<>(options.required())) {
            List<String> missing = CapabilityNeeds.withOthers(Set.of(each)).stream()
                    .flatMap(part -> OpenedDevice.missing(part, device, adopted.features()).stream())
                    .toList();
            if (!missing.isEmpty()) {
                problems.add("capability " + each + " is required by the options, but " + String.join(" and ", missing)
                        + (missing.size() == 1 ? " is" : " are") + " not on");
            }
        }
        if (options.robustBufferAccess() && !adopted.features().robustBufferAccess()) {
            problems.add(
                    "feature VkPhysicalDeviceFeatures.robustBufferAccess is asked for by the options, but is not on");
        }
    }

    private void versions(VkDevice device) {
        boolean instance = device.getCapabilitiesInstance().Vulkan12;
        if (!instance) {
            problems.add("the instance was created for Vulkan "
                    + VulkanAdapter.version(device.getCapabilitiesInstance().apiVersion)
                    + ", 1.3 is needed, or 1.2 with extensions");
        }
        if (instance && !atLeast12(device)) {
            problems.add("the device has Vulkan " + VulkanAdapter.version(device.getCapabilities().apiVersion)
                    + ", 1.3 is needed, or 1.2 with extensions");
        }
    }

    private static boolean atLeast12(VkDevice device) {
        return device.getCapabilities().Vulkan12;
    }

    private void queues() {
        if (adopted.queues().stream().noneMatch(queue -> queue.kind() == QueueKind.GRAPHICS)) {
            problems.add("there is no graphics queue among the queues");
        }
        for (int i = 0; i < adopted.queues().size(); i++) {
            LentDevice.Queue queue = adopted.queues().get(i);
            for (LentDevice.Queue earlier : adopted.queues().subList(0, i)) {
                if (earlier.handle().address() == queue.handle().address()) {
                    problems.add("queues '" + earlier.name() + "' and '" + queue.name() + "' are the same VkQueue");
                }
            }
            if (queue.handle().getDevice().address() != adopted.device().address()) {
                problems.add("queue '" + queue.name() + "' is of another VkDevice");
            } else {
                family(queue);
            }
        }
    }

    /** Returns a family of the device by its number, or null if there is none. */
    private @Nullable QueueFamily family(int index) {
        return index >= 0 && index < families.size() ? families.get(index) : null;
    }

    private void family(LentDevice.Queue queue) {
        QueueFamily family = family(queue.family());
        if (family == null) {
            problems.add("queue '" + queue.name() + "' is said to be of family " + queue.family() + ", the device has "
                    + families.size());
            return;
        }
        if (!family.executes(queue.kind())) {
            problems.add("queue '" + queue.name() + "' is of family " + queue.family() + ", which does not execute "
                    + (queue.kind() == QueueKind.GRAPHICS ? "both graphics and compute" : queue.kind()) + " work");
        }
        if (!adopted.created().isEmpty() && !isOf(queue)) {
            problems.add("queue '" + queue.name() + "' is said to be of family " + queue.family()
                    + ", but is none of the queues that the device was created with in that family");
        }
    }

    private void sharing() {
        for (int family : adopted.sharing()) {
            if (family(family) == null) {
                problems.add(
                        "resources are to be shared with family " + family + ", the device has " + families.size());
            } else if (!adopted.created().isEmpty()
                    && adopted.created().stream().noneMatch(created -> created.family() == family)) {
                problems.add("resources are to be shared with family " + family
                        + ", of which the device was created without queues");
            }
        }
    }

    private boolean isOf(LentDevice.Queue queue) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            for (LentDevice.CreatedQueues created : adopted.created()) {
                for (int i = 0; created.family() == queue.family() && i < created.count(); i++) {
                    VK13.vkGetDeviceQueue(adopted.device(), queue.family(), i, out);
                    if (out.get(0) == queue.handle().address()) {
                        return true;
                    }
                }
            }
            return false;
        }
    }

    static List<DeviceQueue> queues(LentDevice adopted, VulkanAdapter adapter) {
        List<DeviceQueue> queues = new ArrayList<>();
        for (LentDevice.Queue queue : adopted.queues()) {
            QueueFamily family = adapter.family(queue.family());
            if (family == null) {
                throw new IllegalStateException("queue '" + queue.name() + "' has no family");
            }
            QueuePlan.Entry entry = new QueuePlan.Entry(queue.name(), queue.kind(), family, QueuePlan.LENT);
            int at = queue.kind() == QueueKind.GRAPHICS ? graphicsCount(queues) : queues.size();
            queues.add(at, new DeviceQueue(entry, queue.handle(), queue.guard()));
        }
        return queues;
    }

    private static int graphicsCount(List<DeviceQueue> queues) {
        return (int) queues.stream()
                .filter(queue -> queue.plan().kind() == QueueKind.GRAPHICS)
                .count();
    }
}
