package io.frameloom.gpu.vulkan.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkPhysicalDevice16BitStorageFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceDescriptorIndexingFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceShaderAtomicInt64Features;
import org.lwjgl.vulkan.VkPhysicalDeviceShaderDemoteToHelperInvocationFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceSubgroupSizeControlFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkanMemoryModelFeatures;

/** Features that are switched on by the structures of single features; needs no driver. */
class DeviceFeaturesTest {
    @Test
    void structuresOfSingleFeaturesAreRead() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var model = VkPhysicalDeviceVulkanMemoryModelFeatures.calloc(stack)
                    .sType$Default()
                    .vulkanMemoryModel(true)
                    .vulkanMemoryModelDeviceScope(true);
            var atomics = VkPhysicalDeviceShaderAtomicInt64Features.calloc(stack)
                    .sType$Default()
                    .shaderBufferInt64Atomics(true)
                    .pNext(model.address());
            var subgroups = VkPhysicalDeviceSubgroupSizeControlFeatures.calloc(stack)
                    .sType$Default()
                    .computeFullSubgroups(true)
                    .pNext(atomics.address());
            var demote = VkPhysicalDeviceShaderDemoteToHelperInvocationFeatures.calloc(stack)
                    .sType$Default()
                    .shaderDemoteToHelperInvocation(true)
                    .pNext(subgroups.address());
            DeviceFeatures read = DeviceFeatures.read(0, demote.address());
            assertThat(read.v12().vulkanMemoryModel()).isTrue();
            assertThat(read.v12().vulkanMemoryModelDeviceScope()).isTrue();
            assertThat(read.v12().vulkanMemoryModelAvailabilityVisibilityChains())
                    .isFalse();
            assertThat(read.v12().shaderBufferInt64Atomics()).isTrue();
            assertThat(read.v12().shaderSharedInt64Atomics()).isFalse();
            assertThat(read.v13().subgroupSizeControl()).isFalse();
            assertThat(read.v13().computeFullSubgroups()).isTrue();
            assertThat(read.v13().shaderDemoteToHelperInvocation()).isTrue();
            assertThat(read.v13().shaderTerminateInvocation()).isFalse();
        }
    }

    /** The members of the longest ones are in the order of the structure of their version. */
    @Test
    void theLastMembersOfLongStructuresAreRead() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var storage = VkPhysicalDevice16BitStorageFeatures.calloc(stack)
                    .sType$Default()
                    .storageInputOutput16(true);
            var indexing = VkPhysicalDeviceDescriptorIndexingFeatures.calloc(stack)
                    .sType$Default()
                    .runtimeDescriptorArray(true)
                    .pNext(storage.address());
            DeviceFeatures read = DeviceFeatures.read(0, indexing.address());
            assertThat(read.v11().storageInputOutput16()).isTrue();
            assertThat(read.v11().multiview()).isFalse();
            assertThat(read.v12().runtimeDescriptorArray()).isTrue();
            assertThat(read.v12().descriptorBindingVariableDescriptorCount()).isFalse();
            assertThat(read.v12().samplerFilterMinmax()).isFalse();
        }
    }
}
