package io.frameloom.gpu.vulkan;

import java.util.ArrayList;
import java.util.List;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Features;

/**
 * The chain of feature structures of Vulkan 1.0 to 1.3; lives on the caller's memory stack.
 *
 * @param all head of the chain
 * @param v11 features of 1.1
 * @param v12 features of 1.2
 * @param v13 features of 1.3
 */
record DeviceFeatures(
        VkPhysicalDeviceFeatures2 all,
        VkPhysicalDeviceVulkan11Features v11,
        VkPhysicalDeviceVulkan12Features v12,
        VkPhysicalDeviceVulkan13Features v13) {

    private static DeviceFeatures none(MemoryStack stack) {
        var v11 = VkPhysicalDeviceVulkan11Features.calloc(stack).sType$Default();
        var v12 = VkPhysicalDeviceVulkan12Features.calloc(stack).sType$Default();
        var v13 = VkPhysicalDeviceVulkan13Features.calloc(stack).sType$Default();
        var all = VkPhysicalDeviceFeatures2.calloc(stack).sType$Default();
        all.pNext(v11).pNext(v12).pNext(v13);
        return new DeviceFeatures(all, v11, v12, v13);
    }

    /** Asks a device of version 1.3 what it supports. */
    static DeviceFeatures supported(VkPhysicalDevice device, MemoryStack stack) {
        DeviceFeatures features = none(stack);
        VK13.vkGetPhysicalDeviceFeatures2(device, features.all);
        return features;
    }

    /** Names the required features that are not supported. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        require(missing, "timelineSemaphore", v12.timelineSemaphore());
        require(missing, "hostQueryReset", v12.hostQueryReset());
        require(missing, "separateDepthStencilLayouts", v12.separateDepthStencilLayouts());
        require(missing, "synchronization2", v13.synchronization2());
        require(missing, "dynamicRendering", v13.dynamicRendering());
        require(missing, "maintenance4", v13.maintenance4());
        return missing;
    }

    private static void require(List<String> missing, String name, boolean supported) {
        if (!supported) {
            missing.add(name);
        }
    }

    /** Returns the chain that enables what is required, and of what shaders may use all that is supported. */
    DeviceFeatures enabled(MemoryStack stack) {
        DeviceFeatures on = none(stack);
        on.v12.timelineSemaphore(true).hostQueryReset(true).separateDepthStencilLayouts(true);
        on.v13.synchronization2(true).dynamicRendering(true).maintenance4(true);

        VkPhysicalDeviceFeatures has = all.features();
        on.all
                .features()
                .samplerAnisotropy(has.samplerAnisotropy())
                .fragmentStoresAndAtomics(has.fragmentStoresAndAtomics())
                .vertexPipelineStoresAndAtomics(has.vertexPipelineStoresAndAtomics())
                .shaderStorageImageReadWithoutFormat(has.shaderStorageImageReadWithoutFormat())
                .shaderStorageImageWriteWithoutFormat(has.shaderStorageImageWriteWithoutFormat())
                .shaderStorageImageExtendedFormats(has.shaderStorageImageExtendedFormats())
                .depthClamp(has.depthClamp())
                .shaderInt64(has.shaderInt64())
                .shaderInt16(has.shaderInt16())
                .multiDrawIndirect(has.multiDrawIndirect())
                .drawIndirectFirstInstance(has.drawIndirectFirstInstance())
                .imageCubeArray(has.imageCubeArray())
                .independentBlend(has.independentBlend())
                .sampleRateShading(has.sampleRateShading())
                .fillModeNonSolid(has.fillModeNonSolid())
                .depthBiasClamp(has.depthBiasClamp())
                .textureCompressionBC(has.textureCompressionBC());
        on.v11.shaderDrawParameters(v11.shaderDrawParameters());
        on.v12
                .drawIndirectCount(v12.drawIndirectCount())
                .samplerFilterMinmax(v12.samplerFilterMinmax())
                .vulkanMemoryModel(v12.vulkanMemoryModel())
                .vulkanMemoryModelDeviceScope(v12.vulkanMemoryModelDeviceScope())
                .shaderBufferInt64Atomics(v12.shaderBufferInt64Atomics())
                .scalarBlockLayout(v12.scalarBlockLayout());
        on.v13
                .subgroupSizeControl(v13.subgroupSizeControl())
                .computeFullSubgroups(v13.computeFullSubgroups())
                .shaderDemoteToHelperInvocation(v13.shaderDemoteToHelperInvocation());
        return on;
    }
}
