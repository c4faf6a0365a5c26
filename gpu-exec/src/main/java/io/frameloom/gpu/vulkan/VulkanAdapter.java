package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.VulkanResults.check;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceLimits;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkExtensionProperties;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceLimits;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Properties;
import org.lwjgl.vulkan.VkQueueFamilyProperties;

/**
 * A physical device and everything asked of it before it is opened. Valid as long as its instance.
 *
 * @param handle device
 * @param info name, kind and whether it can be used
 * @param capabilities what it can do
 * @param queues its queues that would be used, nothing if it has none that fit
 * @param extensions its extensions
 * @param deviceMemory bytes of its device-local heaps
 * @param timestampPeriod nanoseconds of one timestamp tick
 * @param bufferImageGranularity bytes of a page that a buffer and a texture must not share
 */
record VulkanAdapter(
        VkPhysicalDevice handle,
        VulkanDeviceInfo info,
        DeviceCapabilities capabilities,
        Optional<QueuePlan> queues,
        Set<String> extensions,
        long deviceMemory,
        float timestampPeriod,
        long bufferImageGranularity) {

    /** Asks a device. */
    static VulkanAdapter of(VkPhysicalDevice device) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var v12 = VkPhysicalDeviceVulkan12Properties.calloc(stack).sType$Default();
            var all = VkPhysicalDeviceProperties2.calloc(stack).sType$Default();
            all.pNext(v12);
            VK13.vkGetPhysicalDeviceProperties2(device, all);
            var properties = all.properties();
            List<QueueFamily> families = families(device);
            Optional<QueuePlan> plan = QueuePlan.of(families);

            List<String> missing = new ArrayList<>();
            if (properties.apiVersion() < VK13.VK_API_VERSION_1_3) {
                missing.add("Vulkan 1.3");
            } else {
                missing.addAll(DeviceFeatures.supported(device, stack).missing());
            }
            if (plan.isEmpty()) {
                missing.add("a queue for graphics and compute");
            }
            String name = properties.deviceNameString();
            DeviceKind kind = kind(properties.deviceType());
            VulkanDeviceInfo info = new VulkanDeviceInfo(
                    name, kind, version(properties.apiVersion()), missing.isEmpty(), String.join(", ", missing));
            boolean timestamps = plan.isPresent()
                    && plan.get().queues().get(0).family().timestampBits() > 0
                    && properties.limits().timestampPeriod() > 0;
            DeviceFeatures features = DeviceFeatures.supported(device, stack);
            DeviceCapabilities capabilities = capabilities(
                    name,
                    kind,
                    (v12.driverNameString() + " " + v12.driverInfoString()).strip(),
                    properties.limits(),
                    timestamps,
                    features);
            return new VulkanAdapter(
                    device,
                    info,
                    capabilities,
                    plan,
                    extensions(device),
                    deviceMemory(device, stack),
                    properties.limits().timestampPeriod(),
                    properties.limits().bufferImageGranularity());
        }
    }

    private static DeviceCapabilities capabilities(
            String name,
            DeviceKind kind,
            String driver,
            VkPhysicalDeviceLimits limits,
            boolean timestamps,
            DeviceFeatures features) {
        return new DeviceCapabilities(
                name,
                kind,
                driver,
                true,
                timestamps,
                limits.maxImageDimension2D(),
                Integer.toUnsignedLong(limits.maxStorageBufferRange()),
                Math.toIntExact(limits.minUniformBufferOffsetAlignment()),
                Math.toIntExact(limits.minStorageBufferOffsetAlignment()),
                limits.maxPushConstantsSize(),
                features.all().features().samplerAnisotropy() ? (int) limits.maxSamplerAnisotropy() : 1,
                deviceLimits(limits, features));
    }

    private static DeviceLimits deviceLimits(VkPhysicalDeviceLimits limits, DeviceFeatures features) {
        DeviceLimits least = DeviceLimits.minimum();
        return new DeviceLimits(
                least.textures(),
                least.memory(),
                new DeviceLimits.Compute(
                        groups(limits.maxComputeWorkGroupCount()),
                        groups(limits.maxComputeWorkGroupSize()),
                        limits.maxComputeWorkGroupInvocations(),
                        limits.maxComputeSharedMemorySize(),
                        least.compute().subgroupSize(),
                        least.compute().minSubgroupSize(),
                        least.compute().maxSubgroupSize()),
                new DeviceLimits.Drawing(
                        limits.maxColorAttachments(),
                        limits.maxVertexInputBindings(),
                        limits.maxBoundDescriptorSets(),
                        Integer.toUnsignedLong(limits.maxDrawIndirectCount()),
                        features.all().features().multiDrawIndirect(),
                        features.v12().drawIndirectCount()));
    }

    private static DeviceLimits.Groups groups(IntBuffer counts) {
        return new DeviceLimits.Groups(atMost(counts.get(0)), atMost(counts.get(1)), atMost(counts.get(2)));
    }

    private static int atMost(int unsigned) {
        return unsigned < 0 ? Integer.MAX_VALUE : unsigned;
    }

    private static List<QueueFamily> families(VkPhysicalDevice device) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var count = stack.mallocInt(1);
            VK13.vkGetPhysicalDeviceQueueFamilyProperties(device, count, null);
            try (VkQueueFamilyProperties.Buffer found = VkQueueFamilyProperties.malloc(count.get(0))) {
                VK13.vkGetPhysicalDeviceQueueFamilyProperties(device, count, found);
                List<QueueFamily> families = new ArrayList<>();
                for (int i = 0; i < found.capacity(); i++) {
                    VkQueueFamilyProperties family = found.get(i);
                    families.add(
                            new QueueFamily(i, family.queueFlags(), family.queueCount(), family.timestampValidBits()));
                }
                return families;
            }
        }
    }

    private static Set<String> extensions(VkPhysicalDevice device) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var count = stack.mallocInt(1);
            String none = null;
            check(VK13.vkEnumerateDeviceExtensionProperties(device, none, count, null), "list device extensions");
            try (VkExtensionProperties.Buffer found = VkExtensionProperties.malloc(count.get(0))) {
                check(VK13.vkEnumerateDeviceExtensionProperties(device, none, count, found), "list device extensions");
                Set<String> names = new HashSet<>();
                found.forEach(extension -> names.add(extension.extensionNameString()));
                return names;
            }
        }
    }

    private static long deviceMemory(VkPhysicalDevice device, MemoryStack stack) {
        var memory = VkPhysicalDeviceMemoryProperties.malloc(stack);
        VK13.vkGetPhysicalDeviceMemoryProperties(device, memory);
        long bytes = 0;
        for (int i = 0; i < memory.memoryHeapCount(); i++) {
            if ((memory.memoryHeaps(i).flags() & VK13.VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) {
                bytes += memory.memoryHeaps(i).size();
            }
        }
        return bytes;
    }

    private static DeviceKind kind(int type) {
        return switch (type) {
            case VK13.VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU -> DeviceKind.DISCRETE;
            case VK13.VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU -> DeviceKind.INTEGRATED;
            case VK13.VK_PHYSICAL_DEVICE_TYPE_CPU -> DeviceKind.CPU;
            default -> DeviceKind.VIRTUALIZED;
        };
    }

    static String version(int version) {
        return VK13.VK_API_VERSION_MAJOR(version) + "." + VK13.VK_API_VERSION_MINOR(version) + "."
                + VK13.VK_API_VERSION_PATCH(version);
    }
}
