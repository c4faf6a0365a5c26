package io.frameloom.gpu.vulkan.driver;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.command.CopyUnit;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VKCapabilitiesInstance;
import org.lwjgl.vulkan.VkExtensionProperties;
import org.lwjgl.vulkan.VkExtent3D;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceIDProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkPhysicalDevicePCIBusInfoPropertiesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkQueueFamilyProperties;

/**
 * A physical device and its properties before it is opened. Valid as long as its instance.
 *
 * @param info name, kind and whether it can be used
 * @param core13 whether it has Vulkan 1.3; otherwise it has 1.2, and extensions have what Frameloom needs of 1.3
 * @param features its features, none if its version is too old
 * @param deviceMemory bytes of its device-local heaps
 * @param timestampPeriod nanoseconds of one timestamp tick
 * @param bufferImageGranularity bytes of a page that a buffer and a texture must not share
 * @param sparseAddressBytes bytes that all sparse resources may have together, with memory or without
 */
public record VulkanAdapter(
        VkPhysicalDevice handle,
        VulkanDeviceInfo info,
        List<QueueFamily> families,
        boolean core13,
        Set<String> extensions,
        DeviceFeatures features,
        long deviceMemory,
        float timestampPeriod,
        long bufferImageGranularity,
        long sparseAddressBytes) {
    private static final String PCI_BUS_INFO = "VK_EXT_pci_bus_info";

    /**
     * Asks a device.
     *
     * @param index its place among those that the loader lists, or -1
     * @param hiddenExtensions extensions that count as missing
     */
    static VulkanAdapter of(VkPhysicalDevice device, int index, Set<String> hiddenExtensions) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var properties = VkPhysicalDeviceProperties.calloc(stack);
            VK13.vkGetPhysicalDeviceProperties(device, properties);
            List<QueueFamily> families = families(device);
            List<String> missing = new ArrayList<>();
            // What the instance was created for bounds what its devices may be asked.
            int version = Math.min(properties.apiVersion(), device.getInstance().getCapabilities().apiVersion);
            boolean core13 = version >= VK13.VK_API_VERSION_1_3;
            Set<String> extensions = extensions(device);
            extensions.removeAll(hiddenExtensions);
            DeviceFeatures features;
            if (version < VK13.VK_API_VERSION_1_2) {
                features = DeviceFeatures.none();
                missing.add("Vulkan 1.3, or 1.2 with " + String.join(", ", DeviceFeatures.EXTENSIONS_OF_1_2));
            } else {
                features = DeviceFeatures.supported(device, core13, extensions);
                missing.addAll(features.missing(core13, extensions::contains));
            }
            if (QueuePlan.of(families, QueueCounts.ONE_OF_EACH).isEmpty()) {
                missing.add("a queue for graphics and compute");
            }
            String name = properties.deviceNameString();
            DeviceKind kind = kind(properties.deviceType());
            VulkanDeviceInfo info = new VulkanDeviceInfo(
                    name,
                    kind,
                    version(properties.apiVersion()),
                    missing.isEmpty(),
                    String.join(", ", missing),
                    index,
                    properties.apiVersion() < VK13.VK_API_VERSION_1_1
                            ? ""
                            : uuid(device, VkPhysicalDeviceIDProperties.DEVICEUUID),
                    extensions.contains(PCI_BUS_INFO) ? pciAddress(device) : "",
                    CapabilityNeeds.without(each -> !CapabilityNeeds.of(each)
                            .missing(
                                    extension -> extensions.contains(extension.name()),
                                    device.getInstance().getCapabilities(),
                                    features)
                            .isEmpty()));
            return new VulkanAdapter(
                    device,
                    info,
                    families,
                    core13,
                    extensions,
                    features,
                    deviceMemory(device, stack),
                    properties.limits().timestampPeriod(),
                    properties.limits().bufferImageGranularity(),
                    DeviceQuery.clamped(properties.limits().sparseAddressSpaceSize()));
        }
    }

    /** Returns the UUID of the driver, as 32 hexadecimal digits. */
    public String driverUuid() {
        return uuid(handle, VkPhysicalDeviceIDProperties.DRIVERUUID);
    }

    private static String uuid(VkPhysicalDevice device, int offset) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var ids = VkPhysicalDeviceIDProperties.calloc(stack).sType$Default();
            var all = VkPhysicalDeviceProperties2.calloc(stack).sType$Default();
            VK13.vkGetPhysicalDeviceProperties2(device, all.pNext(ids));
            byte[] bytes = new byte[VK13.VK_UUID_SIZE];
            MemoryUtil.memByteBuffer(ids.address() + offset, bytes.length).get(bytes);
            return HexFormat.of().formatHex(bytes);
        }
    }

    private static String pciAddress(VkPhysicalDevice device) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var bus = VkPhysicalDevicePCIBusInfoPropertiesEXT.calloc(stack).sType$Default();
            var all = VkPhysicalDeviceProperties2.calloc(stack).sType$Default();
            VK13.vkGetPhysicalDeviceProperties2(device, all.pNext(bus));
            return String.format(
                    Locale.ROOT,
                    "%04x:%02x:%02x.%x",
                    bus.pciDomain(),
                    bus.pciBus(),
                    bus.pciDevice(),
                    bus.pciFunction());
        }
    }

    /** Returns the same device, unusable if it cannot have swapchains. */
    public VulkanAdapter presenting() {
        String extension = KHRSwapchain.VK_KHR_SWAPCHAIN_EXTENSION_NAME;
        return extensions.contains(extension) ? this : lacking(extension);
    }

    /** Returns the same device, unusable if it does not have these capabilities, extensions and features. */
    public VulkanAdapter having(Set<Capability> required, RawExtensions raw) {
        VulkanAdapter result = this;
        if (info.usable()) {
            for (String missing : raw.missing(handle, extensions)) {
                result = result.lacking(missing);
            }
        }
        for (Capability each : new TreeSet<>(required)) {
            if (!info.capabilities().contains(each)) {
                result = result.lacking(each + " (" + String.join(", ", missing(each)) + ")");
            }
        }
        return result;
    }

    private List<String> missing(Capability capability) {
        return CapabilityNeeds.withOthers(Set.of(capability)).stream()
                .flatMap(
                        each -> CapabilityNeeds.of(each)
                                .missing(extension -> extensions.contains(extension.name()), instance(), features)
                                .stream())
                .toList();
    }

    VKCapabilitiesInstance instance() {
        return handle.getInstance().getCapabilities();
    }

    /** Returns the same device, unusable if it cannot keep shaders within buffers. */
    public VulkanAdapter robust() {
        return info.usable() ? robust(features) : this;
    }

    /** As {@link #robust()}, of a device that supports these features. */
    public VulkanAdapter robust(DeviceFeatures supported) {
        return supported.robustBufferAccess() ? this : lacking("robustBufferAccess");
    }

    private VulkanAdapter lacking(String missing) {
        return new VulkanAdapter(
                handle,
                lacking(info, missing),
                families,
                core13,
                extensions,
                features,
                deviceMemory,
                timestampPeriod,
                bufferImageGranularity,
                sparseAddressBytes);
    }

    /** Returns the same device, which lacks something more. */
    public static VulkanDeviceInfo lacking(VulkanDeviceInfo device, String more) {
        return new VulkanDeviceInfo(
                device.name(),
                device.kind(),
                device.apiVersion(),
                false,
                device.missing().isEmpty() ? more : device.missing() + ", " + more,
                device.index(),
                device.uuid(),
                device.pciAddress(),
                device.capabilities());
    }

    Optional<QueuePlan> queues(QueueCounts counts) {
        return QueuePlan.of(families, counts);
    }

    /** Returns a family by its number, or null if there is none. */
    @Nullable
    QueueFamily family(int index) {
        return index >= 0 && index < families.size() ? families.get(index) : null;
    }

    public QueueFamily familyOf(GpuQueue queue) {
        return families.get(queue.family());
    }

    static List<QueueFamily> families(VkPhysicalDevice device) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var count = stack.mallocInt(1);
            VK13.vkGetPhysicalDeviceQueueFamilyProperties(device, count, null);
            try (VkQueueFamilyProperties.Buffer found = VkQueueFamilyProperties.malloc(count.get(0))) {
                VK13.vkGetPhysicalDeviceQueueFamilyProperties(device, count, found);
                List<QueueFamily> families = new ArrayList<>();
                for (int i = 0; i < found.capacity(); i++) {
                    VkQueueFamilyProperties family = found.get(i);
                    families.add(new QueueFamily(
                            i,
                            family.queueFlags(),
                            family.queueCount(),
                            family.timestampValidBits(),
                            unit(family.minImageTransferGranularity())));
                }
                return families;
            }
        }
    }

    private static CopyUnit unit(VkExtent3D extent) {
        return new CopyUnit(extent.width(), extent.height(), extent.depth());
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

    static DeviceKind kind(int type) {
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
