package io.frameloom.gpu.vulkan.driver;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTHdrMetadata;
import org.lwjgl.vulkan.EXTSwapchainMaintenance1;
import org.lwjgl.vulkan.KHRPresentId;
import org.lwjgl.vulkan.KHRPresentWait;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDevicePresentIdFeaturesKHR;
import org.lwjgl.vulkan.VkPhysicalDevicePresentWaitFeaturesKHR;
import org.lwjgl.vulkan.VkPhysicalDeviceSwapchainMaintenance1FeaturesEXT;

/**
 * What a device has for presentation beyond VK_KHR_swapchain.
 *
 * @param displayReports whether it reports when an image is displayed: VK_KHR_present_id and VK_KHR_present_wait
 * @param fences whether a fence says when a presentation needs nothing any more: VK_EXT_swapchain_maintenance1
 * @param hdrMetadata whether displays can be told of the pictures: VK_EXT_hdr_metadata
 */
public record PresentExtensions(boolean displayReports, boolean fences, boolean hdrMetadata) {
    private static final String ID = KHRPresentId.VK_KHR_PRESENT_ID_EXTENSION_NAME;
    private static final String WAIT = KHRPresentWait.VK_KHR_PRESENT_WAIT_EXTENSION_NAME;
    private static final String MAINTENANCE = EXTSwapchainMaintenance1.VK_EXT_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME;
    private static final String METADATA = EXTHdrMetadata.VK_EXT_HDR_METADATA_EXTENSION_NAME;

    static final PresentExtensions NONE = new PresentExtensions(false, false, false);

    /** Returns what a device can be opened with. */
    static PresentExtensions of(VulkanAdapter adapter, DeviceSeams seams) {
        Set<String> played = seams.playedExtensions();
        boolean instance = adapter.handle().getInstance().getCapabilities().VK_EXT_surface_maintenance1;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var id = VkPhysicalDevicePresentIdFeaturesKHR.calloc(stack).sType$Default();
            var wait = VkPhysicalDevicePresentWaitFeaturesKHR.calloc(stack).sType$Default();
            var maintenance = VkPhysicalDeviceSwapchainMaintenance1FeaturesEXT.calloc(stack)
                    .sType$Default();
            var all = VkPhysicalDeviceFeatures2.calloc(stack).sType$Default();
            boolean waits = has(adapter, seams, ID, WAIT);
            if (waits) {
                all.pNext(id).pNext(wait);
            }
            boolean maintained = instance && has(adapter, seams, MAINTENANCE);
            if (maintained) {
                all.pNext(maintenance);
            }
            VkPhysicalDevice device = adapter.handle();
            VK13.vkGetPhysicalDeviceFeatures2(device, all);
            return new PresentExtensions(
                    played.contains(WAIT) || (waits && id.presentId() && wait.presentWait()),
                    maintained && maintenance.swapchainMaintenance1(),
                    played.contains(METADATA) || has(adapter, seams, METADATA));
        }
    }

    private static boolean has(VulkanAdapter adapter, DeviceSeams seams, String... extensions) {
        return Arrays.stream(extensions)
                .allMatch(extension -> adapter.extensions().contains(extension)
                        && !seams.hiddenExtensions().contains(extension));
    }

    /**
     * Returns what an engine's device has. The others need features, of which an engine says nothing.
     *
     * @param hdrMetadata whether the engine has enabled VK_EXT_hdr_metadata
     */
    static PresentExtensions lent(boolean hdrMetadata) {
        return new PresentExtensions(false, false, hdrMetadata);
    }

    /** Enables all of it, but for what a test plays. */
    void enable(List<String> extensions, Set<String> played, VkDeviceCreateInfo info, MemoryStack stack) {
        if (displayReports && !played.contains(WAIT)) {
            extensions.addAll(List.of(ID, WAIT));
            info.pNext(VkPhysicalDevicePresentIdFeaturesKHR.calloc(stack)
                            .sType$Default()
                            .presentId(true))
                    .pNext(VkPhysicalDevicePresentWaitFeaturesKHR.calloc(stack)
                            .sType$Default()
                            .presentWait(true));
        }
        if (fences) {
            extensions.add(MAINTENANCE);
            info.pNext(VkPhysicalDeviceSwapchainMaintenance1FeaturesEXT.calloc(stack)
                    .sType$Default()
                    .swapchainMaintenance1(true));
        }
        if (hdrMetadata && !played.contains(METADATA)) {
            extensions.add(METADATA);
        }
    }
}
