package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.QueueKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;

/** Finds everything that keeps an engine's device from being adopted, before anything is created on it. */
final class AdoptionCheck {
    private final AdoptedDevice adopted;
    private final List<String> problems = new ArrayList<>();

    private AdoptionCheck(AdoptedDevice adopted) {
        this.adopted = adopted;
    }

    /**
     * Checks a description.
     *
     * @param messages whether messages of the validation layer are to be collected
     * @return the physical device
     * @throws AdoptionException naming all problems
     */
    static VulkanAdapter check(AdoptedDevice adopted, boolean messages) {
        return new AdoptionCheck(adopted).run(messages);
    }

    private VulkanAdapter run(boolean messages) {
        VkDevice device = adopted.device();
        boolean current = versions(device);
        if (messages && !device.getCapabilitiesInstance().VK_EXT_debug_utils) {
            problems.add("validation messages are asked for, but the instance extension VK_EXT_debug_utils is not on");
        }
        for (String feature : adopted.features().missing()) {
            problems.add("feature " + feature + " is not on");
        }
        VulkanAdapter adapter = current ? VulkanAdapter.of(device.getPhysicalDevice()) : null;
        queues(adapter);
        if (adapter == null || !problems.isEmpty()) {
            throw new AdoptionException(problems);
        }
        return adapter;
    }

    private boolean versions(VkDevice device) {
        boolean instance = device.getCapabilitiesInstance().Vulkan13;
        if (!instance) {
            problems.add("the instance was created for Vulkan "
                    + VulkanAdapter.version(device.getCapabilitiesInstance().apiVersion) + ", 1.3 is needed");
        }
        if (instance && !device.getCapabilities().Vulkan13) {
            problems.add("the device has Vulkan " + VulkanAdapter.version(device.getCapabilities().apiVersion)
                    + ", 1.3 is needed");
            return false;
        }
        return instance;
    }

    private void queues(@Nullable VulkanAdapter adapter) {
        if (adopted.queues().stream().noneMatch(queue -> queue.kind() == QueueKind.GRAPHICS)) {
            problems.add("there is no graphics queue among the queues");
        }
        for (int i = 0; i < adopted.queues().size(); i++) {
            AdoptedDevice.Queue queue = adopted.queues().get(i);
            for (AdoptedDevice.Queue earlier : adopted.queues().subList(0, i)) {
                if (earlier.handle().address() == queue.handle().address()) {
                    problems.add("queues '" + earlier.name() + "' and '" + queue.name() + "' are the same VkQueue");
                }
            }
            if (queue.handle().getDevice().address() != adopted.device().address()) {
                problems.add("queue '" + queue.name() + "' is of another VkDevice");
            } else if (adapter != null) {
                family(queue, adapter);
            }
        }
    }

    private void family(AdoptedDevice.Queue queue, VulkanAdapter adapter) {
        QueueFamily family = adapter.family(queue.family());
        if (family == null) {
            problems.add("queue '" + queue.name() + "' is said to be of family " + queue.family() + ", the device has "
                    + adapter.families().size());
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

    private boolean isOf(AdoptedDevice.Queue queue) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            for (AdoptedDevice.CreatedQueues created : adopted.created()) {
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

    /** Returns the queues of a description that has passed, graphics queues first. */
    static List<DeviceQueue> queues(AdoptedDevice adopted, VulkanAdapter adapter) {
        List<DeviceQueue> queues = new ArrayList<>();
        for (AdoptedDevice.Queue queue : adopted.queues()) {
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
